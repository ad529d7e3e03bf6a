// Weighted sums over the members of a row: the inner loop of every product with features.
#pragma once

#include <span>

#include "base/graph.hpp"
#include "base/lanes.hpp"

namespace grape {

// Columns summed at a time, in this many bytes: one cache line after another, whatever the number.
inline constexpr int kStripBytes = 128;
template <class T>
constexpr int kStrip = kStripBytes / static_cast<int>(sizeof(T));

// Sums taken at a time: eight vectors of them keep the adders busy, and leave room in sixteen
// registers for what is added.
template <int bytes>
constexpr int kBlock = 8 * bytes / kStripBytes;

// Where the members of a row find what is summed: node u at data + u * stride + start.
template <class T, int block>
struct Source {
    const T* data;
    Offset stride;
    Offset start[block];
    const T* weight[block];  // of the row's entries
};

// sum[b] = sum over the entries of weight[b] times the members' columns. With `same` all sums start
// at the same columns, which are then read once.
template <class L, int block, bool same, class T>
[[gnu::always_inline]] inline void gather(std::span<const Node> members,
                                          const Source<T, block>& from,
                                          typename L::Vector (&sum)[block][L::count]) {
    typename L::Vector local[block][L::count] = {};
    const auto count = static_cast<Offset>(members.size());
    for (Offset e = 0; e < count; ++e) {
        const T* const node = from.data + members[e] * from.stride;
        typename L::Vector columns[L::count];
        if constexpr (same) L::load(columns, node + from.start[0]);
        unroll<block>([&](auto b) __attribute__((always_inline)) {
            if constexpr (!same) L::load(columns, node + from.start[b]);
            unroll<L::count>([&](auto k) __attribute__((always_inline)) {
                local[b][k] += from.weight[b][e] * columns[k];
            });
        });
    }
    unroll<block>([&](auto b) __attribute__((always_inline)) {
        unroll<L::count>([&](auto k) __attribute__((always_inline)) { sum[b][k] = local[b][k]; });
    });
}

}  // namespace grape
