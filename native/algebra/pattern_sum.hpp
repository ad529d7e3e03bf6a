// Sums over all maps of a small weighted pattern, by search: for the blocks (4-cliques with
// weights, wheels, ...) that neither matrix products nor entry-wise products can express.
//
// Maps need not be injective: a pattern's links are what they demand and nothing else.
#pragma once

#include <vector>

#include "algebra/pattern_search.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"

namespace grape {

// Values at every pair (row, column) that some map joins.
template <class T>
CsrOf<T> pattern_rows(Node num_rows, const MapPattern<T>& pattern, int threads, Control& control,
                      const Watcher& watcher);

// Values at the places of `mask` only; the target must be at position 1 and the mask among its
// links.
template <class T>
std::vector<T> masked_pattern(const SparseRows<double>& mask, const MapPattern<T>& pattern,
                              int threads, Control& control, const Watcher& watcher);

}  // namespace grape
