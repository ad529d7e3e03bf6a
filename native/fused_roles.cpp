#include "fused_roles.hpp"

#include <algorithm>
#include <vector>

#include "parallel.hpp"

// One body per instruction set, chosen when the library is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GRAPE_WIDE [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define GRAPE_WIDE
#endif

namespace grape {
namespace {

constexpr Node kRows = 64;  // rows handed to a worker at a time
constexpr int kBlock = 4;   // sums taken at a time: enough to keep the adders busy

// Where the members of a row find what is summed: node u at data + u * stride + start.
template <class T>
struct Source {
    const T* data;
    Offset stride;
    Offset start[kBlock];
    const T* weight[kBlock];  // of the row's entries
};

// sum[b] = sum over the entries of weight[b] times the members' columns.
template <int width, int block, class T>
[[gnu::always_inline]] inline void gather(std::span<const Node> members, const Source<T>& from,
                                          T (*__restrict sum)[width]) {
    T local[block][width] = {};
    const auto count = static_cast<Offset>(members.size());
    for (Offset e = 0; e < count; ++e) {
        const T* const node = from.data + members[e] * from.stride;
        for (int b = 0; b < block; ++b) {
            const T weight = from.weight[b][e];
            const T* const columns = node + from.start[b];
            for (int k = 0; k < width; ++k) local[b][k] += weight * columns[k];
        }
    }
    for (int b = 0; b < block; ++b)
        for (int k = 0; k < width; ++k) sum[b][k] = local[b][k];
}

template <class T>
struct Job {
    FusedRoles<T> roles;
    const T* ego;
    const T* scale;
    const T* in;  // features, or the gradient of the output
    T* sums;
    T* out;

