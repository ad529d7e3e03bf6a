// Role matrices put together row by row, each row by whichever thread had its ego.
#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "graph.hpp"

namespace grape {

struct CsrMatrix {
    std::vector<Offset> ptr;
    std::vector<Node> idx;
    std::vector<std::int64_t> value;
};

// Counts of one ego at a time in dense arrays, one per role; remembers what it touched.
class RowCounter {
  public:
    RowCounter(int num_roles, Node num_nodes);

    // For few additions: remembers the node, so that the row can be read without a full scan.
    void add(int role, Node u, std::int64_t count) {
        auto& sum = dense_[role][u];
        if (sum == 0) touched_[role].push_back(u);
        sum += count;
    }

    // For many additions: the counts themselves, to be read by a full scan.
    std::int64_t* dense(int role) {
        scan_[role] = 1;
        return dense_[role].data();
    }

    // Appends the sorted row of a role and clears it for the next ego.
    void take(int role, std::vector<Node>& idx, std::vector<std::int64_t>& value);

  private:
    std::vector<std::vector<std::int64_t>> dense_;
    std::vector<std::vector<Node>> touched_;
    std::vector<std::uint8_t> scan_;  // by role: 1 if the touched nodes are not known
};

// The rows of all egos, as the workers leave them; `matrix` sets them in order.
class RoleRows {
  public:
    RoleRows(int num_roles, Node num_nodes, int workers);

    // Moves the counter's rows here.
    void store(int worker, Node ego, RowCounter& counter, Control& control);
    CsrMatrix matrix(int role) const;

  private:
    struct Place {
        int worker = -1;
        std::size_t begin = 0, end = 0;
    };
    struct Heap {
        std::vector<Node> idx;
        std::vector<std::int64_t> value;
    };
    Node num_nodes_;
    std::vector<std::vector<Place>> place_;  // [role][ego]
    std::vector<std::vector<Heap>> heap_;    // [role][worker]
};

}  // namespace grape
