// What the processor can do at best, one thread: `limits <bytes per vector> <rows of the table>`.
//
// Prints floating-point operations per second with all operands in registers, and bytes per second
// when rows of 128 bytes are read in random order from a table of so many rows and added up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "base/graph.hpp"
#include "base/lanes.hpp"

using namespace grape;

namespace {

constexpr int kRow = 32;  // single precision numbers of a row
constexpr int kReads = 200'000;
constexpr int kRounds = 2'000'000;
constexpr int kSums = 12;  // vectors: enough for the latency of a sum, few enough for the registers

struct Arithmetic {
    float& result;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        using L = Lanes<float, kSums * bytes / 4, bytes>;
        const typename L::Vector factor = typename L::Vector{} + 0.5f;
        // Sums that began alike would be computed once for all.
        typename L::Vector sum[L::count];
        unroll<L::count>([&](auto k) __attribute__((always_inline)) {
            sum[k] = typename L::Vector{} + static_cast<float>(k);
        });
        for (int round = 0; round < kRounds; ++round)
            unroll<L::count>(
                [&](auto k) __attribute__((always_inline)) { sum[k] = sum[k] * factor + factor; });
        for (const auto& vector : sum) result += vector[0];
    }
};

struct Reading {
    const float* table;
    const std::vector<Node>& order;
    float& result;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        using L = Lanes<float, kRow, bytes>;
        typename L::Vector sum[L::count] = {};
        const Node* const rows = order.data();
        for (int read = 0; read < kReads; ++read) {
            typename L::Vector at[L::count];
            L::load(at, table + static_cast<Offset>(rows[read]) * kRow);
            unroll<L::count>([&](auto k) __attribute__((always_inline)) { sum[k] += at[k]; });
        }
        for (const auto& vector : sum) result += vector[0];
    }
};

double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Body>
double quickest(const Body& body) {
    double best = 1e9;
    for (int turn = 0; turn < 15; ++turn) {
        const double begin = now();
        run_with_lanes(body);
        best = std::min(best, now() - begin);
    }
    return best;
}

}  // namespace

int main(int, char** argument) {
    const int bytes = std::atoi(argument[1]);
    const Node rows = std::atoi(argument[2]);
    use_lanes(bytes);
    std::mt19937 random(0);
    std::vector<Node> order(kReads);
    for (Node& row : order) row = static_cast<Node>(random() % static_cast<unsigned>(rows));
    std::vector<float> table(static_cast<std::size_t>(rows) * kRow + 16, 1.0f);
    const auto begin = (reinterpret_cast<std::uintptr_t>(table.data()) + 63) / 64 * 64;
    float result = 0;
    const double adding = quickest(Arithmetic{result});
    const double reading = quickest(Reading{reinterpret_cast<const float*>(begin), order, result});
    std::printf("{\"flops\": %g, \"bytes\": %g, \"sum\": %g}\n",
                kRounds * 1.0 * kSums * bytes / 4 * 2 / adding, kReads * 4.0 * kRow / reading,
                static_cast<double>(result));
}
