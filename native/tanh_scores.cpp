#include "tanh_scores.hpp"

#include <algorithm>
#include <vector>

#include "lanes.hpp"
#include "vector_exp.hpp"

namespace grape {
namespace {

template <class T>
struct Forward {
    using Number = T;
    const TanhScores<T>& task;
    T* out;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        using Vector = typename L::Vector;
        const Entries& entries = task.entries;
        Vector mine[L::count], slope[L::count];
        L::load(mine, task.receiver + v * task.columns + first);
        L::load(slope, task.slope + first);
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            Vector at[L::count], total = {};
            L::load(at, task.sender + entries.idx[e] * task.columns + first);
            for (int k = 0; k < L::count; ++k) {
                at[k] += mine[k];
                take_tanh<L, T>(at[k]);
                total += slope[k] * at[k];
            }
            T part[L::step], sum = first == 0 ? T{0} : out[e];
            std::memcpy(part, &total, sizeof(total));
            for (const T value : part) sum += value;
            out[e] = sum;
        }
    }
};

// The derivative of one end, and of the slope: row v holds what is `here`, its neighbours `there`.
// With `turned`, v is the sender, and the gradients are those of the reversed entries.
template <bool turned, class T>
struct Backward {
    using Number = T;
    const TanhScores<T>& task;
    const T* here;
    const T* there;
    const T* grad;
    T* grad_here;
    double* grad_slope;

    template <class L>
    [[gnu::always_inline]] inline void run(Node v, Offset first) const {
        using Vector = typename L::Vector;
        const Entries& entries = task.entries;
        Vector mine[L::count], slope[L::count], total[L::count] = {}, by_slope[L::count] = {};
        L::load(mine, here + v * task.columns + first);
        L::load(slope, task.slope + first);
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            const T weight = grad[turned ? entries.reverse[e] : e];
            Vector at[L::count];
            L::load(at, there + entries.idx[e] * task.columns + first);
            for (int k = 0; k < L::count; ++k) {
                at[k] += mine[k];
                take_tanh<L, T>(at[k]);
                total[k] += weight * (T{1} - at[k] * at[k]);
                if (!turned) by_slope[k] += weight * at[k];
            }
        }
        for (int k = 0; k < L::count; ++k) total[k] *= slope[k];
        L::store(grad_here + v * task.columns + first, total);
        if (turned) return;
        T part[L::count * L::step];
        L::store(part, by_slope);
        for (int c = 0; c < L::count * L::step; ++c) grad_slope[first + c] += part[c];
    }
};

}  // namespace

template <class T>
void tanh_scores(const TanhScores<T>& scores, T* out) {
    const Forward<T> kernel{scores, out};
    run_with_lanes(RowStrips<Forward<T>>{kernel});
}

template <class T>
void tanh_scores_backward(const TanhScores<T>& scores, const T* grad, T* grad_receiver,
                          T* grad_sender, T* grad_slope) {
    std::vector<double> by_slope(static_cast<std::size_t>(scores.columns));
    const Backward<false, T> receiver{scores, scores.receiver, scores.sender,
                                      grad,   grad_receiver,   by_slope.data()};
    run_with_lanes(RowStrips<Backward<false, T>>{receiver});
    const Backward<true, T> sender{scores, scores.sender, scores.receiver,
                                   grad,   grad_sender,   nullptr};
    run_with_lanes(RowStrips<Backward<true, T>>{sender});
    std::transform(by_slope.begin(), by_slope.end(), grad_slope,
                   [](double value) { return static_cast<T>(value); });
}

template void tanh_scores(const TanhScores<float>&, float*);
template void tanh_scores(const TanhScores<double>&, double*);
template void tanh_scores_backward(const TanhScores<float>&, const float*, float*, float*, float*);
template void tanh_scores_backward(const TanhScores<double>&, const double*, double*, double*,
                                   double*);

}  // namespace grape
