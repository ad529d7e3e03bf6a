// One row of a role matrix while it is being counted: dense values and a list of what was hit.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "graph.hpp"

namespace grape {

template <class Int>
class Accumulator {
  public:
    explicit Accumulator(Node num_nodes) : value_(static_cast<std::size_t>(num_nodes), 0) {}

    void add(Node u, Int weight) {
        Int& value = value_[static_cast<std::size_t>(u)];
        if (value == 0) touched_.push_back(u);
        // Sums may pass through values that do not fit; only the last one has to.
        value = static_cast<Int>(static_cast<Unsigned>(value) + static_cast<Unsigned>(weight));
    }

    // Adds 1 at every node of a list. A long one is not noted node by node: draining then reads the
    // whole row.
    void add_each(std::span<const Node> nodes) {
        if (nodes.size() <= value_.size() / kDense) {
            for (Node u : nodes) add(u, 1);
            return;
        }
        scan_ = true;
        for (Node u : nodes) ++value_[static_cast<std::size_t>(u)];
    }

    // Calls emit(u, value) for every non-zero entry in ascending order and clears the row.
    template <class Emit>
    void drain(Emit&& emit) {
        if (scan_ || touched_.size() > value_.size() / kDense) {
            for (std::size_t u = 0; u < value_.size(); ++u) take(static_cast<Node>(u), emit);
        } else {
            if (!std::is_sorted(touched_.begin(), touched_.end()))
                std::sort(touched_.begin(), touched_.end());
            for (Node u : touched_) take(u, emit);
        }
        touched_.clear();
        scan_ = false;
    }

    // At least the number of non-zero entries.
    std::size_t touched() const { return scan_ ? value_.size() : touched_.size(); }

  private:
    static constexpr std::size_t kDense = 16;  // reading one in so many beats sorting
    using Unsigned = std::conditional_t<sizeof(Int) == 8, std::uint64_t, unsigned __int128>;

    template <class Emit>
    void take(Node u, Emit& emit) {
        Int& value = value_[static_cast<std::size_t>(u)];
        if (value == 0) return;  // cancelled, or met before in the list
        emit(u, value);
        value = 0;
    }

    std::vector<Int> value_;
    std::vector<Node> touched_;
    bool scan_ = false;
};

}  // namespace grape
