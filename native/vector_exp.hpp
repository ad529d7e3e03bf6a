// exp and tanh of vectors, by tanh |x| = (1 - q) / (1 + q) with q = exp(-2 |x|).
//
// Single precision takes exp apart into a power of two and a short series, a dozen multiplications
// for a whole vector; the error is below 2e-7. Double precision, which only tests use, asks the
// standard library. Vectors are passed by reference: by value, their width would be part of the
// calling convention.
#pragma once

#include <cmath>
#include <cstdint>

#include "lanes.hpp"

namespace grape {

// x <- f(x), one number after the other.
template <class L, class T, class Function>
[[gnu::always_inline]] inline void take_each(typename L::Vector& x, const Function& f) {
    T part[L::step];
    std::memcpy(part, &x, sizeof(x));
    for (T& value : part) value = f(value);
    std::memcpy(&x, part, sizeof(x));
}

template <class Vector, class Bits>
[[gnu::always_inline]] inline void exp_in_single(Vector& x) {
    constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves an integer in the bits
    x = x < -87.0f ? Vector{} - 87.0f : x;
    const Vector rounded = x * 1.44269504f + kRound;  // 1 / ln 2
    const Vector whole = rounded - kRound;
    const Vector rest = (x - whole * 0.693145752f) - whole * 1.42860677e-6f;  // ln 2 in two parts
    Vector series = rest * (1.0f / 5040) + 1.0f / 720;
    series = series * rest + 1.0f / 120;
    series = series * rest + 1.0f / 24;
    series = series * rest + 1.0f / 6;
    series = series * rest + 0.5f;
    series = series * rest + 1.0f;
    series = series * rest + 1.0f;
    Bits power;
    std::memcpy(&power, &rounded, sizeof(power));
    power = (power + (127 - 0x4B400000)) << 23;
    Vector scale;
    std::memcpy(&scale, &power, sizeof(scale));
    x = series * scale;
}

// x <- exp x, for numbers that are not positive.
template <class L, class T>
[[gnu::always_inline]] inline void take_exp(typename L::Vector& x) {
    if constexpr (sizeof(T) == sizeof(float)) {
        using Bits = typename LanesOf<std::int32_t, static_cast<int>(sizeof(x))>::type;
        exp_in_single<typename L::Vector, Bits>(x);
    } else {
        take_each<L, T>(x, [](T value) { return std::exp(value); });
    }
}

// x <- tanh x
template <class L, class T>
[[gnu::always_inline]] inline void take_tanh(typename L::Vector& x) {
    using Vector = typename L::Vector;
    if constexpr (sizeof(T) == sizeof(float)) {
        Vector q = x < 0 ? 2.0f * x : -2.0f * x;
        take_exp<L, T>(q);
        const Vector size = (1.0f - q) / (1.0f + q);
        x = x < 0 ? -size : size;
    } else {
        take_each<L, T>(x, [](T value) { return std::tanh(value); });
    }
}

}  // namespace grape
