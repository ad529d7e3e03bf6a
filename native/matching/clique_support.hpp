// How many cliques of a given size hold each edge.
//
// Every clique is met at its node of least degree: its later neighbours form a small graph kept
// as bit rows, where the cliques through a pair are counted in the pair's common neighbours.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

// Bytes it takes at most, all but the small graphs.
std::int64_t clique_support_bytes(Node num_nodes, Offset entries, int threads);

// One count per stored entry of a symmetric pattern. `reverse` says where the opposite entry
// stands; size is at least 3. Nothing if the run was stopped.
std::vector<std::uint64_t> clique_support(const SparseRows<double>& graph, const Offset* reverse,
                                          int size, int threads, Control& control,
                                          const Watcher& watcher);

}  // namespace grape
