// The transpose of a sparse pattern, and where each of its entries came from.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "base/sparse_rows.hpp"

namespace grape {

struct TransposedPattern {
    std::vector<Offset> ptr;
    std::vector<Node> idx;
    std::vector<Offset> origin;  // entry of the transpose -> entry of the original
};

// A square pattern with ascending columns; the result has them too. Nothing if it was stopped.
TransposedPattern transpose(const SparseRows<double>& pattern, Control& control,
                            const Watcher& watcher);

}  // namespace grape
