// Rows of products of sparse matrices and diagonals, one row at a time.
//
// A row vector is pushed through the factors: memory is one dense row per worker, however full
// the product is. Used to form a product that something insists on storing, to look a long
// product up at given places, and to write a whole operator out.
#pragma once

#include <vector>

#include "algebra/chain_row.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"

namespace grape {

// The sum of the terms divided by an integer that divides every entry; zeros are left out.
// Stops with StopReason::memory when the rows outgrow the control's byte budget.
template <class T>
CsrOf<T> combine_rows(Node num_rows, const std::vector<ChainTerm<T>>& terms, std::int64_t divisor,
                      int threads, Control& control, const Watcher& watcher);

// One term looked up at the places of `mask`. A row is pushed through the first `front` factors,
// a column through the others, which are given by their columns, and the two meet: a walk of six
// steps is two of three steps, and a column costs no more than its own end of the walk reaches.
template <class T>
std::vector<T> masked_chain(const SparseRows<double>& mask, const ChainTerm<T>& term,
                            std::size_t front, int threads, Control& control,
                            const Watcher& watcher);

}  // namespace grape
