// Vectors as wide as the processor has them, chosen when the program runs.
//
// Sums of a few dozen numbers must stay in registers. Compilers often give that up when they
// vectorise plain loops (then every addition waits for memory), so the kernels that train models
// say what they want: a body is written once for any width in bytes, and compiled for each.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

namespace grape {

template <class T, int bytes>
struct LanesOf {
    typedef T type __attribute__((vector_size(bytes)));
};
template <class T>
struct LanesOf<T, sizeof(T)> {
    using type = T;
};

// body(0), ..., body(n - 1), with constants for numbers. An array lives in registers only if no
// variable indexes it when the compiler looks, and a loop it unrolls later comes too late for that.
template <int n, class Body>
[[gnu::always_inline]] inline void unroll(const Body& body) {
    [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
        (body(std::integral_constant<int, k>{}), ...);
    }(std::make_integer_sequence<int, n>{});
}

// `width` numbers as vectors of at most `bytes` bytes each.
template <class T, int width, int bytes>
struct Lanes {
    static constexpr int total = width * static_cast<int>(sizeof(T));
    using Vector = typename LanesOf<T, (total < bytes ? total : bytes)>::type;
    static constexpr int count = total / static_cast<int>(sizeof(Vector));
    static constexpr int step = static_cast<int>(sizeof(Vector) / sizeof(T));

    [[gnu::always_inline]] static inline void load(Vector (&to)[count], const T* from) {
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            std::memcpy(&to[k], from + k * step, sizeof(Vector));
        });
    }
    [[gnu::always_inline]] static inline void store(T* to, const Vector (&from)[count]) {
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            std::memcpy(to + k * step, &from[k], sizeof(Vector));
        });
    }
};

template <int bytes>
using Bytes = std::integral_constant<int, bytes>;

// Bytes of the widest vectors that this processor has and these kernels know: 16, 32 or 64.
int widest_lanes();
// Bytes of the vectors in use: the widest, unless a test or a benchmark asked for narrower ones.
int lanes_in_use();
void use_lanes(int bytes);

// Runs body(Bytes<b>{}) with the vectors in use. The body's operator() has to be
// [[gnu::always_inline]], or it is compiled for the oldest processors only.
#if defined(__x86_64__) && defined(__GNUC__)
template <class Body>
#ifdef __clang__
[[clang::min_vector_width(512)]]  // it would halve the vectors
#endif
[[gnu::target("arch=x86-64-v4")]] void run_64_bytes(const Body& body) {
    body(Bytes<64>{});
}
template <class Body>
[[gnu::target("arch=x86-64-v3")]] void run_32_bytes(const Body& body) {
    body(Bytes<32>{});
}
template <class Body>
void run_with_lanes(const Body& body) {
    switch (lanes_in_use()) {
        case 64:
            return run_64_bytes(body);
        case 32:
            return run_32_bytes(body);
        default:
            body(Bytes<16>{});
    }
}
#else
template <class Body>
void run_with_lanes(const Body& body) {
    body(Bytes<16>{});
}
#endif

}  // namespace grape
