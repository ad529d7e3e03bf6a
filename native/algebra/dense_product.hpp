// A sparse matrix between two diagonals times a dense matrix of features.
#pragma once

#include "base/parallel.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

// out (+)= diag(left) * matrix * diag(right) * dense + diag(own) * base, rows of `dense`, `base`
// and `out` being `columns` long and contiguous. Null diagonals left and right are the identity; a
// null `own` leaves the last term out.
//
// Twice as fast where rows begin with a cache line: `dense` aligned to 64 bytes.
template <class T>
struct DenseProduct {
    SparseRows<T> matrix;
    const T* left;
    const T* right;
    const T* dense;
    const T* own;
    const T* base;
    Offset columns;
    bool accumulate;
    T* out;
};

template <class T>
void dense_product(const DenseProduct<T>& job, int threads, Control& control,
                   const Watcher& watcher);

}  // namespace grape
