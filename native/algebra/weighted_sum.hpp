// Values on a shared pattern: the sum of coefficient * left[row] * value * right[column].
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

template <class T>
struct WeightedPiece {
    T coefficient{1};
    const T* left = nullptr;   // per row, null: ones
    const T* value = nullptr;  // per entry, null: ones
    const T* right = nullptr;  // per column, null: ones
};

// One number per entry of the pattern.
template <class T>
std::vector<T> weighted_sum(const SparseRows<double>& pattern,
                            const std::vector<WeightedPiece<T>>& pieces, int threads,
                            Control& control, const Watcher& watcher);

}  // namespace grape
