// Weighted sums over the members of a row: the inner loop of every product with features.
#pragma once

#include <span>

#include "graph.hpp"
#include "lanes.hpp"

namespace grape {

// Sums taken at a time: enough to keep the adders busy, few enough for the registers.
template <int bytes>
constexpr int kBlock = bytes == 64 ? 4 : 2;

// Where the members of a row find what is summed: node u at data + u * stride + start.
template <class T, int block>
struct Source {
    const T* data;
    Offset stride;
    Offset start[block];
    const T* weight[block];  // of the row's entries
};

// sum[b] = sum over the entries of weight[b] times the members' columns.
template <class L, int block, class T>
[[gnu::always_inline]] inline void gather(std::span<const Node> members,
                                          const Source<T, block>& from,
                                          typename L::Vector (&sum)[block][L::count]) {
    typename L::Vector local[block][L::count] = {};
    const auto count = static_cast<Offset>(members.size());
    for (Offset e = 0; e < count; ++e) {
        const T* const node = from.data + members[e] * from.stride;
        for (int b = 0; b < block; ++b) {
            typename L::Vector columns[L::count];
            L::load(columns, node + from.start[b]);
            for (int k = 0; k < L::count; ++k) local[b][k] += from.weight[b][e] * columns[k];
        }
    }
    for (int b = 0; b < block; ++b)
        for (int k = 0; k < L::count; ++k) sum[b][k] = local[b][k];
}

}  // namespace grape
