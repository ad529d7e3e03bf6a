// Sparse matrices as the role algebra's kernels see them.
//
// The number type T is double (fast, exact below 2^53) or std::uint64_t (arithmetic modulo 2^64:
// sums and products of counts stay right as long as the final count fits, whatever the
// intermediate values did).
#pragma once

#include <span>

#include "base/graph.hpp"

namespace grape {

template <class T>
struct SparseRows {
    Node num_rows = 0;
    const Offset* ptr = nullptr;
    const Node* idx = nullptr;
    const T* val = nullptr;  // nullptr: every stored entry is one

    std::span<const Node> row(Node r) const {
        return {idx + ptr[r], static_cast<std::size_t>(ptr[r + 1] - ptr[r])};
    }
    Offset size(Node r) const { return ptr[r + 1] - ptr[r]; }
    T value(Offset entry) const { return val == nullptr ? T{1} : val[entry]; }
};

constexpr Node kRowsPerItem = 64;  // rows handed to a worker at a time

inline std::int64_t items_of(Node num_rows) {
    return (std::int64_t{num_rows} + kRowsPerItem - 1) / kRowsPerItem;
}

}  // namespace grape
