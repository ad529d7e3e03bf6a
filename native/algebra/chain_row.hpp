// One row at a time of a product of sparse matrices and diagonals.
#pragma once

#include <utility>
#include <vector>

#include "base/sparse_rows.hpp"
#include "base/sparse_vector.hpp"

namespace grape {

// coefficient * diag[0] * factor[0] * diag[1] * ... * factor[k-1] * diag[k]; a null diagonal is
// the identity. With no factor it is a diagonal matrix.
template <class T>
struct ChainTerm {
    T coefficient{1};
    std::vector<SparseRows<T>> factors;
    std::vector<const T*> diagonals;
};

template <class T>
class ChainRow {
  public:
    static constexpr int kVectors = 2;  // that it keeps

    ChainRow(Node size, const Control& control) : here_(size), next_(size), control_(control) {}

    // Row r of the first `count` factors with the diagonals around them; valid until the next
    // call.
    SparseVector<T>& row(const ChainTerm<T>& term, Node r, std::size_t count) {
        here_.clear();
        here_.add(r, term.coefficient);
        here_.scale(term.diagonals[0]);
        for (std::size_t k = 0; k < count; ++k) {
            next_.clear();
            here_.push_through(term.factors[k], next_, control_);
            next_.scale(term.diagonals[k + 1]);
            std::swap(here_, next_);
        }
        return here_;
    }

  private:
    SparseVector<T> here_, next_;
    const Control& control_;
};

}  // namespace grape
