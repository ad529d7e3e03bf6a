// What the passes over the rows of fused roles share: the roles as rows meet them, and the loop
// over rows and strips of columns.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "nn/fused_roles.hpp"
#include "nn/gather.hpp"

namespace grape {

inline constexpr Node kRows = 64;  // rows handed to a worker at a time
// Starting threads costs more than a smaller pass.
inline constexpr Offset kWorthThreads = Offset{1} << 23;

// A role as the rows meet it: all that does not change from one to the next.
template <class T>
struct Part {
    const T* values;          // of its entries
    const T* scale;           // of the rows
    Offset from = 0;          // where its group's features begin within those of a node
    Offset to = 0;            // where its group begins within a row of out
    bool begins, ends;        // whether it is the first, and the last role of its group
    T ego{};                  // its group's weight of the ego's own features
    T* kept = nullptr;        // where its sums are written, if they are wanted
    const T* more = nullptr;  // what is given besides
    Offset row = 0;           // numbers in a row of either
};

template <class T>
struct Job {
    FusedRoles<T> roles;
    const T* ego;
    const T* scale;
    const T* in;  // features, or the gradient of the output
    T* out;
    const Part<T>* parts = nullptr;
    std::span<const int> unplayed{};  // groups without a role here, to be written all the same

    std::span<const Node> members(Node row) const {
        return {roles.idx + roles.ptr[row],
                static_cast<std::size_t>(roles.ptr[row + 1] - roles.ptr[row])};
    }
};

template <class T>
std::vector<Part<T>> parts_of(const FusedRoles<T>& roles, const T* ego, const T* scale) {
    std::vector<Part<T>> parts;
    for (int r = 0; r < roles.num_roles; ++r) {
        const int g = roles.group[r];
        parts.push_back({.values = roles.values[r],
                         .scale = scale + static_cast<Offset>(roles.role[r]) * roles.num_rows,
                         .from = roles.start(g),
                         .to = g * roles.columns,
                         .begins = r == 0 || roles.group[r - 1] != g,
                         .ends = r + 1 == roles.num_roles || roles.group[r + 1] != g,
                         .ego = ego == nullptr ? T{0} : ego[g]});
    }
    return parts;
}

// to += weight * from
template <class L, class T>
[[gnu::always_inline]] inline void add(T* to, T weight,
                                       const typename L::Vector (&from)[L::count]) {
    typename L::Vector total[L::count];
    L::load(total, to);
    unroll<L::count>([&](auto k) __attribute__((always_inline)) { total[k] += weight * from[k]; });
    L::store(to, total);
}

// Roles summed at a time. Where vectors have 64 bytes there are 32 registers for them: twice as
// many sums fit, and members that lie anywhere in memory are read half as often.
template <int bytes>
constexpr int kTogether = bytes == 64 ? 2 * kBlock<bytes> : kBlock<bytes>;

// Runs kernel.strip<Lanes, block>(row, first column) for the columns of rows [begin, end).
template <class Kernel, class T>
struct Strips {
    const Kernel& shared;
    Node begin;
    Node end;
    Offset columns;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        // A copy, which no vector that is stored can change, as far as the compiler knows.
        const Kernel kernel = shared;
        const Node end = this->end;
        const Offset columns = this->columns;
        for (Node row = begin; row < end; ++row) {
            Offset first = 0;
            for (; first + kStrip<T> <= columns; first += kStrip<T>)
                kernel.template strip<Lanes<T, kStrip<T>, bytes>, kTogether<bytes>>(row, first);
            for (; first + 8 <= columns; first += 8)
                kernel.template strip<Lanes<T, 8, bytes>, kTogether<bytes>>(row, first);
            for (; first < columns; ++first)
                kernel.template strip<Lanes<T, 1, bytes>, kTogether<bytes>>(row, first);
        }
    }
};

template <class T, class Kernel>
void for_rows(const Kernel& kernel, Node n, Offset work, int threads) {
    const Offset columns = kernel.job.roles.columns;
    if (threads <= 1 || work < kWorthThreads) {
        run_with_lanes(Strips<Kernel, T>{kernel, 0, n, columns});
        return;
    }
    Control control(Budget{});
    parallel_for((n + kRows - 1) / kRows, threads, control, Watcher{}, [&](int, std::int64_t item) {
        const auto begin = static_cast<Node>(item * kRows);
        const Node end = std::min<Node>(begin + kRows, n);
        run_with_lanes(Strips<Kernel, T>{kernel, begin, end, columns});
    });
}

}  // namespace grape
