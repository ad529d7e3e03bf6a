// A sparse matrix between two diagonals times features in single precision.
#pragma once

#include "base/parallel.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

// Entries that are summed one after the other in single precision. Two such sums are added in
// single precision too, and these in double precision.
inline constexpr int kSingleBlock = 8;

// out = diag(left) * matrix * diag(right) * dense / divisor, rows of `dense` and `out` being
// `columns` long and contiguous; null diagonals are the identity. With `minus`, and then without
// values, every row has its own row of `minus` taken away from each of its members' features:
//
//   out[v] = left[v] / divisor * sum over the entries (v, u) of (dense[u] - minus[v])
//
// With `plain`, and then without values and with a right diagonal, one pass over the same rows of
// features gives two products: besides `out` also plain = matrix * dense.
//
// With u = 2^-24 and no negative entry in the whole product, no error exceeds 12 u times the
// product with the features' magnitudes (with `minus`: with the magnitudes of the differences):
// u for an entry or a weight, u for a scaled feature or a difference, 8 u for a block, u for the
// result, and less than u for all that is done in double precision. Operators whose terms cancel
// one another need dense_product.
struct SingleProduct {
    SparseRows<double> matrix;
    const double* left;
    const double* right;
    const float* dense;
    const float* minus;
    Offset columns;
    double divisor;
    float* out;
    float* plain = nullptr;
    const float* weight = nullptr;  // `right` as single_product hands it to the rows
};

void single_product(SingleProduct job, int threads, Control& control, const Watcher& watcher);

}  // namespace grape
