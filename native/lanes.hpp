// Vectors as wide as the processor has them, chosen when the program runs.
//
// Sums of a few dozen numbers must stay in registers. Compilers often give that up when they
// vectorise plain loops (then every addition waits for memory), so the kernels that train models
// say what they want: a body is written once for any width in bytes, and compiled for each.
#pragma once

#include <cstring>
#include <type_traits>

namespace grape {

template <class T, int bytes>
struct LanesOf {
    typedef T type __attribute__((vector_size(bytes)));
};
template <class T>
struct LanesOf<T, sizeof(T)> {
    using type = T;
};

// `width` numbers as vectors of at most `bytes` bytes each.
template <class T, int width, int bytes>
struct Lanes {
    static constexpr int total = width * static_cast<int>(sizeof(T));
    using Vector = typename LanesOf<T, (total < bytes ? total : bytes)>::type;
    static constexpr int count = total / static_cast<int>(sizeof(Vector));
    static constexpr int step = static_cast<int>(sizeof(Vector) / sizeof(T));

    [[gnu::always_inline]] static inline void load(Vector (&to)[count], const T* from) {
        for (int k = 0; k < count; ++k) std::memcpy(&to[k], from + k * step, sizeof(Vector));
    }
    [[gnu::always_inline]] static inline void store(T* to, const Vector (&from)[count]) {
        for (int k = 0; k < count; ++k) std::memcpy(to + k * step, &from[k], sizeof(Vector));
    }
};

template <int bytes>
using Bytes = std::integral_constant<int, bytes>;

// Runs body(Bytes<b>{}) with the widest vectors of this processor. The body's operator() has to
// be [[gnu::always_inline]], or it is compiled for the oldest processors only.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
template <class Body>
[[gnu::target("arch=x86-64-v4")]] void run_64_bytes(const Body& body) {
    body(Bytes<64>{});
}
template <class Body>
[[gnu::target("arch=x86-64-v3")]] void run_32_bytes(const Body& body) {
    body(Bytes<32>{});
}
template <class Body>
void run_with_lanes(const Body& body) {
    if (__builtin_cpu_supports("x86-64-v4")) {
        run_64_bytes(body);
    } else if (__builtin_cpu_supports("x86-64-v3")) {
        run_32_bytes(body);
    } else {
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
