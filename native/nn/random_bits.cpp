#include "nn/random_bits.hpp"

#include <algorithm>

#include "base/lanes.hpp"

namespace grape {
namespace {

constexpr int kWords = Twister::kWords, kMiddle = 397;

[[gnu::always_inline]] inline std::uint32_t twisted(std::uint32_t a, std::uint32_t b) {
    return (((a & 0x80000000u) | (b & 0x7fffffffu)) >> 1) ^ (-(b & 1u) & 0x9908b0dfu);
}

[[gnu::always_inline]] inline std::uint32_t tempered(std::uint32_t y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

struct Draw {
    Twister& twister;
    double share;
    std::uint8_t* kept;
    std::int64_t count;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        std::uint32_t* const w = twister.words;
        std::uint32_t out[kWords];
        int next = twister.next;
        for (int k = 0; k < kWords; ++k) out[k] = tempered(w[k]);
        const auto refill = [&]() __attribute__((always_inline)) {
            // Loops whose turns do not need each other's results.
            for (int k = 0; k < kWords - kMiddle; ++k) w[k] = w[k + kMiddle] ^ twisted(w[k], w[k + 1]);
            for (int k = kWords - kMiddle; k < kWords - 1; ++k)
                w[k] = w[k + kMiddle - kWords] ^ twisted(w[k], w[k + 1]);
            w[kWords - 1] = w[kMiddle - 1] ^ twisted(w[kWords - 1], w[0]);
            for (int k = 0; k < kWords; ++k) out[k] = tempered(w[k]);
            next = 0;
        };
        // A fraction k / 2^53 is below the share if k is below this.
        const double bound = share * 9007199254740992.0;
        std::int64_t done = 0;
        while (done < count) {
            if (next == kWords) refill();
            if (next == kWords - 1) {  // the halves are of two fillings
                const std::uint64_t high = out[next];
                refill();
                kept[done++] = fraction(high, out[next++]) < bound;
                continue;
            }
            const std::int64_t pairs = std::min<std::int64_t>((kWords - next) / 2, count - done);
            for (std::int64_t k = 0; k < pairs; ++k)
                kept[done + k] = fraction(out[next + 2 * k], out[next + 2 * k + 1]) < bound;
            done += pairs;
            next += static_cast<int>(2 * pairs);
        }
        twister.next = next;
    }

    [[gnu::always_inline]] static inline double fraction(std::uint64_t high, std::uint64_t low) {
        return static_cast<double>(static_cast<std::int64_t>(((high << 32) | low) &
                                                             ((std::uint64_t{1} << 53) - 1)));
    }
};

}  // namespace

void draw_kept(Twister& twister, double share, std::uint8_t* kept, std::int64_t count) {
    run_with_lanes(Draw{twister, share, kept, count});
}

}  // namespace grape
