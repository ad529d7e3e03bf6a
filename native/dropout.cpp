#include "dropout.hpp"

#include "lanes.hpp"

namespace grape {
namespace {

constexpr std::int64_t kDraws = 32;  // at a time; each decides about two numbers

// SplitMix64 (Steele, Lea, Flood 2014): the i-th number of the stream of a seed, without state.
template <class Word>
[[gnu::always_inline]] inline void mix(Word& z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
}
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

template <class T>
struct Drop {
    const T* in;
    std::int64_t size;
    std::uint32_t below;
    T scale;
    std::uint64_t seed;
    T* out;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        using L = Lanes<std::uint64_t, kDraws, bytes>;
        std::uint64_t next[kDraws];
        for (std::int64_t k = 0; k < kDraws; ++k)
            next[k] = seed + (static_cast<std::uint64_t>(k) + 1) * kStep;
        typename L::Vector state[L::count];
        L::load(state, next);
        for (std::int64_t begin = 0; begin < size; begin += 2 * kDraws) {
            typename L::Vector drawn[L::count];
            for (int k = 0; k < L::count; ++k) {
                drawn[k] = state[k];
                mix(drawn[k]);
                state[k] += kDraws * kStep;
            }
            std::uint32_t bits[2 * kDraws];
            std::memcpy(bits, drawn, sizeof(bits));
            const T* __restrict const from = in + begin;
            T* __restrict const to = out + begin;
            if (begin + 2 * kDraws <= size) {
                for (std::int64_t k = 0; k < 2 * kDraws; ++k) to[k] = from[k] * factor(bits[k]);
            } else {
                for (std::int64_t k = 0; begin + k < size; ++k) to[k] = from[k] * factor(bits[k]);
            }
        }
    }

    [[gnu::always_inline]] inline T factor(std::uint32_t bits) const {
        return bits < below ? T{0} : scale;
    }
};

}  // namespace

template <class T>
void dropout(const T* in, std::int64_t size, double share, std::uint64_t seed, T* out) {
    const bool all = share >= 1;  // the threshold would not fit into 32 bits
    const auto below = static_cast<std::uint32_t>(all ? 0 : share * 4294967296.0);
    const T scale = all ? T{0} : static_cast<T>(1 / (1 - share));
    run_with_lanes(Drop<T>{in, size, below, scale, seed, out});
}

template void dropout(const float*, std::int64_t, double, std::uint64_t, float*);
template void dropout(const double*, std::int64_t, double, std::uint64_t, double*);

}  // namespace grape
