#include "relu_sum.hpp"

#include <algorithm>
#include <vector>

#include "lanes.hpp"

namespace grape {
namespace {

// A strip of the map's columns.
template <class L, class T>
struct Map {
    typename L::Vector row[ReluSum<T>::kCounts][L::count];

    [[gnu::always_inline]] inline Map(const ReluSum<T>& sum, Offset first) {
        for (int c = 0; c < ReluSum<T>::kCounts; ++c)
            L::load(row[c], sum.map + c * sum.columns + first);
    }
    // x += count times vector k of the strip.
    [[gnu::always_inline]] inline void add(typename L::Vector& x, const T* count, int k) const {
        for (int c = 0; c < ReluSum<T>::kCounts; ++c) x += count[c] * row[c][k];
    }
};

template <class T>
struct Forward {
    using Number = T;
    const ReluSum<T>& task;
    T* out;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        using Vector = typename L::Vector;
        const Entries& entries = task.entries;
        const Map<L, T> map(task, first);
        Vector total[L::count] = {};
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            Vector at[L::count];
            L::load(at, task.x + entries.idx[e] * task.columns + first);
            for (int k = 0; k < L::count; ++k) {
                map.add(at[k], task.count + e * ReluSum<T>::kCounts, k);
                total[k] += at[k] < 0 ? Vector{} : at[k];  // what is not a number stays visible
            }
        }
        L::store(out + v * task.columns + first, total);
    }
};

// By the map: v listens. The gradient is the same for all that v hears.
template <class T>
struct ByMap {
    using Number = T;
    const ReluSum<T>& task;
    const T* grad;
    double* grad_map;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        using Vector = typename L::Vector;
        constexpr int counts = ReluSum<T>::kCounts;
        const Entries& entries = task.entries;
        const Map<L, T> map(task, first);
        Vector passed[counts][L::count] = {};
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            const T* const count = task.count + e * counts;
            Vector at[L::count];
            L::load(at, task.x + entries.idx[e] * task.columns + first);
            for (int k = 0; k < L::count; ++k) {
                map.add(at[k], count, k);
                const Vector open = at[k] > 0 ? Vector{} + T{1} : Vector{};
                for (int c = 0; c < counts; ++c) passed[c][k] += count[c] * open;
            }
        }
        Vector mine[L::count];
        L::load(mine, grad + v * task.columns + first);
        for (int c = 0; c < counts; ++c) {
            for (int k = 0; k < L::count; ++k) passed[c][k] *= mine[k];
            T part[L::count * L::step];
            L::store(part, passed[c]);
            for (int k = 0; k < L::count * L::step; ++k)
                grad_map[c * task.columns + first + k] += part[k];
        }
    }
};

// By x: u speaks, and hears of it from those who listen to it.
template <class T>
struct ByFeatures {
    using Number = T;
    const ReluSum<T>& task;
    const T* grad;
    T* grad_x;

    template <class L>
    [[gnu::always_inline]] inline void run(Node u, Offset first) const {
        using Vector = typename L::Vector;
        const Entries& entries = task.entries;
        const Map<L, T> map(task, first);
        Vector mine[L::count], total[L::count] = {};
        L::load(mine, task.x + u * task.columns + first);
        for (Offset e = entries.ptr[u]; e < entries.ptr[u + 1]; ++e) {
            const T* const count = task.count + entries.reverse[e] * ReluSum<T>::kCounts;
            Vector at[L::count];
            L::load(at, grad + entries.idx[e] * task.columns + first);
            for (int k = 0; k < L::count; ++k) {
                Vector said = mine[k];
                map.add(said, count, k);
                total[k] += said > 0 ? at[k] : Vector{};
            }
        }
        L::store(grad_x + u * task.columns + first, total);
    }
};

}  // namespace

template <class T>
void relu_sum(const ReluSum<T>& sum, T* out) {
    const Forward<T> kernel{sum, out};
    run_with_lanes(RowStrips<Forward<T>>{kernel});
}

template <class T>
void relu_sum_backward(const ReluSum<T>& sum, const T* grad, T* grad_x, T* grad_map) {
    std::vector<double> by_map(static_cast<std::size_t>(ReluSum<T>::kCounts * sum.columns));
    const ByMap<T> map{sum, grad, by_map.data()};
    run_with_lanes(RowStrips<ByMap<T>>{map});
    const ByFeatures<T> features{sum, grad, grad_x};
    run_with_lanes(RowStrips<ByFeatures<T>>{features});
    std::transform(by_map.begin(), by_map.end(), grad_map,
                   [](double value) { return static_cast<T>(value); });
}

template void relu_sum(const ReluSum<float>&, float*);
template void relu_sum(const ReluSum<double>&, double*);
template void relu_sum_backward(const ReluSum<float>&, const float*, float*, float*);
template void relu_sum_backward(const ReluSum<double>&, const double*, double*, double*);

}  // namespace grape
