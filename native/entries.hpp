// Who listens to whom: the entries of a symmetric sparsity, in rows by listener.
//
// The rivals that weigh single neighbours (GAT, GeniePath, DE-GNN) sum, over the entries (v, u) of
// node v, something that depends on both ends. As the pattern is symmetric, what goes back to u is
// a sum over the entries of u, each of which knows its reverse.
#pragma once

#include "graph.hpp"
#include "lanes.hpp"

namespace grape {

struct Entries {
    Node num_rows = 0;
    const Offset* ptr = nullptr;
    const Node* idx = nullptr;
    const Offset* reverse = nullptr;  // of entry (v, u): where (u, v) is

    Offset count() const { return ptr[num_rows]; }
};

// Runs a kernel over all rows, a strip of columns at a time: kernel.run<Lanes>(row, first column).
template <class Kernel>
struct RowStrips {
    const Kernel& kernel;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        using T = typename Kernel::Number;
        const Node rows = kernel.task.entries.num_rows;
        const Offset columns = kernel.task.columns;
        for (Node v = 0; v < rows; ++v) {
            Offset first = 0;
            for (; first + 32 <= columns; first += 32)
                kernel.template run<Lanes<T, 32, bytes>>(v, first);
            for (; first + 8 <= columns; first += 8)
                kernel.template run<Lanes<T, 8, bytes>>(v, first);
            for (; first < columns; ++first) kernel.template run<Lanes<T, 1, bytes>>(v, first);
        }
    }
};

}  // namespace grape
