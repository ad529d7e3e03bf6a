#include "nn/fused_rows.hpp"

namespace grape {
namespace {

template <class T>
std::vector<int> unplayed_groups(const FusedRoles<T>& roles) {
    std::vector<int> found;
    for (int g = 0; g < roles.num_groups; ++g)
        if (!std::binary_search(roles.group, roles.group + roles.num_roles, g)) found.push_back(g);
    return found;
}

// own = weight * from. Means give no weight to the ego, and nothing is read.
template <class L, class T>
[[gnu::always_inline]] inline void weigh(typename L::Vector (&own)[L::count], T weight,
                                         const T* from) {
    if (weight == T{0}) {
        unroll<L::count>([&](auto k)
                             __attribute__((always_inline)) { own[k] = typename L::Vector{}; });
        return;
    }
    L::load(own, from);
    unroll<L::count>([&](auto k) __attribute__((always_inline)) { own[k] *= weight; });
}

// Takes `block` roles. Those of one group lie side by side: it is written once for all of them.
template <class L, int block, class T>
[[gnu::always_inline]] inline void forward_block(const Job<T>& job, Node v, Offset first,
                                                 const Part<T>* parts) {
    const FusedRoles<T>& roles = job.roles;
    const T* const in = job.in + first;
    Source<T, block> from{in, roles.stride(), {}, {}};
    const Offset entry = roles.ptr[v];
    unroll<block>([&](auto b) __attribute__((always_inline)) {
        from.start[b] = parts[b].from;
        from.weight[b] = parts[b].values + entry;
    });
    typename L::Vector sum[block][L::count];
    if (roles.shared) {
        gather<L, block, true>(job.members(v), from, sum);
    } else {
        gather<L, block, false>(job.members(v), from, sum);
    }
    T* const out = job.out + static_cast<Offset>(v) * roles.num_groups * roles.columns + first;
    typename L::Vector total[L::count];
    unroll<block>([&](auto b) __attribute__((always_inline)) {
        const Part<T>& part = parts[b];
        if (part.begins && job.ego != nullptr) {
            weigh<L>(total, part.ego, in + v * roles.stride() + part.from);
        } else if (part.begins || b == 0) {
            L::load(total, out + part.to);
        }
        const T scale = part.scale[v];
        unroll<L::count>([&](auto k)
                             __attribute__((always_inline)) { total[k] += scale * sum[b][k]; });
        if (part.ends || b + 1 == block) L::store(out + part.to, total);
        if (part.kept != nullptr) L::store(part.kept + v * part.row + first, sum[b]);
    });
}

// Takes the next roles, as many as there are up to `most`, and says how many these were.
template <class L, int most, class T>
[[gnu::always_inline]] inline int forward_some(const Job<T>& job, Node v, Offset first, int r) {
    if constexpr (most > 1)
        if (job.roles.num_roles - r < most) return forward_some<L, most - 1>(job, v, first, r);
    forward_block<L, most>(job, v, first, job.parts + r);
    return most;
}

template <class L, int most, class T>
[[gnu::always_inline]] inline void forward_strip(const Job<T>& job, Node v, Offset first) {
    const FusedRoles<T>& roles = job.roles;
    for (const int g : job.unplayed) {
        typename L::Vector own[L::count];
        weigh<L>(own, job.ego[g], job.in + v * roles.stride() + roles.start(g) + first);
        L::store(job.out + (static_cast<Offset>(v) * roles.num_groups + g) * roles.columns + first,
                 own);
    }
    for (int r = 0; r < roles.num_roles;) r += forward_some<L, most>(job, v, first, r);
}

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

}  // namespace

template <class T>
void fused_forward(const FusedRoles<T>& roles, const T* ego, const T* scale, const T* h, T* sums,
                   T* out, int threads, Neighbours<T> neighbours) {
    std::vector<Part<T>> parts = parts_of(roles, ego, scale);
    for (int r = 0; sums != nullptr && r < roles.num_roles; ++r) {
        parts[r].kept = sums + r * roles.columns;
        parts[r].row = roles.num_roles * roles.columns;
    }
    if (neighbours.role >= 0) {
        parts[neighbours.role].kept = neighbours.sums;
        parts[neighbours.role].row = roles.columns;
    }
    const std::vector<int> unplayed = ego == nullptr ? std::vector<int>{} : unplayed_groups(roles);
    const Job<T> job{roles, ego, scale, h, out, parts.data(), unplayed};
    const Offset work = roles.num_entries() * roles.columns * roles.num_roles;
    for_rows<T>(Forward<T>{job}, roles.num_rows, work, threads);
}

template <class T>
void step_onward(const FusedRoles<T>& roles, const T* from, const T* less, const T* scale, T* out,
                 int group, int threads) {
    const Job<T> job{roles, less, scale, from, out};
    const Offset work = roles.num_entries() * roles.columns;
    for_rows<T>(Onward<T>{job, group}, roles.num_rows, work, threads);
}

#define GRAPE_INSTANTIATE(T)                                                                     \
    template void fused_forward(const FusedRoles<T>&, const T*, const T*, const T*, T*, T*, int, \
                                Neighbours<T>);                                                  \
    template void step_onward(const FusedRoles<T>&, const T*, const T*, const T*, T*, int, int);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
