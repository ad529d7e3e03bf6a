// Roles of cliques: all nodes but the ego share one role, and C[v, u] is the number of cliques
// that hold the edge (v, u). Orientation by degree and local bit rows find it without visiting
// a clique more than once.
#pragma once

#include "matching/enumerate.hpp"

namespace grape {

bool is_clique(const Template& t);

// Bytes that counting takes at most, all but the small graphs around single nodes.
std::int64_t clique_roles_bytes(const GraphView& graph, int threads);

// For every ego; nothing if the run was stopped.
RoleCounts clique_roles(const GraphView& graph, int size, const EnumerateOptions& options,
                        Control& control, const Watcher& watcher);

}  // namespace grape