    std::span<const Node> members(Node row) const {
        return {roles.idx + roles.ptr[row],
                static_cast<std::size_t>(roles.ptr[row + 1] - roles.ptr[row])};
    }
};

template <int width, int block, class T>
[[gnu::always_inline]] inline void forward_block(const Job<T>& job, Node v, Offset first, int r) {
    const FusedRoles<T>& roles = job.roles;
    Source<T> from{job.in, roles.stride(), {}, {}};
    for (int b = 0; b < block; ++b) {
        from.start[b] = roles.start(roles.group[r + b]) + first;
        from.weight[b] = roles.values + (r + b) * roles.num_entries() + roles.ptr[v];
    }
    T sum[block][width];
    gather<width, block>(job.members(v), from, sum);
    for (int b = 0; b < block; ++b) {
        const T scale = job.scale[static_cast<Offset>(r + b) * roles.num_rows + v];
        T* const out =
            job.out +
            (static_cast<Offset>(v) * roles.num_groups + roles.group[r + b]) * roles.columns +
            first;
        for (int k = 0; k < width; ++k) out[k] += scale * sum[b][k];
        if (job.sums == nullptr) continue;
        T* const kept =
            job.sums + (static_cast<Offset>(v) * roles.num_roles + r + b) * roles.columns + first;
        for (int k = 0; k < width; ++k) kept[k] = sum[b][k];
    }
}

template <int width, class T>
[[gnu::always_inline]] inline void forward_strip(const Job<T>& job, Node v, Offset first, T*) {
    const FusedRoles<T>& roles = job.roles;
    for (int g = 0; g < roles.num_groups; ++g) {
        const T* own = job.in + v * roles.stride() + roles.start(g) + first;
        T* const out =
            job.out + (static_cast<Offset>(v) * roles.num_groups + g) * roles.columns + first;
        for (int k = 0; k < width; ++k) out[k] = job.ego[g] * own[k];
    }
    int r = 0;
    for (; r + kBlock <= roles.num_roles; r += kBlock)
        forward_block<width, kBlock>(job, v, first, r);
    for (; r + 2 <= roles.num_roles; r += 2) forward_block<width, 2>(job, v, first, r);
    for (; r < roles.num_roles; ++r) forward_block<width, 1>(job, v, first, r);
}

// weight[g, e] of the entries of row u: sum over the roles of g of scale[r, v] C_r[v, u].
template <class T>
[[gnu::always_inline]] inline void weigh(const Job<T>& job, Node u, T* weight) {
    const FusedRoles<T>& roles = job.roles;
    const std::span<const Node> egos = job.members(u);
    const auto count = static_cast<Offset>(egos.size());
    std::fill_n(weight, roles.num_groups * count, T{0});
    for (int r = 0; r < roles.num_roles; ++r) {
        T* __restrict const to = weight + roles.group[r] * count;
        const T* const value = roles.values + r * roles.num_entries() + roles.ptr[u];
        const T* const scale = job.scale + static_cast<Offset>(r) * roles.num_rows;
        for (Offset e = 0; e < count; ++e) to[e] += scale[egos[e]] * value[e];
    }
}

template <int width, int block, class T>
[[gnu::always_inline]] inline void features_block(const Job<T>& job, Node u, Offset first, int g,
                                                  const T* weight) {
    const FusedRoles<T>& roles = job.roles;
    const std::span<const Node> egos = job.members(u);
    Source<T> from{job.in, roles.num_groups * roles.columns, {}, {}};
    for (int b = 0; b < block; ++b) {
        from.start[b] = (g + b) * roles.columns + first;
        from.weight[b] = weight + (g + b) * static_cast<Offset>(egos.size());
    }
    T sum[block][width];
    gather<width, block>(egos, from, sum);
    for (int b = 0; b < block; ++b) {
        const T* own = job.in + u * from.stride + from.start[b];
        T* const out = job.out + u * roles.stride() + roles.start(g + b) + first;
        for (int k = 0; k < width; ++k) out[k] += sum[b][k] + job.ego[g + b] * own[k];
    }
}

template <int width, class T>
[[gnu::always_inline]] inline void features_strip(const Job<T>& job, Node u, Offset first,
                                                  T* weight) {
    const FusedRoles<T>& roles = job.roles;
    if (first == 0) {
        weigh(job, u, weight);
        std::fill_n(job.out + u * roles.stride(), roles.stride(), T{0});
    }
    int g = 0;
    for (; g + kBlock <= roles.num_groups; g += kBlock)
        features_block<width, kBlock>(job, u, first, g, weight);
    for (; g < roles.num_groups; ++g) features_block<width, 1>(job, u, first, g, weight);
}

template <bool forward, int width, class T>
[[gnu::always_inline]] inline void strip(const Job<T>& job, Node row, Offset first, T* weight) {
    if constexpr (forward) {
        forward_strip<width>(job, row, first, weight);
    } else {
        features_strip<width>(job, row, first, weight);
    }
}

template <bool forward, class T>
[[gnu::always_inline]] inline void run_rows(const Job<T>& job, Node begin, Node end) {
    Offset longest = 0;
    for (Node row = begin; !forward && row < end; ++row)
        longest = std::max(longest, job.roles.ptr[row + 1] - job.roles.ptr[row]);
    std::vector<T> weight(static_cast<std::size_t>(longest * job.roles.num_groups));
    for (Node row = begin; row < end; ++row) {
        Offset first = 0;
        for (; first + 32 <= job.roles.columns; first += 32)
            strip<forward, 32>(job, row, first, weight.data());
        for (; first + 8 <= job.roles.columns; first += 8)
            strip<forward, 8>(job, row, first, weight.data());
        for (; first < job.roles.columns; ++first)
            strip<forward, 1>(job, row, first, weight.data());
    }
}

// Templates cannot be cloned per instruction set, so every one is spelled out.
GRAPE_WIDE void forward_rows(const Job<float>& job, Node begin, Node end) {
    run_rows<true>(job, begin, end);
}
GRAPE_WIDE void forward_rows(const Job<double>& job, Node begin, Node end) {
    run_rows<true>(job, begin, end);
}
GRAPE_WIDE void features_rows(const Job<float>& job, Node begin, Node end) {
    run_rows<false>(job, begin, end);
}
GRAPE_WIDE void features_rows(const Job<double>& job, Node begin, Node end) {
    run_rows<false>(job, begin, end);
}

template <class T, class Rows>
void for_rows(const Job<T>& job, int threads, const Rows& rows) {
    const Node n = job.roles.num_rows;
    // Starting threads costs more than a small pass.
    const Offset work = job.roles.num_entries() * job.roles.columns * job.roles.num_roles;
    if (threads <= 1 || work < (Offset{1} << 23)) {
        rows(job, Node{0}, n);
        return;
    }
    Control control(Budget{});
    parallel_for((n + kRows - 1) / kRows, threads, control, Watcher{}, [&](int, std::int64_t item) {
        const auto begin = static_cast<Node>(item * kRows);
        rows(job, begin, std::min<Node>(begin + kRows, n));
    });
}

template <class T>
T dot(const T* a, const T* b, Offset size) {
    T sum{0};
    for (Offset k = 0; k < size; ++k) sum += a[k] * b[k];
    return sum;
}

}  // namespace

template <class T>
void fused_forward(const FusedRoles<T>& roles, const T* ego, const T* scale, const T* h, T* sums,
                   T* out, int threads) {
    const Job<T> job{roles, ego, scale, h, sums, out};
    for_rows(job, threads, [](const Job<T>& j, Node b, Node e) { forward_rows(j, b, e); });
}

template <class T>
void fused_backward_features(const FusedRoles<T>& reverse, const T* ego, const T* scale,
                             const T* grad, T* grad_h, int threads) {
    const Job<T> job{reverse, ego, scale, grad, nullptr, grad_h};
    for_rows(job, threads, [](const Job<T>& j, Node b, Node e) { features_rows(j, b, e); });
}

template <class T>
void fused_backward_weights(const FusedRoles<T>& roles, const T* h, const T* sums, const T* grad,
                            T* grad_ego, T* grad_scale) {
    std::fill_n(grad_ego, roles.num_groups, T{0});
    for (Offset v = 0; v < roles.num_rows; ++v) {
        const T* const mine = grad + v * roles.num_groups * roles.columns;
        for (int g = 0; g < roles.num_groups; ++g)
            grad_ego[g] += dot(mine + g * roles.columns, h + v * roles.stride() + roles.start(g),
                               roles.columns);
        for (int r = 0; r < roles.num_roles; ++r)
            grad_scale[r * static_cast<Offset>(roles.num_rows) + v] =
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
