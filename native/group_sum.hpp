// The fusion of templates, eq. 4 of the paper: a weighted sum over the groups of every node.
#pragma once

#include "graph.hpp"

namespace grape {

template <class T>
struct GroupSum {
    Offset rows = 0;
    int groups = 0;
    Offset columns = 0;
    const T* h = nullptr;       // [rows, groups, columns]
    const T* weight = nullptr;  // [groups]
};

// out[v, :] = sum over g of weight[g] h[v, g, :]
template <class T>
void group_sum(const GroupSum<T>& sum, T* out);

// grad_h[v, g, :] = weight[g] grad[v, :], and grad_weight[g] = sum over v of grad[v, :] h[v, g, :].
template <class T>
void group_sum_backward(const GroupSum<T>& sum, const T* grad, T* grad_h, T* grad_weight);

}  // namespace grape
