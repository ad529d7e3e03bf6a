// What the processor can do at best, one thread: `limits <bytes per vector> <rows of the table>`.
//
// Prints floating-point operations per second with all operands in registers, and bytes per second
// when rows of 128 bytes of a table of so many rows are read and added up, in random order
// ("gather") and one after the other ("read"); are added to, in random order ("scatter"); and are
// written one after the other ("write").
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
constexpr int kVisits = 200'000;
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
        for (const Node row : order) {
            typename L::Vector at[L::count];
            L::load(at, table + static_cast<Offset>(row) * kRow);
            unroll<L::count>([&](auto k) __attribute__((always_inline)) { sum[k] += at[k]; });
        }
        for (const auto& vector : sum) result += vector[0];
    }
};

// Adds to the rows, or writes over them.
template <bool adds>
struct Writing {
    float* table;
    const std::vector<Node>& order;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        using L = Lanes<float, kRow, bytes>;
        for (const Node row : order) {
            float* const to = table + static_cast<Offset>(row) * kRow;
            typename L::Vector sum[L::count] = {};
            if constexpr (adds) L::load(sum, to);
            unroll<L::count>([&](auto k) __attribute__((always_inline)) { sum[k] += 1.0f; });
            L::store(to, sum);
        }
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
    std::vector<Node> anywhere(kVisits), in_turn(kVisits);
    for (int visit = 0; visit < kVisits; ++visit) {
        anywhere[visit] = static_cast<Node>(random() % static_cast<unsigned>(rows));
        in_turn[visit] = visit % rows;
    }
    std::vector<float> table(static_cast<std::size_t>(rows) * kRow + 16, 1.0f);
    const auto begin = (reinterpret_cast<std::uintptr_t>(table.data()) + 63) / 64 * 64;
    auto* const first = reinterpret_cast<float*>(begin);
    float result = 0;
    const double adding = quickest(Arithmetic{result});
    const double gather = quickest(Reading{first, anywhere, result});
    const double read = quickest(Reading{first, in_turn, result});
    const double scatter = quickest(Writing<true>{first, anywhere});
    const double write = quickest(Writing<false>{first, in_turn});
    const double moved = kVisits * 4.0 * kRow;
    std::printf(
        "{\"flops\": %g, \"gather\": %g, \"read\": %g, \"scatter\": %g, \"write\": %g, "
        "\"sum\": %g}\n",
        kRounds * 1.0 * kSums * bytes / 4 * 2 / adding, moved / gather, moved / read,
        moved / scatter, moved / write, static_cast<double>(result));
}
