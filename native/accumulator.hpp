// One row of a role matrix while it is being counted: dense values and a list of what was hit.
#pragma once

#include <algorithm>
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

    // Calls emit(u, value) for every non-zero entry in ascending order and clears the row.
    template <class Emit>
    void drain(Emit&& emit) {
        constexpr std::size_t kDense = 16;
        if (touched_.size() > value_.size() / kDense) {
            for (std::size_t u = 0; u < value_.size(); ++u) take(static_cast<Node>(u), emit);
        } else {
            if (!std::is_sorted(touched_.begin(), touched_.end()))
                std::sort(touched_.begin(), touched_.end());
            for (Node u : touched_) take(u, emit);
        }
        touched_.clear();
    }

    std::size_t touched() const { return touched_.size(); }

  private:
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
};

}  // namespace grape
