// Sparse node features (words of a paper) times one weight matrix per group, and the transpose.
#pragma once

#include "base/sparse_rows.hpp"

namespace grape {

// Where row r of group g begins: data + r * row + g * group.
template <class T>
struct Blocks {
    T* data;
    Offset row;
    Offset group;
};

// out[r, g, :] = sum over the entries (r, c) of x of x[r, c] in[c, g, :], `columns` numbers each.
template <class T>
void feature_product(const SparseRows<T>& x, int groups, Offset columns, Blocks<const T> in,
                     Blocks<T> out, int threads);

}  // namespace grape
