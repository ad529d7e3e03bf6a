// A matrix whose pattern is known only once it is computed, row by row and by many workers.
#pragma once

#include <algorithm>
#include <vector>

#include "base/row_store.hpp"
#include "base/sparse_vector.hpp"

namespace grape {

template <class T>
class FoundRows {
  public:
    FoundRows(Node num_rows, int threads, Control& control) : num_rows_(num_rows) {
        control.add_bytes(assembly_bytes(num_rows) + num_rows);
        for (int worker = 0; worker < std::max(threads, 1); ++worker) stores_.emplace_back(control);
    }

    // Adds what `change` makes of the row's entries other than zero; the row is sorted.
    template <class Change>
    void add(int worker, Node r, const SparseVector<T>& row, Change change) {
        RowStore<T>& store = stores_[worker];
        store.start_row(r, std::ssize(row.touched()));
        for (const Node c : row.touched())
            if (row[c] != T{0}) store.push(c, change(row[c]));
        store.end_row();
    }

    // Nothing if the run was stopped.
    CsrOf<T> join(const Control& control) {
        if (control.stopped()) return {};
        return assemble(num_rows_, stores_, std::vector<std::uint8_t>(num_rows_, 1));
    }

  private:
    Node num_rows_;
    std::vector<RowStore<T>> stores_;
};

}  // namespace grape
