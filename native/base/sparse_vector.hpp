// A dense row that remembers which of its entries were touched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

template <class T>
class SparseVector {
  public:
    explicit SparseVector(Node size)
        : value_(static_cast<std::size_t>(size), T{0}),
          seen_(static_cast<std::size_t>(size), 0),
          touched_(static_cast<std::size_t>(size) + 1) {}

    // Without a branch: whether a place is new is anybody's guess.
    void add(Node at, T amount) {
        touched_[count_] = at;
        count_ += static_cast<std::size_t>(seen_[at] ^ 1);
        seen_[at] = 1;
        value_[at] += amount;
    }

    T operator[](Node at) const { return value_[at]; }
    bool has(Node at) const { return seen_[at] != 0; }
    std::span<const Node> touched() const { return {touched_.data(), count_}; }

    // Puts the touched places in ascending order; full rows are scanned instead of sorted.
    void sort() {
        if (count_ < seen_.size() / 8) {
            std::sort(touched_.begin(), touched_.begin() + static_cast<std::ptrdiff_t>(count_));
            return;
        }
        count_ = 0;
        for (std::size_t c = 0; c < seen_.size(); ++c) {
            if (seen_[c]) touched_[count_++] = static_cast<Node>(c);
        }
    }

    void scale(const T* diagonal) {
        if (diagonal == nullptr) return;
        for (const Node c : touched()) value_[c] *= diagonal[c];
    }

    // this = this ∘ other
    void multiply(const SparseVector& other) {
        for (const Node c : touched()) value_[c] *= other[c];
    }

    void clear() {
        for (const Node c : touched()) {
            value_[c] = T{0};
            seen_[c] = 0;
        }
        count_ = 0;
    }

    static std::int64_t bytes(Node size) {
        return static_cast<std::int64_t>(sizeof(T) + 1 + sizeof(Node)) * size;
    }

    // next = this * matrix, or less of it once the run is to end
    void push_through(const SparseRows<T>& matrix, SparseVector& next,
                      const Control& control) const {
        for (const Node r : touched()) {
            if (control.stopped()) return;
            const T here = value_[r];
            if (here == T{0}) continue;
            for (Offset e = matrix.ptr[r]; e < matrix.ptr[r + 1]; ++e) {
                next.add(matrix.idx[e], here * matrix.value(e));
            }
        }
    }

  private:
    std::vector<T> value_;
    std::vector<std::uint8_t> seen_;
    std::vector<Node> touched_;  // with room for the place that the next one would take
    std::size_t count_ = 0;
};

}  // namespace grape
