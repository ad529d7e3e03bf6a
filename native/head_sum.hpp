// Sums over neighbours weighted by attention with several heads (GAT, GeniePath).
//
//   out[v, h, :] = sum over entries e = (v, u) of weight[e, h] x[u, h, :]
#pragma once

#include "entries.hpp"

namespace grape {

template <class T>
struct HeadSum {
    Entries entries;
    int heads = 1;
    Offset columns = 0;         // of one head
    const T* weight = nullptr;  // [entries, heads]
};

// Writes out[rows, heads, columns].
template <class T>
void head_sum(const HeadSum<T>& sum, const T* x, T* out);

// Derivatives with respect to the weights, [entries, heads], and to x.
template <class T>
void head_sum_backward(const HeadSum<T>& sum, const T* x, const T* grad, T* grad_weight, T* grad_x);

}  // namespace grape
