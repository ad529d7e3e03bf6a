// A set of pairs of nodes that may change: open addressing, at most half full.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/graph.hpp"

namespace grape {

class PairSet {
  public:
    // `most`: pairs that it may hold at any time.
    explicit PairSet(std::int64_t most)
        : slots_(std::bit_ceil(static_cast<std::uint64_t>(2 * most + 2)), kFree),
          mask_(slots_.size() - 1) {}

    bool has(Node a, Node b) const { return slots_[place(key(a, b))] != kFree; }

    void insert(Node a, Node b) {
        const std::uint64_t pair = key(a, b);
        slots_[place(pair)] = pair;
    }

    // Moves later pairs up into the gap, so that a search may end at the first free slot.
    void erase(Node a, Node b) {
        std::uint64_t gap = place(key(a, b));
        for (std::uint64_t at = (gap + 1) & mask_; slots_[at] != kFree; at = (at + 1) & mask_) {
            const std::uint64_t wanted = hash(slots_[at]) & mask_;
            if (((at - wanted) & mask_) >= ((at - gap) & mask_)) {
                slots_[gap] = slots_[at];
                gap = at;
            }
        }
        slots_[gap] = kFree;
    }

  private:
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // the pair of two nodes -1

    static std::uint64_t key(Node a, Node b) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
               static_cast<std::uint32_t>(b);
    }

    static std::uint64_t hash(std::uint64_t x) {
        x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15ULL;
        return x ^ (x >> 29);
    }

    // Where a pair is, or the free slot where it would go.
    std::uint64_t place(std::uint64_t pair) const {
        std::uint64_t at = hash(pair) & mask_;
        while (slots_[at] != kFree && slots_[at] != pair) at = (at + 1) & mask_;
        return at;
    }

    std::vector<std::uint64_t> slots_;
    std::uint64_t mask_;
};

}  // namespace grape
