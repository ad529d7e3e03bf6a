#include "entry_softmax.hpp"

#include "lanes.hpp"
#include "vector_exp.hpp"

namespace grape {
namespace {

template <class T>
struct PairSum {
    using Number = T;
    const EntryShape& task;
    const T* receiver;
    const T* sender;
    T* out;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        const Entries& entries = task.entries;
        typename L::Vector mine[L::count];
        L::load(mine, receiver + v * task.columns + first);
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            typename L::Vector at[L::count];
            L::load(at, sender + entries.idx[e] * task.columns + first);
            for (int k = 0; k < L::count; ++k) at[k] += mine[k];
            L::store(out + e * task.columns + first, at);
        }
    }
};

// Sums over the entries of each node, or over their reverses.
template <bool turned, class T>
struct EntrySum {
    using Number = T;
    const EntryShape& task;
    const T* in;
    T* out;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        const Entries& entries = task.entries;
        typename L::Vector total[L::count] = {};
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            typename L::Vector at[L::count];
            L::load(at, in + (turned ? entries.reverse[e] : e) * task.columns + first);
            for (int k = 0; k < L::count; ++k) total[k] += at[k];
        }
        L::store(out + v * task.columns + first, total);
    }
};

template <class T>
struct Softmax {
    using Number = T;
    const EntryShape& task;
    const T* score;
    T* out;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        using Vector = typename L::Vector;
        const Offset begin = task.entries.ptr[v], end = task.entries.ptr[v + 1];
        if (begin == end) return;
        Vector at[L::count], most[L::count], total[L::count] = {};
        L::load(most, score + begin * task.columns + first);
        for (Offset e = begin + 1; e < end; ++e) {
            L::load(at, score + e * task.columns + first);
            for (int k = 0; k < L::count; ++k) most[k] = at[k] > most[k] ? at[k] : most[k];
        }
        for (Offset e = begin; e < end; ++e) {
            L::load(at, score + e * task.columns + first);
            for (int k = 0; k < L::count; ++k) {
                at[k] -= most[k];
                take_exp<L, T>(at[k]);
                total[k] += at[k];
            }
            L::store(out + e * task.columns + first, at);
        }
        for (Offset e = begin; e < end; ++e) {
            L::load(at, out + e * task.columns + first);
            for (int k = 0; k < L::count; ++k) at[k] /= total[k];
            L::store(out + e * task.columns + first, at);
        }
    }
};

template <class T>
struct SoftmaxBackward {
    using Number = T;
    const EntryShape& task;
    const T* out;
    const T* grad;
    T* grad_score;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        using Vector = typename L::Vector;
        const Offset begin = task.entries.ptr[v], end = task.entries.ptr[v + 1];
        Vector weight[L::count], at[L::count], total[L::count] = {};
        for (Offset e = begin; e < end; ++e) {
            L::load(weight, out + e * task.columns + first);
            L::load(at, grad + e * task.columns + first);
            for (int k = 0; k < L::count; ++k) total[k] += weight[k] * at[k];
        }
        for (Offset e = begin; e < end; ++e) {
            L::load(weight, out + e * task.columns + first);
            L::load(at, grad + e * task.columns + first);
            for (int k = 0; k < L::count; ++k) at[k] = weight[k] * (at[k] - total[k]);
            L::store(grad_score + e * task.columns + first, at);
        }
    }
};

template <class Kernel>
void run_rows(const Kernel& kernel) {
    run_with_lanes(RowStrips<Kernel>{kernel});
}

}  // namespace

template <class T>
void pair_sum(const EntryShape& shape, const T* receiver, const T* sender, T* out) {
    run_rows(PairSum<T>{shape, receiver, sender, out});
}

template <class T>
void pair_sum_backward(const EntryShape& shape, const T* grad, T* grad_receiver, T* grad_sender) {
    run_rows(EntrySum<false, T>{shape, grad, grad_receiver});
    run_rows(EntrySum<true, T>{shape, grad, grad_sender});
}

template <class T>
void entry_softmax(const EntryShape& shape, const T* score, T* out) {
    run_rows(Softmax<T>{shape, score, out});
}

template <class T>
void entry_softmax_backward(const EntryShape& shape, const T* out, const T* grad, T* grad_score) {
    run_rows(SoftmaxBackward<T>{shape, out, grad, grad_score});
}

#define GRAPE_INSTANTIATE(T)                                              \
    template void pair_sum(const EntryShape&, const T*, const T*, T*);    \
    template void pair_sum_backward(const EntryShape&, const T*, T*, T*); \
    template void entry_softmax(const EntryShape&, const T*, T*);         \
    template void entry_softmax_backward(const EntryShape&, const T*, const T*, T*);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
