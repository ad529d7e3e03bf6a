// Vector registers of a chosen width, and the widest that this processor has.
//
// Sums over a row of features are fast only while they stay in registers. Arrays that the compiler
// may or may not keep there made some of these loops seven times slower; vector types do not.
#pragma once

#include "graph.hpp"

namespace grape {

template <class T, int bytes>
struct Lanes {
    using Type [[gnu::vector_size(bytes)]] = T;
    static constexpr int size = bytes / static_cast<int>(sizeof(T));
};

}  // namespace grape

// Defines rows_of(job, begin, end), which calls run_rows<bytes>(job, begin, end) compiled for the
// widest registers there are. run_rows has to be always inlined.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GRAPE_ROWS_OF(Job)                                                            \
    [[gnu::target("arch=x86-64-v4")]] void rows_512(const Job& job, Node b, Node e) { \
        run_rows<64>(job, b, e);                                                      \
    }                                                                                 \
    [[gnu::target("arch=x86-64-v3")]] void rows_256(const Job& job, Node b, Node e) { \
        run_rows<32>(job, b, e);                                                      \
    }                                                                                 \
    void rows_128(const Job& job, Node b, Node e) { run_rows<16>(job, b, e); }        \
    void rows_of(const Job& job, Node b, Node e) {                                    \
        if (__builtin_cpu_supports("x86-64-v4")) return rows_512(job, b, e);          \
        if (__builtin_cpu_supports("x86-64-v3")) return rows_256(job, b, e);          \
        rows_128(job, b, e);                                                          \
    }
#else
#define GRAPE_ROWS_OF(Job) \
    void rows_of(const Job& job, Node b, Node e) { run_rows<16>(job, b, e); }
#endif
