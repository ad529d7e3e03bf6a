#include "nn/fused_roles.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "nn/gather.hpp"

namespace grape {
namespace {

constexpr Node kRows = 64;  // rows handed to a worker at a time
// Starting threads costs more than a smaller pass.
constexpr Offset kWorthThreads = Offset{1} << 23;

template <class T>
struct Job {
    FusedRoles<T> roles;
    const T* ego;
    const T* scale;
    const T* in;  // features, or the gradient of the output
    T* sums;
    T* out;
    Neighbours<T> neighbours{};

    std::span<const Node> members(Node row) const {
        return {roles.idx + roles.ptr[row],
                static_cast<std::size_t>(roles.ptr[row + 1] - roles.ptr[row])};
    }
};

// to += weight * from
template <class L, class T>
[[gnu::always_inline]] inline void add(T* to, T weight,
                                       const typename L::Vector (&from)[L::count]) {
    typename L::Vector total[L::count];
    L::load(total, to);
    unroll<L::count>([&](auto k) __attribute__((always_inline)) { total[k] += weight * from[k]; });
    L::store(to, total);
}

template <class L, int block, class T>
[[gnu::always_inline]] inline void forward_block(const Job<T>& job, Node v, Offset first, int r) {
    const FusedRoles<T>& roles = job.roles;
    Source<T, block> from{job.in, roles.stride(), {}, {}};
    for (int b = 0; b < block; ++b) {
        from.start[b] = roles.start(roles.group[r + b]) + first;
        from.weight[b] = roles.values[r + b] + roles.ptr[v];
    }
    typename L::Vector sum[block][L::count];
    if (roles.shared) {
        gather<L, block, true>(job.members(v), from, sum);
    } else {
        gather<L, block, false>(job.members(v), from, sum);
    }
    unroll<block>([&](auto b) __attribute__((always_inline)) {
        const T scale = job.scale[static_cast<Offset>(roles.role[r + b]) * roles.num_rows + v];
        add<L>(
            job.out +
                (static_cast<Offset>(v) * roles.num_groups + roles.group[r + b]) * roles.columns +
                first,
            scale, sum[b]);
        if (r + b == job.neighbours.role)
            L::store(job.neighbours.sums + v * roles.columns + first, sum[b]);
        if (job.sums == nullptr) return;
        L::store(
            job.sums + (static_cast<Offset>(v) * roles.num_roles + r + b) * roles.columns + first,
            sum[b]);
    });
}

// Takes the next roles, as many as there are up to `most`, and says how many these were.
template <class L, int most, class T>
[[gnu::always_inline]] inline int forward_some(const Job<T>& job, Node v, Offset first, int r) {
    if constexpr (most > 1)
        if (job.roles.num_roles - r < most) return forward_some<L, most - 1>(job, v, first, r);
    forward_block<L, most>(job, v, first, r);
    return most;
}

template <class L, int most, class T>
[[gnu::always_inline]] inline void forward_strip(const Job<T>& job, Node v, Offset first) {
    const FusedRoles<T>& roles = job.roles;
    for (int g = 0; job.ego != nullptr && g < roles.num_groups; ++g) {
        typename L::Vector own[L::count];
        L::load(own, job.in + v * roles.stride() + roles.start(g) + first);
        unroll<L::count>([&](auto k) __attribute__((always_inline)) { own[k] *= job.ego[g]; });
        L::store(job.out + (static_cast<Offset>(v) * roles.num_groups + g) * roles.columns + first,
                 own);
    }
    for (int r = 0; r < roles.num_roles;) r += forward_some<L, most>(job, v, first, r);
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

template <class T>
struct Forward {
    const Job<T> job;

    template <class L, int most>
    [[gnu::always_inline]] inline void strip(Node v, Offset first) const {
        forward_strip<L, most>(job, v, first);
    }
};

template <class T>
struct Onward {
    const Job<T> job;
    int group;

    template <class L, int most>
    [[gnu::always_inline]] inline void strip(Node v, Offset first) const {
        const FusedRoles<T>& roles = job.roles;
        typename L::Vector less[L::count] = {};
        if (job.ego != nullptr) L::load(less, job.ego + v * roles.columns + first);
        typename L::Vector total[L::count] = {};
        for (const Node u : job.members(v)) {
            typename L::Vector from[L::count];
            L::load(from, job.in + u * roles.columns + first);
            // One by one: the sum over u's neighbours holds what is taken off, often little else.
            unroll<L::count>([&](auto k)
                                 __attribute__((always_inline)) { total[k] += from[k] - less[k]; });
        }
        const T scale = job.scale == nullptr ? T{1} : job.scale[v];
        add<L>(
            job.out + (static_cast<Offset>(v) * roles.num_groups + group) * roles.columns + first,
            scale, total);
    }
};

// Roles whose gifts to a member are added up at a time: with vectors of 64 bytes they stay in
// registers, with shorter ones in the nearest cache.
constexpr int kGiven = 8;
// How many entries ahead a member's sums are asked for: they lie anywhere in memory.
constexpr Offset kAhead = 8;

// out[u] += C_r[v, u] scale[r, v] grad[v, group of r], for all roles r and those members u of ego v
// that are in a range. By egos, because what an ego gives is then read once, and all that lies
// anywhere in memory is one sum of a member, not what each of its egos gives in each role.
template <class T>
struct Give {
    const Job<T> job;
    Node begin, end;
    Neighbours<const T> more;

    template <class L, int most>
    [[gnu::always_inline]] inline void strip(Node v, Offset first) const {
        for (int r = 0; r < job.roles.num_roles;) r += give_some<L, kGiven>(v, first, r);
    }

    // Gives in the next roles, as many as there are up to `most`, and says how many these were.
    template <class L, int most>
    [[gnu::always_inline]] inline int give_some(Node v, Offset first, int r) const {
        const FusedRoles<T>& roles = job.roles;
        if constexpr (most > 1) {
            // Roles of one group lie side by side.
            const int last = r + most - 1;
            if (last >= roles.num_roles || !(roles.shared || roles.group[last] == roles.group[r]))
                return give_some<L, most - 1>(v, first, r);
        }
        give<L, most>(v, first, r);
        return most;
    }

    template <class L, int count>
    [[gnu::always_inline]] inline void give(Node v, Offset first, int r) const {
        const FusedRoles<T>& roles = job.roles;
        typename L::Vector given[count][L::count];
        const T* weight[count];
        unroll<count>([&](auto b) __attribute__((always_inline)) {
            const T scale = job.scale[static_cast<Offset>(roles.role[r + b]) * roles.num_rows + v];
            typename L::Vector grad[L::count];
            L::load(grad, job.in +
                              (static_cast<Offset>(v) * roles.num_groups + roles.group[r + b]) *
                                  roles.columns +
                              first);
            unroll<L::count>([&](auto k)
                                 __attribute__((always_inline)) { given[b][k] = grad[k] * scale; });
            if (r + b == more.role) {
                L::load(grad, more.sums + v * roles.columns + first);
                unroll<L::count>([&](auto k)
                                     __attribute__((always_inline)) { given[b][k] += grad[k]; });
            }
            weight[b] = roles.values[r + b] + roles.ptr[v];
        });
        // Copies: as far as the compiler knows, a sum that is stored may be one of these.
        const std::span<const Node> members = job.members(v);
        T* const out = job.out + roles.start(roles.group[r]) + first;
        const Offset stride = roles.stride();
        const Node low = begin, high = end;
        const auto size = static_cast<Offset>(members.size());
        for (Offset e = 0; e < size; ++e) {
            const Node u = members[e];
            if (e + kAhead < size) __builtin_prefetch(out + members[e + kAhead] * stride, 1);
            if (u < low || u >= high) continue;
            T* const to = out + u * stride;
            typename L::Vector sum[L::count];
            L::load(sum, to);
            unroll<count>([&](auto b) __attribute__((always_inline)) {
                unroll<L::count>([&](auto k) __attribute__((always_inline)) {
                    sum[k] += weight[b][e] * given[b][k];
                });
            });
            L::store(to, sum);
        }
    }
};

// out[u] = what u gives to itself, summed over the groups if they share the features, less what it
// gave to each of its neighbours and got back.
template <class T>
struct TakeOwn {
    const Job<T> job;
    const T* back;

    template <class L, int most>
    [[gnu::always_inline]] inline void strip(Node u, Offset first) const {
        const FusedRoles<T>& roles = job.roles;
        const bool is_ego = u < roles.num_rows;
        for (int g = 0; g < roles.num_groups; ++g) {
            T* const to = job.out + u * roles.stride() + roles.start(g) + first;
            typename L::Vector own[L::count] = {};
            if (is_ego && job.ego[g] != T{0})  // means have none: nothing to read
                L::load(own, job.in +
                                 (static_cast<Offset>(u) * roles.num_groups + g) * roles.columns +
                                 first);
            typename L::Vector total[L::count] = {};
            if (roles.shared && g > 0) L::load(total, to);
            unroll<L::count>(
                [&](auto k) __attribute__((always_inline)) { total[k] += job.ego[g] * own[k]; });
            L::store(to, total);
        }
        if (back == nullptr) return;
        typename L::Vector given[L::count];
        L::load(given, back + u * roles.columns + first);
        add<L>(job.out + u * roles.columns + first, -static_cast<T>(job.members(u).size()), given);
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

// Divides the members among workers, by entries: share i has those from bounds[i] to bounds[i + 1].
template <class T>
std::vector<Node> equal_shares(const FusedRoles<T>& roles, int shares) {
    std::vector<Offset> entries(static_cast<std::size_t>(roles.num_columns) + 1, 0);
    for (const Node u : std::span(roles.idx, static_cast<std::size_t>(roles.num_entries())))
        ++entries[static_cast<std::size_t>(u) + 1];
    std::partial_sum(entries.begin(), entries.end(), entries.begin());
    std::vector<Node> bounds;
    for (int share = 0; share < shares; ++share) {
        const auto at =
            std::lower_bound(entries.begin(), entries.end(), roles.num_entries() * share / shares);
        bounds.push_back(static_cast<Node>(at - entries.begin()));
    }
    bounds.front() = 0;
    bounds.push_back(roles.num_columns);
    return bounds;
}

// The sum of products, taken in eight interleaved parts: one would wait for every addition.
template <class T>
T dot(const T* a, const T* b, Offset size) {
    constexpr int kParts = 8;
    T part[kParts] = {};
    Offset k = 0;
    for (; k + kParts <= size; k += kParts)
        for (int p = 0; p < kParts; ++p) part[p] += a[k + p] * b[k + p];
    for (int p = 0; k < size; ++k, ++p) part[p] += a[k] * b[k];
    T sum{0};
    for (int p = 0; p < kParts; ++p) sum += part[p];
    return sum;
}

}  // namespace

template <class T>
void fused_forward(const FusedRoles<T>& roles, const T* ego, const T* scale, const T* h, T* sums,
                   T* out, int threads, Neighbours<T> neighbours) {
    const Job<T> job{roles, ego, scale, h, sums, out, neighbours};
    const Offset work = roles.num_entries() * roles.columns * roles.num_roles;
    for_rows<T>(Forward<T>{job}, roles.num_rows, work, threads);
}

template <class T>
void step_onward(const FusedRoles<T>& roles, const T* from, const T* less, const T* scale, T* out,
                 int group, int threads) {
    const Job<T> job{roles, less, scale, from, nullptr, out};
    const Offset work = roles.num_entries() * roles.columns;
    for_rows<T>(Onward<T>{job, group}, roles.num_rows, work, threads);
}

template <class T>
void fused_backward_features(const FusedRoles<T>& roles, const T* ego, const T* scale,
                             const T* grad, T* grad_h, int threads, Neighbours<const T> neighbours,
                             const T* back) {
    const Job<T> job{roles, ego, scale, grad, nullptr, grad_h};
    const Node members = roles.num_columns, egos = roles.num_rows;
    if (ego != nullptr)
        for_rows<T>(TakeOwn<T>{job, back}, members, members * roles.columns * roles.num_groups,
                    threads);
    const Offset work = roles.num_entries() * roles.columns * roles.num_roles;
    if (threads <= 1 || work < kWorthThreads) {
        run_with_lanes(
            Strips<Give<T>, T>{Give<T>{job, 0, members, neighbours}, 0, egos, roles.columns});
        return;
    }
    const std::vector<Node> bounds = equal_shares(roles, threads);
    Control control(Budget{});
    parallel_for(threads, threads, control, Watcher{}, [&](int, std::int64_t share) {
        const Give<T> give{job, bounds[share], bounds[share + 1], neighbours};
        run_with_lanes(Strips<Give<T>, T>{give, 0, egos, roles.columns});
    });
}

template <class T>
void fused_backward_weights(const FusedRoles<T>& roles, const T* h, const T* sums, const T* grad,
                            T* grad_ego, T* grad_scale) {
    if (grad_ego != nullptr) std::fill_n(grad_ego, roles.num_groups, T{0});
    for (Offset v = 0; v < roles.num_rows; ++v) {
        const T* const mine = grad + v * roles.num_groups * roles.columns;
        for (int g = 0; grad_ego != nullptr && g < roles.num_groups; ++g)
            grad_ego[g] += dot(mine + g * roles.columns, h + v * roles.stride() + roles.start(g),
                               roles.columns);
        for (int r = 0; r < roles.num_roles; ++r)
            grad_scale[roles.role[r] * static_cast<Offset>(roles.num_rows) + v] =
                dot(mine + roles.group[r] * roles.columns,
                    sums + (v * roles.num_roles + r) * roles.columns, roles.columns);
    }
}

#define GRAPE_INSTANTIATE(T)                                                                      \
    template void fused_forward(const FusedRoles<T>&, const T*, const T*, const T*, T*, T*, int,  \
                                Neighbours<T>);                                                   \
    template void step_onward(const FusedRoles<T>&, const T*, const T*, const T*, T*, int, int);  \
    template void fused_backward_features(const FusedRoles<T>&, const T*, const T*, const T*, T*, \
                                          int, Neighbours<const T>, const T*);                    \
    template void fused_backward_weights(const FusedRoles<T>&, const T*, const T*, const T*, T*,  \
                                         T*);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
