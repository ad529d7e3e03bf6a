// A small generator that gives the same numbers on every machine: splitmix64.
#pragma once

#include <cstdint>

namespace grape {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

    // A whole number below `end`, each as likely as the others, mostly without a division
    // (Lemire 2019).
    std::int64_t below(std::int64_t end) {
        const auto bound = static_cast<std::uint64_t>(end);
        Wide product = static_cast<Wide>(next()) * bound;
        if (static_cast<std::uint64_t>(product) < bound) {
            const std::uint64_t uneven = (0 - bound) % bound;  // numbers that would favour some
            while (static_cast<std::uint64_t>(product) < uneven)
                product = static_cast<Wide>(next()) * bound;
        }
        return static_cast<std::int64_t>(product >> 64);
    }

    bool coin() { return (next() >> 63) != 0; }

  private:
    using Wide = unsigned __int128;

    std::uint64_t state_;
};

}  // namespace grape
