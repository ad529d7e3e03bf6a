#include <numeric>

#include "nn/fused_rows.hpp"

namespace grape {
namespace {

// Roles whose gifts to a member are added up at a time: with vectors of 64 bytes they stay in
// registers, with shorter ones in the nearest cache.
constexpr int kGiven = 8;
// How many entries ahead a member's sums are asked for: they lie anywhere in memory.
constexpr Offset kAhead = 8;

// out[u] += C_r[v, u] scale[r, v] grad[v, group of r], for all roles r and those members u of ego v
// that are in a range, and out[v] += ego[g] grad[v, g]. By egos, because what an ego gives is then
// read once, and all that lies anywhere in memory is one sum of a member, not what each of its egos
// gives in each role.
// How many roles it takes at once is settled before the rows: short ones would feel the asking.
template <class T, int count>
struct Give {
    const Job<T> job;
    const Part<T>* parts;
    Node begin, end;
    bool to_itself;

    template <class L, int>
    [[gnu::always_inline]] inline void strip(Node v, Offset first) const {
        if (to_itself && v >= begin && v < end) keep<L>(v, first);
        if constexpr (count > 0) give<L>(v, first);
    }

    // What an ego gives to itself, summed over the groups if they share the features.
    template <class L>
    [[gnu::always_inline]] inline void keep(Node v, Offset first) const {
        const FusedRoles<T>& roles = job.roles;
        const T* const in =
            job.in + static_cast<Offset>(v) * roles.num_groups * roles.columns + first;
        T* const out = job.out + v * roles.stride() + first;
        typename L::Vector total[L::count] = {};
        for (int g = 0; g < roles.num_groups; ++g) {
            typename L::Vector grad[L::count];
            L::load(grad, in + g * roles.columns);
            unroll<L::count>(
                [&](auto k) __attribute__((always_inline)) { total[k] += job.ego[g] * grad[k]; });
            if (roles.shared && g + 1 < roles.num_groups) continue;
            add<L>(out + roles.start(g), T{1}, total);
            unroll<L::count>(
                [&](auto k) __attribute__((always_inline)) { total[k] = typename L::Vector{}; });
        }
    }

    template <class L>
    [[gnu::always_inline]] inline void give(Node v, Offset first) const {
        const FusedRoles<T>& roles = job.roles;
        typename L::Vector given[count][L::count];
        const T* weight[count];
        const T* const in =
            job.in + static_cast<Offset>(v) * roles.num_groups * roles.columns + first;
        const Offset entry = roles.ptr[v];
        unroll<count>([&](auto b) __attribute__((always_inline)) {
            const Part<T>& part = parts[b];
            const T scale = part.scale[v];
            typename L::Vector grad[L::count];
            L::load(grad, in + part.to);
            unroll<L::count>([&](auto k)
                                 __attribute__((always_inline)) { given[b][k] = grad[k] * scale; });
            if (part.more != nullptr) {
                L::load(grad, part.more + v * part.row + first);
                unroll<L::count>([&](auto k)
                                     __attribute__((always_inline)) { given[b][k] += grad[k]; });
            }
            weight[b] = part.values + entry;
        });
        // Copies: as far as the compiler knows, a sum that is stored may be one of these.
        const std::span<const Node> members = job.members(v);
        T* const out = job.out + parts[0].from + first;
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

// All egos give to the members [begin, end) in the roles from r on, as many as share the features
// up to `most`; says how many these were.
template <class T, int most>
int give_some(const Job<T>& job, int r, Node begin, Node end, bool to_itself) {
    if constexpr (most > 0) {
        const int last = r + most - 1;
        if (last >= job.roles.num_roles || job.parts[last].from != job.parts[r].from)
            return give_some<T, most - 1>(job, r, begin, end, to_itself);
    }
    const Give<T, most> give{job, job.parts + r, begin, end, to_itself};
    run_with_lanes(Strips<Give<T, most>, T>{give, 0, job.roles.num_rows, job.roles.columns});
    return most;
}

template <class T>
void give_all(const Job<T>& job, Node begin, Node end, bool to_itself) {
    int r = 0;
    do r += give_some<T, kGiven>(job, r, begin, end, to_itself && r == 0);
    while (r < job.roles.num_roles);
}

// out[u] = nothing yet, less what u gave to each of its neighbours and got back.
template <class T>
struct Begin {
    const Job<T> job;
    const T* back;

    template <class L, int most>
    [[gnu::always_inline]] inline void strip(Node u, Offset first) const {
        const FusedRoles<T>& roles = job.roles;
        T* const out = job.out + u * roles.stride() + first;
        const typename L::Vector nothing[L::count] = {};
        for (int g = 0; g < (roles.shared ? 1 : roles.num_groups); ++g)
            L::store(out + roles.start(g), nothing);
        if (back == nullptr) return;
        typename L::Vector given[L::count];
        L::load(given, back + u * roles.columns + first);
        add<L>(out, -static_cast<T>(job.members(u).size()), given);
    }
};

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
void fused_backward_features(const FusedRoles<T>& roles, const T* ego, const T* scale,
                             const T* grad, T* grad_h, int threads, Neighbours<const T> neighbours,
                             const T* back) {
    std::vector<Part<T>> parts = parts_of(roles, ego, scale);
    if (neighbours.role >= 0) {
        parts[neighbours.role].more = neighbours.sums;
        parts[neighbours.role].row = roles.columns;
    }
    const Job<T> job{roles, ego, scale, grad, grad_h, parts.data()};
    const bool to_itself = ego != nullptr && std::any_of(ego, ego + roles.num_groups,
                                                         [](T weight) { return weight != T{0}; });
    const Node members = roles.num_columns;
    if (ego != nullptr)
        for_rows<T>(Begin<T>{job, back}, members, members * roles.columns * roles.num_groups,
                    threads);
    const Offset work = roles.num_entries() * roles.columns * roles.num_roles;
    if (threads <= 1 || work < kWorthThreads) {
        give_all(job, 0, members, to_itself);
        return;
    }
    const std::vector<Node> bounds = equal_shares(roles, threads);
    Control control(Budget{});
    parallel_for(threads, threads, control, Watcher{}, [&](int, std::int64_t share) {
        give_all(job, bounds[share], bounds[share + 1], to_itself);
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
    template void fused_backward_features(const FusedRoles<T>&, const T*, const T*, const T*, T*, \
                                          int, Neighbours<const T>, const T*);                    \
    template void fused_backward_weights(const FusedRoles<T>&, const T*, const T*, const T*, T*,  \
                                         T*);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
