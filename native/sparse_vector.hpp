// A dense row that remembers which of its entries were touched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sparse_rows.hpp"

namespace grape {

template <class T>
class SparseVector {
  public:
    explicit SparseVector(Node size)
        : value_(static_cast<std::size_t>(size), T{0}), seen_(static_cast<std::size_t>(size), 0) {}

    void add(Node at, T amount) {
        if (!seen_[at]) {
            seen_[at] = 1;
            touched_.push_back(at);
        }
        value_[at] += amount;
    }

    T operator[](Node at) const { return value_[at]; }
    const std::vector<Node>& touched() const { return touched_; }

    // Puts the touched places in ascending order; full rows are scanned instead of sorted.
    void sort() {
        if (touched_.size() < seen_.size() / 8) {
            std::sort(touched_.begin(), touched_.end());
            return;
        }
        touched_.clear();
        for (std::size_t c = 0; c < seen_.size(); ++c) {
            if (seen_[c]) touched_.push_back(static_cast<Node>(c));
        }
    }

    void scale(const T* diagonal) {
        if (diagonal == nullptr) return;
        for (const Node c : touched_) value_[c] *= diagonal[c];
    }

    // this = this ∘ other
    void multiply(const SparseVector& other) {
        for (const Node c : touched_) value_[c] *= other[c];
    }

    void clear() {
        for (const Node c : touched_) {
            value_[c] = T{0};
            seen_[c] = 0;
        }
        touched_.clear();
    }

    // next = this * matrix
    void push_through(const SparseRows<T>& matrix, SparseVector& next) const {
        for (const Node r : touched_) {
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
    std::vector<Node> touched_;
};

// Collects rows found by many workers, then joins them in row order.
template <class T>
class RowGatherer {
  public:
    explicit RowGatherer(Node num_rows)
        : num_rows_(num_rows), parts_((num_rows + kRowsPerItem - 1) / kRowsPerItem) {
        found_.ptr.assign(static_cast<std::size_t>(num_rows) + 1, 0);
    }

    std::int64_t items() const { return static_cast<std::int64_t>(parts_.size()); }

    // Called by one worker at a time for a given item, rows in ascending order.
    void append(std::int64_t item, Node row, Node column, T value) {
        parts_[item].idx.push_back(column);
        parts_[item].val.push_back(value);
        ++found_.ptr[row + 1];
    }

    std::int64_t bytes(std::int64_t item) const {
        // Twice, because joining the parts holds both for a moment.
        return static_cast<std::int64_t>(parts_[item].idx.size() * (sizeof(Node) + sizeof(T)) * 2);
    }

    FoundRows<T> join() {
        for (Node r = 0; r < num_rows_; ++r) found_.ptr[r + 1] += found_.ptr[r];
        found_.idx.reserve(static_cast<std::size_t>(found_.ptr[num_rows_]));
        found_.val.reserve(static_cast<std::size_t>(found_.ptr[num_rows_]));
        for (Part& part : parts_) {
            found_.idx.insert(found_.idx.end(), part.idx.begin(), part.idx.end());
            found_.val.insert(found_.val.end(), part.val.begin(), part.val.end());
            part = Part{};
        }
        return std::move(found_);
    }

  private:
    struct Part {
        std::vector<Node> idx;
        std::vector<T> val;
    };
    Node num_rows_;
    std::vector<Part> parts_;
    FoundRows<T> found_;
};

}  // namespace grape
