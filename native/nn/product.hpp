// Products of dense matrices that are in a cache, with vectors as wide as the processor has them.
//
// The maps of the roles are such products, for some nodes after the other. The library that torch
// calls for them uses vectors of 32 bytes on processors of AMD, also where there are 64.
#pragma once

#include "base/graph.hpp"
#include "base/lanes.hpp"

namespace grape {

// out(i, j) = sum over p of left(i, p) right(p, j), or added to what is there.
template <class T>
struct Product {
    const T* left;  // (i, p) at i * left_row + p * left_column
    Offset left_row, left_column;
    const T* right;  // (p, j) at p * columns + j
    T* out;          // (i, j) at i * columns + j
    Offset rows, depth, columns;
    bool add;

    // Rows taken at a time: with two vectors of columns, twelve sums. They keep the adders busy and
    // leave room in sixteen registers.
    static constexpr int kRows = 6;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        constexpr int lanes = bytes / static_cast<int>(sizeof(T));
        Offset first = 0;
        for (; first + 2 * lanes <= columns; first += 2 * lanes)
            strip<Lanes<T, 2 * lanes, bytes>>(first);
        for (; first + lanes <= columns; first += lanes) strip<Lanes<T, lanes, bytes>>(first);
        for (; first < columns; ++first) strip<Lanes<T, 1, bytes>>(first);
    }

    template <class L>
    [[gnu::always_inline]] inline void strip(Offset first) const {
        for (Offset i = 0; i < rows;) i += some<L, kRows>(i, first);
    }

    // Takes the next rows, as many as there are up to `most`, and says how many these were.
    template <class L, int most>
    [[gnu::always_inline]] inline int some(Offset i, Offset first) const {
        if constexpr (most > 1)
            if (rows - i < most) return some<L, most - 1>(i, first);
        tile<L, most>(i, first);
        return most;
    }

    template <class L, int count>
    [[gnu::always_inline]] inline void tile(Offset i, Offset first) const {
        typename L::Vector sum[count][L::count] = {};
        T* const to = out + i * columns + first;
        if (add)
            unroll<count>(
                [&](auto b) __attribute__((always_inline)) { L::load(sum[b], to + b * columns); });
        const T* from = left + i * left_row;
        const T* next = right + first;
        for (Offset p = 0; p < depth; ++p, from += left_column, next += columns) {
            typename L::Vector factor[L::count];
            L::load(factor, next);
            unroll<count>([&](auto b) __attribute__((always_inline)) {
                const T weight = from[b * left_row];
                unroll<L::count>([&](auto k) __attribute__((always_inline)) {
                    sum[b][k] += weight * factor[k];
                });
            });
        }
        unroll<count>([&](auto b)
                          __attribute__((always_inline)) { L::store(to + b * columns, sum[b]); });
    }
};

}  // namespace grape
