// One row of a role matrix while it is being counted: dense values and a list of what was hit.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <type_traits>
#include <vector>

#include "base/graph.hpp"

namespace grape {

template <class Int>
class Accumulator {
  public:
    explicit Accumulator(Node num_nodes)
        : value_(static_cast<std::size_t>(num_nodes), 0),
          touched_(static_cast<std::size_t>(num_nodes) / kDense),
          marks_((static_cast<std::size_t>(num_nodes) + 63) / 64, 0) {}

    static std::int64_t bytes(Node num_nodes) {
        const std::int64_t per_16_nodes = 16 * sizeof(Int) + sizeof(Node) + 2;
        return num_nodes * per_16_nodes / 16;
    }

    void add(Node u, Int weight) {
        Int& value = value_[static_cast<std::size_t>(u)];
        if (value == 0) touch(u);
        // Sums may pass through values that do not fit; only the last one has to.
        value = static_cast<Int>(static_cast<Unsigned>(value) + static_cast<Unsigned>(weight));
    }

    // Adds the same to every node of a list.
    void add_each(std::span<const Node> nodes, Int weight) {
        if (nodes.size() <= touched_.size()) {
            for (Node u : nodes) add(u, weight);
            return;
        }
        scan_ = true;  // long lists are not noted node by node
        for (Node u : nodes) {
            Int& value = value_[static_cast<std::size_t>(u)];
            value = static_cast<Int>(static_cast<Unsigned>(value) + static_cast<Unsigned>(weight));
        }
    }

    // Calls emit(u, value) for every non-zero entry in ascending order and clears the row.
    template <class Emit>
    void drain(Emit&& emit) {
        const auto end = touched_.begin() + static_cast<std::ptrdiff_t>(count_);
        if (scan_) {
            for (std::size_t u = 0; u < value_.size(); ++u) take(static_cast<Node>(u), emit);
        } else {
            if (!std::is_sorted(touched_.begin(), end)) order_touched();
            for (std::size_t k = 0; k < count_; ++k) take(touched_[k], emit);
        }
        count_ = 0;
        scan_ = false;
    }

    // At least the number of non-zero entries.
    std::size_t touched() const { return scan_ ? value_.size() : count_; }

  private:
    static constexpr std::size_t kDense = 16;  // reading the whole row beats sorting a part
    using Unsigned = std::conditional_t<sizeof(Int) == 8, std::uint64_t, unsigned __int128>;

    void touch(Node u) {
        if (count_ < touched_.size())
            touched_[count_++] = u;
        else
            scan_ = true;
    }

    // Sorts the list, through a bitmap of the whole row unless the list is very short.
    void order_touched() {
        const auto end = touched_.begin() + static_cast<std::ptrdiff_t>(count_);
        if (count_ < marks_.size() / 16) {
            std::sort(touched_.begin(), end);
            return;
        }
        for (auto u = touched_.begin(); u != end; ++u)
            marks_[static_cast<std::size_t>(*u) / 64] |= std::uint64_t{1} << (*u % 64);
        count_ = 0;
        for (std::size_t k = 0; k < marks_.size(); ++k) {
            for (std::uint64_t word = marks_[k]; word != 0; word &= word - 1)
                touched_[count_++] = static_cast<Node>(k * 64) + std::countr_zero(word);
            marks_[k] = 0;
        }
    }

    template <class Emit>
    void take(Node u, Emit& emit) {
        Int& value = value_[static_cast<std::size_t>(u)];
        if (value == 0) return;  // cancelled, or met before in the list
        emit(u, value);
        value = 0;
    }

    std::vector<Int> value_;
    std::vector<Node> touched_;
    std::vector<std::uint64_t> marks_;
    std::size_t count_ = 0;
    bool scan_ = false;
};

}  // namespace grape
