#include "base/lanes.hpp"

#include <algorithm>
#include <atomic>

namespace grape {
namespace {

std::atomic<int> chosen{64};

#if !defined(__x86_64__) || !defined(__GNUC__)
bool has_32_bytes() { return false; }
bool has_64_bytes() { return false; }
#elif defined(__clang__)
// Most versions of clang cannot be asked for a level, and not for all of its features either.
bool has_32_bytes() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
bool has_64_bytes() {
    return has_32_bytes() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
bool has_32_bytes() { return __builtin_cpu_supports("x86-64-v3"); }
bool has_64_bytes() { return __builtin_cpu_supports("x86-64-v4"); }
#endif

}  // namespace

int widest_lanes() {
    static const int widest = has_64_bytes() ? 64 : has_32_bytes() ? 32 : 16;
    return widest;
}

int lanes_in_use() { return std::min(widest_lanes(), chosen.load(std::memory_order_relaxed)); }

void use_lanes(int bytes) { chosen.store(bytes, std::memory_order_relaxed); }

}  // namespace grape
