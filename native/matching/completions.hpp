// How many ways there are to finish a matched core, without trying them.
//
// Let the tail nodes have the candidate sets C_1..C_m. The number of injective choices is
//   N(T) = sum over partitions of T of the product over blocks B of mu(B) * |C_B|,
// with C_B the intersection of the block's sets and mu(B) = (-1)^(|B|-1) (|B|-1)! (Moebius
// inversion on the partition lattice). Splitting off the block of the lowest tail node gives
//   N(S) = sum over B in S with min(S) in B of mu(B) * |C_B| * N(S \ B),  N(empty) = 1,
// and a graph node c in C_i is chosen for tail node i in exactly
//   sum over B with i in B and c in C_B of mu(B) * N(T \ B)
// of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/template.hpp"

namespace grape {

// Products and sums that remember whether anything went beyond the integer type.
template <class Int>
struct Checked {
    bool overflow = false;

    Int times(Int a, Int b) {
        Int result;
        overflow |= __builtin_mul_overflow(a, b, &result);
        return result;
    }
    Int plus(Int a, Int b) {
        Int result;
        overflow |= __builtin_add_overflow(a, b, &result);
        return result;
    }
};

inline std::int64_t moebius(unsigned block) {
    constexpr std::array<std::int64_t, kMaxTemplateNodes> kSigned{1,  -1,   2,   -6,
                                                                  24, -120, 720, -5040};
    return kSigned[static_cast<std::size_t>(std::popcount(block)) - 1];
}

template <class Int>
class Completions {
  public:
    explicit Completions(int tail_size) : count_(std::size_t{1} << tail_size, 1) {}

    // size[mask]: |C_B| for every non-empty block of tail nodes, core images not counted.
    void update(const std::vector<std::int64_t>& size, Checked<Int>& math) {
        update_within(static_cast<unsigned>(count_.size()) - 1, size, math);
    }

    // The same for the subsets of `tail` only; the others keep what they had.
    void update_within(unsigned tail, const std::vector<std::int64_t>& size, Checked<Int>& math) {
        for (unsigned all = 1; all <= tail; ++all) {
            if ((all & ~tail) != 0) continue;
            const unsigned lowest = all & (~all + 1);
            const unsigned others = all ^ lowest;
            Int sum = 0;
            // Every subset of the others joins the lowest node in one block.
            for (unsigned joined = others;; joined = (joined - 1) & others) {
                const unsigned block = joined | lowest;
                const Int ways = math.times(count_[all ^ block], Int{size[block]});
                sum = math.plus(sum, math.times(ways, Int{moebius(block)}));
                if (joined == 0) break;
            }
            count_[all] = sum;
        }
    }

    // Number of injective choices for the tail nodes in the mask.
    Int of(unsigned mask) const { return count_[mask]; }

  private:
    std::vector<Int> count_;
};

}  // namespace grape
