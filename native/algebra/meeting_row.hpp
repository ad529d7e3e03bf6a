// A row of a product as something to be looked up, and the columns that meet it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "algebra/chain_row.hpp"

namespace grape {

// The last step of a row is taken into a plain array: nobody asks which places it reached, and
// most places are reached. V holds its entries.
template <class V, class T>
class FilledRow {
  public:
    explicit FilledRow(Node size) : value_(static_cast<std::size_t>(size), V{0}) {}

    // this = here * matrix * diag(diagonal)
    void fill(const SparseVector<T>& here, const SparseRows<T>& matrix, const T* diagonal,
              const Control& control) {
        for (const Node r : here.touched()) {
            if (control.stopped()) return;
            const T amount = here[r];
            if (matrix.val == nullptr && diagonal == nullptr) {
                const V step = static_cast<V>(amount);
                for (const Node c : matrix.row(r)) value_[c] += step;
                continue;
            }
            for (Offset e = matrix.ptr[r]; e < matrix.ptr[r + 1]; ++e) {
                const Node c = matrix.idx[e];
                const T weight = diagonal == nullptr ? T{1} : diagonal[c];
                value_[c] += static_cast<V>(amount * matrix.value(e) * weight);
            }
        }
    }

    void hold(const SparseVector<T>& here) {
        for (const Node r : here.touched()) value_[r] = static_cast<V>(here[r]);
    }

    // Undoes `fill` and `hold`; `reached` is how many entries of the matrix the row goes over.
    void clear(const SparseVector<T>& here, const SparseRows<T>& matrix, std::int64_t reached) {
        if (reached > static_cast<std::int64_t>(value_.size() / 4)) {
            std::fill(value_.begin(), value_.end(), V{0});
            return;
        }
        for (const Node r : here.touched()) {
            value_[r] = V{0};
            for (const Node c : matrix.row(r)) value_[c] = V{0};
        }
    }

    // Row r of a matrix times this, in four sums that do not wait for each other.
    T gathered(const SparseRows<T>& matrix, Node r) const {
        using Sum = std::conditional_t<std::is_same_v<V, T>, T, std::uint64_t>;
        Sum sums[4] = {};
        Offset e = matrix.ptr[r];
        const Offset last = matrix.ptr[r + 1];
        if (matrix.val != nullptr) {
            T total{0};
            for (; e < last; ++e) total += static_cast<T>(value_[matrix.idx[e]]) * matrix.val[e];
            return total;
        }
        for (; e + 4 <= last; e += 4) {
            for (int k = 0; k < 4; ++k) sums[k] += value_[matrix.idx[e + k]];
        }
        for (; e < last; ++e) sums[0] += value_[matrix.idx[e]];
        return static_cast<T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }

  private:
    std::vector<V> value_;
};

// What a place of the last column finds in the row is the same for all columns of that row, so it
// is gathered once. A row that only counts walks, fewer than 2^32, is kept in words of 32 bits:
// twice as many of them are near the processor.
template <class T>
class MeetingRow {
  public:
    static std::int64_t bytes(Node size) {
        return (2 * ChainRow<T>::kVectors + 1) * SparseVector<T>::bytes(size) +
               static_cast<std::int64_t>(sizeof(T) + sizeof(std::uint32_t)) * size;
    }

    // Rows go through the first `front` factors of `term`, columns through those of `back`.
    MeetingRow(Node size, const ChainTerm<T>& term, std::size_t front, const ChainTerm<T>& back,
               const Control& control)
        : term_(term),
          back_(back),
          steps_(front),
          last_step_(term.factors[front == 0 ? 0 : front - 1]),
          plain_(counts_walks(term, front)),
          front_(size, control),
          column_(size, control),
          met_(size),
          wide_(size),
          narrow_(size),
          control_(control) {}

    void start(Node r) {
        met_.clear();
        here_ = &front_.row(term_, r, steps_ == 0 ? 0 : steps_ - 1);
        reached_ = 0;
        double walks = 0.0;
        for (const Node c : here_->touched()) {
            const Offset steps = last_step_.size(c);
            reached_ += steps;
            walks += static_cast<double>((*here_)[c]) * static_cast<double>(steps);
        }
        is_narrow_ = plain_ && walks < kNarrow;
        if (is_narrow_) {
            narrow_.fill(*here_, last_step_, nullptr, control_);
        } else if (steps_ > 0) {
            wide_.fill(*here_, last_step_, term_.diagonals[steps_], control_);
        } else {
            wide_.hold(*here_);
        }
    }

    // The row times the column that begins at u; less of it once the run is to end.
    T meet(Node u) {
        const SparseRows<T>& meeting = back_.factors.back();
        const SparseVector<T>& column = column_.row(back_, u, back_.factors.size() - 1);
        T total{0};
        for (const Node c : column.touched()) {
            if (!met_.has(c)) {
                if (control_.stopped()) break;
                met_.add(c, is_narrow_ ? narrow_.gathered(meeting, c) : wide_.gathered(meeting, c));
            }
            total += met_[c] * column[c];
        }
        return total;
    }

    void finish() {
        if (is_narrow_) {
            narrow_.clear(*here_, last_step_, reached_);
        } else {
            wide_.clear(*here_, last_step_, reached_);
        }
    }

  private:
    static constexpr double kNarrow = 4294967296.0;  // 2^32

    static bool counts_walks(const ChainTerm<T>& term, std::size_t front) {
        bool plain = front > 0 && term.coefficient == T{1} && term.diagonals[0] == nullptr;
        for (std::size_t k = 0; k < front; ++k) {
            plain = plain && term.factors[k].val == nullptr && term.diagonals[k + 1] == nullptr;
        }
        return plain;
    }

    const ChainTerm<T>& term_;
    const ChainTerm<T>& back_;
    std::size_t steps_;  // of the row
    const SparseRows<T>& last_step_;
    bool plain_;
    ChainRow<T> front_, column_;
    SparseVector<T> met_;
    FilledRow<T, T> wide_;
    FilledRow<std::uint32_t, T> narrow_;
    const SparseVector<T>* here_ = nullptr;
    std::int64_t reached_ = 0;
    bool is_narrow_ = false;
    const Control& control_;
};

}  // namespace grape
