// Role counts of node pairs met in any order, as ESU meets them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/account.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"

namespace grape {

// For a pair (a, b) two counters per role: b seen from ego a, and a seen from ego b. So a caller
// that fixes a and runs over many b writes both directions into one row of memory. All pairs in
// one array if that is allowed, else a hash table of the pairs met.
class PairCounts {
  public:
    PairCounts(Node num_nodes, int num_roles, bool dense, Control& control);

    static std::int64_t dense_bytes(Node num_nodes, int num_roles) {
        return std::int64_t{16} * num_roles * num_nodes * num_nodes;
    }

    int stride() const { return 2 * num_roles_; }
    bool dense() const { return dense_; }

    // Counters of (a, 0), (a, 1), ... one after the other; dense only.
    std::int64_t* row(Node a) {
        return counters_.data() + static_cast<std::int64_t>(a) * num_nodes_ * stride();
    }

    // [role]: b seen from ego a; [num_roles + role]: a seen from ego b. Valid until the next call.
    std::int64_t* at(Node a, Node b) {
        if (dense_) return row(a) + static_cast<std::int64_t>(b) * stride();
        return hashed(key(a, b));
    }

    // Both may take long and therefore ask; they throw std::bad_alloc beyond the memory budget.
    void merge(const PairCounts& other, Lookout& lookout);
    std::vector<Csr> matrices(Lookout& lookout);  // nothing if it was stopped

  private:
    std::uint64_t key(Node a, Node b) const {
        return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(num_nodes_) +
               static_cast<std::uint64_t>(b);
    }
    std::int64_t* hashed(std::uint64_t key);
    std::size_t find_slot(std::uint64_t key) const;
    const std::int64_t* peek(Node a, Node b) const;
    void grow();
    GrowingArray<std::uint64_t> sorted_pairs(Lookout& lookout);
    template <class Visit>
    void for_each_pair(const GrowingArray<std::uint64_t>& pairs, Lookout& lookout,
                       const Visit& visit) const;

    Node num_nodes_;
    int num_roles_;
    bool dense_;
    Account account_;
    GrowingArray<std::int64_t> counters_;  // dense: all pairs; else entry after entry
    GrowingArray<std::uint64_t> keys_;     // of the entries
    GrowingArray<std::uint32_t> slots_;    // entry + 1, or 0
};

}  // namespace grape
