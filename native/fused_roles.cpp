#include "fused_roles.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "gather.hpp"
#include "parallel.hpp"

namespace grape {
namespace {

constexpr Node kRows = 64;  // rows handed to a worker at a time

template <class T>
struct Job {
    FusedRoles<T> roles;
    const T* ego;
    const T* scale;
    const T* in;  // features, or the gradient of the output
    T* sums;
    T* out;

    // The groups to visit: all of them for the egos' sake, else from the first that has a role
    // here to the last.
    int low() const { return ego != nullptr || roles.num_roles == 0 ? 0 : roles.group[0]; }
    int num_groups() const {
        if (ego != nullptr) return roles.num_groups;
        return roles.num_roles == 0 ? 0 : roles.group[roles.num_roles - 1] - roles.group[0] + 1;
    }
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
        from.weight[b] = roles.values + (r + b) * roles.num_entries() + roles.ptr[v];
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
        if (job.sums == nullptr) return;
        L::store(
            job.sums + (static_cast<Offset>(v) * roles.num_roles + r + b) * roles.columns + first,
            sum[b]);
    });
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
    int r = 0;
    for (; r + most <= roles.num_roles; r += most) forward_block<L, most>(job, v, first, r);
    if constexpr (most > 2)
        for (; r + 2 <= roles.num_roles; r += 2) forward_block<L, 2>(job, v, first, r);
    for (; r < roles.num_roles; ++r) forward_block<L, 1>(job, v, first, r);
}

// weight[g, e] of the entries of row u: sum over the roles of g of scale[r, v] C_r[v, u], for the
// groups from `low` on.
template <class T>
[[gnu::always_inline]] inline void weigh(const Job<T>& job, Node u, T* weight) {
    const FusedRoles<T>& roles = job.roles;
    const std::span<const Node> egos = job.members(u);
    const auto count = static_cast<Offset>(egos.size());
    std::fill_n(weight, job.num_groups() * count, T{0});
    for (int r = 0; r < roles.num_roles; ++r) {
        T* __restrict const to = weight + (roles.group[r] - job.low()) * count;
        const T* const value = roles.values + r * roles.num_entries() + roles.ptr[u];
        const T* const scale = job.scale + static_cast<Offset>(roles.role[r]) * roles.num_rows;
        for (Offset e = 0; e < count; ++e) to[e] += scale[egos[e]] * value[e];
    }
}

template <class L, int block, class T>
[[gnu::always_inline]] inline void features_block(const Job<T>& job, Node u, Offset first, int g,
                                                  const T* weight) {
    const FusedRoles<T>& roles = job.roles;
    const std::span<const Node> egos = job.members(u);
    Source<T, block> from{job.in, roles.num_groups * roles.columns, {}, {}};
    for (int b = 0; b < block; ++b) {
        from.start[b] = (g + b) * roles.columns + first;
        from.weight[b] = weight + (g + b - job.low()) * static_cast<Offset>(egos.size());
    }
    typename L::Vector sum[block][L::count];
    gather<L, block, false>(egos, from, sum);
    unroll<block>([&](auto b) __attribute__((always_inline)) {
        if (job.ego != nullptr) {
            typename L::Vector own[L::count];
            L::load(own, job.in + u * from.stride + from.start[b]);
            unroll<L::count>([&](auto k) __attribute__((always_inline)) {
                sum[b][k] += job.ego[g + b] * own[k];
            });
        }
        add<L>(job.out + u * roles.stride() + roles.start(g + b) + first, T{1}, sum[b]);
    });
}

template <class L, int most, class T>
[[gnu::always_inline]] inline void features_strip(const Job<T>& job, Node u, Offset first,
                                                  T* weight) {
    const FusedRoles<T>& roles = job.roles;
    if (first == 0) {
        weigh(job, u, weight);
        if (job.ego != nullptr) std::fill_n(job.out + u * roles.stride(), roles.stride(), T{0});
    }
    const int end = job.low() + job.num_groups();
    int g = job.low();
    for (; g + most <= end; g += most) features_block<L, most>(job, u, first, g, weight);
    for (; g < end; ++g) features_block<L, 1>(job, u, first, g, weight);
}

// Rows [begin, end) of the forward pass, or of the backward pass to the features.
template <bool forward, class T>
struct Rows {
    const Job<T>& job;
    Node begin;
    Node end;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        Offset longest = 0;
        for (Node row = begin; !forward && row < end; ++row)
            longest = std::max(longest, job.roles.ptr[row + 1] - job.roles.ptr[row]);
        std::vector<T> weight(static_cast<std::size_t>(longest * job.num_groups()));
        for (Node row = begin; row < end; ++row) {
            Offset first = 0;
            for (; first + kStrip<T> <= job.roles.columns; first += kStrip<T>)
                strip<kStrip<T>, bytes>(row, first, weight.data());
            for (; first + 8 <= job.roles.columns; first += 8)
                strip<8, bytes>(row, first, weight.data());
            for (; first < job.roles.columns; ++first) strip<1, bytes>(row, first, weight.data());
        }
    }

    template <int width, int bytes>
    [[gnu::always_inline]] inline void strip(Node row, Offset first, T* weight) const {
        using L = Lanes<T, width, bytes>;
        if constexpr (forward) {
            forward_strip<L, kBlock<bytes>>(job, row, first);
        } else {
            features_strip<L, kBlock<bytes>>(job, row, first, weight);
        }
    }
};

template <bool forward, class T>
void for_rows(const Job<T>& job, int threads) {
    const Node n = job.roles.num_rows;
    // Starting threads costs more than a small pass.
    const Offset work = job.roles.num_entries() * job.roles.columns * job.roles.num_roles;
    if (threads <= 1 || work < (Offset{1} << 23)) {
        run_with_lanes(Rows<forward, T>{job, 0, n});
        return;
    }
    Control control(Budget{});
    parallel_for((n + kRows - 1) / kRows, threads, control, Watcher{}, [&](int, std::int64_t item) {
        const auto begin = static_cast<Node>(item * kRows);
        run_with_lanes(Rows<forward, T>{job, begin, std::min<Node>(begin + kRows, n)});
    });
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
                   T* out, int threads) {
    for_rows<true>(Job<T>{roles, ego, scale, h, sums, out}, threads);
}

template <class T>
void fused_backward_features(const FusedRoles<T>& reverse, const T* ego, const T* scale,
                             const T* grad, T* grad_h, int threads) {
    for_rows<false>(Job<T>{reverse, ego, scale, grad, nullptr, grad_h}, threads);
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
    template void fused_forward(const FusedRoles<T>&, const T*, const T*, const T*, T*, T*, int); \
    template void fused_backward_features(const FusedRoles<T>&, const T*, const T*, const T*, T*, \
                                          int);                                                   \
    template void fused_backward_weights(const FusedRoles<T>&, const T*, const T*, const T*, T*,  \
                                         T*);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
