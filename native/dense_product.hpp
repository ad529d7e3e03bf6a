// A sparse matrix between two diagonals times a dense matrix of features.
#pragma once

#include "parallel.hpp"
#include "sparse_rows.hpp"

namespace grape {

// out (+)= diag(left) * matrix * diag(right) * dense, rows of `dense` and `out` being
// `columns` long and contiguous; null diagonals are the identity.
template <class T>
void dense_product(const SparseRows<T>& matrix, const T* left, const T* right, const T* dense,
                   Offset columns, bool accumulate, T* out, int threads, Control& control,
                   const Watcher& watcher);

}  // namespace grape
