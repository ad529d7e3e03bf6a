// One row of a role matrix while it is being counted: dense values and a list of what was hit.
#pragma once

#include <algorithm>
#include <vector>

#include "graph.hpp"

namespace grape {

template <class Int>
class Accumulator {
  public:
    explicit Accumulator(Node num_nodes)
        : value_(static_cast<std::size_t>(num_nodes), 0),
          seen_(static_cast<std::size_t>(num_nodes), 0),
          touched_(static_cast<std::size_t>(num_nodes)) {}

    void add(Node u, Int weight) {
        Int& value = value_[static_cast<std::size_t>(u)];
        if (value == 0) touch(u);
        // Sums may pass through values that do not fit; only the last one has to.
        value = static_cast<Int>(static_cast<Unsigned>(value) + static_cast<Unsigned>(weight));
    }

    // Calls emit(u, value) for every non-zero entry in ascending order and clears the row.
    template <class Emit>
    void drain(Emit&& emit) {
        constexpr std::size_t kDense = 16;
        const auto end = touched_.begin() + static_cast<std::ptrdiff_t>(count_);
        if (count_ > value_.size() / kDense) {
            for (std::size_t u = 0; u < value_.size(); ++u) take(static_cast<Node>(u), emit);
        } else {
            if (!std::is_sorted(touched_.begin(), end)) std::sort(touched_.begin(), end);
            for (auto u = touched_.begin(); u != end; ++u) take(*u, emit);
        }
        for (auto u = touched_.begin(); u != end; ++u) seen_[static_cast<std::size_t>(*u)] = 0;
        count_ = 0;
    }

    // An upper bound of the number of entries: some may have cancelled out.
    std::size_t touched() const { return count_; }

  private:
    using Unsigned = std::conditional_t<sizeof(Int) == 8, std::uint64_t, unsigned __int128>;

    void touch(Node u) {
        char& seen = seen_[static_cast<std::size_t>(u)];
        if (seen) return;  // it was here before and cancelled out
        seen = 1;
        touched_[count_++] = u;
    }

    template <class Emit>
    void take(Node u, Emit& emit) {
        Int& value = value_[static_cast<std::size_t>(u)];
        if (value == 0) return;
        emit(u, value);
        value = 0;
    }

    std::vector<Int> value_;
    std::vector<char> seen_;
    std::vector<Node> touched_;
    std::size_t count_ = 0;
};

}  // namespace grape
