// Entries of a sparse product at given places only: out[s,t] = sum over c of X[s,c] w[c] Y[c,t].
//
// Two-hop pairs are never formed. For every place the shorter of row s of X and column t of Y is
// walked, the longer one is looked up in a dense row, so the work is the sum over places of the
// smaller degree (Chiba and Nishizeki's bound for triangles).
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

// The places (s, t), their transpose, and where each transposed entry stands in the original.
struct Mask {
    SparseRows<double> rows;
    SparseRows<double> columns;
    const Offset* origin = nullptr;
};

// `x` holds the rows of X, `y_columns` the columns of Y as rows; `w` may be null. With
// `symmetric` the caller promises that X equals Y transposed and that the mask is symmetric:
// each unordered pair is then computed once.
template <class T>
std::vector<T> masked_product(const Mask& mask, const SparseRows<T>& x,
                              const SparseRows<T>& y_columns, const T* w, bool symmetric,
                              int threads, Control& control, const Watcher& watcher);

}  // namespace grape
