// Matrices that are never stored: each row is computed, multiplied with the features, forgotten.
//
// Opposite corners of a 4-cycle join pairs of nodes two hops apart, which can be a thousand
// times more than the graph has edges. Computing a row anew at every product keeps memory at one
// dense row per worker.
#pragma once

#include <vector>

#include "algebra/chain_row.hpp"
#include "algebra/pattern_search.hpp"
#include "base/parallel.hpp"

namespace grape {

// The entry-wise product of rows of chains and of patterns, each raised to a power.
template <class T>
struct StreamedMatrix {
    Node num_rows = 0;
    std::vector<std::pair<int, ChainTerm<T>>> chains;
    std::vector<std::pair<int, MapPattern<T>>> patterns;
};

// out += diag(left) * matrix * diag(right) * dense; null diagonals are the identity.
template <class T>
void stream_product(const StreamedMatrix<T>& matrix, const T* left, const T* right, const T* dense,
                    Offset columns, T* out, int threads, Control& control, const Watcher& watcher);

}  // namespace grape
