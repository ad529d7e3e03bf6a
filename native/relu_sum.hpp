// Sums over neighbours of what they say to this very listener (DE-GNN):
//
//   out[v, :] = sum over entries e = (v, u) of max(0, x[u, :] + sum over k of count[e, k] map[k,
//   :])
//
// Nothing of the size entries x columns is ever stored: the derivatives take the sums again.
#pragma once

#include "entries.hpp"

namespace grape {

template <class T>
struct ReluSum {
    static constexpr int kCounts = 3;  // numbers per entry
    Entries entries;
    Offset columns = 0;
    const T* x = nullptr;      // [rows, columns]
    const T* count = nullptr;  // [entries, kCounts]
    const T* map = nullptr;    // [kCounts, columns]
};

template <class T>
void relu_sum(const ReluSum<T>& sum, T* out);

// Derivatives with respect to x and to the map.
template <class T>
void relu_sum_backward(const ReluSum<T>& sum, const T* grad, T* grad_x, T* grad_map);

}  // namespace grape
