#include "norm_relu.hpp"

#include <algorithm>
#include <cmath>

#include "lanes.hpp"

namespace grape {
namespace {

constexpr Offset kChunk = 64;  // rows summed in the type of the data before they go to doubles

// total[s, c] = sum over the rows of what term(row, sum) adds to sum[s], in a strip of columns.
template <int sums, class L, class T, class Term>
[[gnu::always_inline]] inline void sum_rows(Offset rows, double* total, const Term& term) {
    constexpr int width = L::count * L::step;
    std::fill_n(total, sums * width, 0.0);
    for (Offset begin = 0; begin < rows; begin += kChunk) {
        typename L::Vector sum[sums][L::count] = {};
        const Offset end = std::min(begin + kChunk, rows);
        for (Offset row = begin; row < end; ++row) term(row, sum);
        T part[sums][width];
        for (int s = 0; s < sums; ++s) {
            L::store(part[s], sum[s]);
            for (int c = 0; c < width; ++c) total[s * width + c] += part[s][c];
        }
    }
}

// What the normalisation of a strip of columns comes to: slope * x + lift.
template <class L, class T>
struct Strip {
    typename L::Vector mean[L::count], spread[L::count], slope[L::count], lift[L::count];

    [[gnu::always_inline]] inline Strip(const NormRelu<T>& layer, const double* means,
                                        const double* variances, Offset first) {
        constexpr int width = L::count * L::step;
        T m[width], d[width], s[width], l[width];
        for (int c = 0; c < width; ++c) {
            const double inverse = 1 / std::sqrt(variances[first + c] + layer.epsilon);
            const double gain = inverse * layer.gain[first + c];
            m[c] = static_cast<T>(means[first + c]);
            d[c] = static_cast<T>(inverse);
            s[c] = static_cast<T>(gain);
            l[c] = static_cast<T>(layer.bias[first + c] - means[first + c] * gain);
        }
        L::load(mean, m);
        L::load(spread, d);
        L::load(slope, s);
        L::load(lift, l);
    }
};

template <class Kernel>
struct Columns {
    const Kernel& kernel;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        using T = typename Kernel::Number;
        const Offset columns = kernel.layer.columns;
        Offset first = 0;
        for (; first + 32 <= columns; first += 32) kernel.template run<Lanes<T, 32, bytes>>(first);
        for (; first + 8 <= columns; first += 8) kernel.template run<Lanes<T, 8, bytes>>(first);
        for (; first < columns; ++first) kernel.template run<Lanes<T, 1, bytes>>(first);
    }
};

template <class T>
struct Forward {
    using Number = T;
    const NormRelu<T>& layer;
    double* mean;
    double* variance;
    T* y;

    template <class L>
    [[gnu::always_inline]] inline void run(Offset first) const {
        using Vector = typename L::Vector;
        constexpr int width = L::count * L::step;
        const auto rows = static_cast<double>(layer.rows);
        const T* const x = layer.x + first;
        sum_rows<1, L, T>(layer.rows, mean + first, [&](Offset row, Vector(&sum)[1][L::count]) {
            Vector at[L::count];
            L::load(at, x + row * layer.columns);
            for (int k = 0; k < L::count; ++k) sum[0][k] += at[k];
        });
        T middle[width];
        for (int c = 0; c < width; ++c) middle[c] = static_cast<T>(mean[first + c] /= rows);
        Vector center[L::count];
        L::load(center, middle);
        sum_rows<1, L, T>(layer.rows, variance + first, [&](Offset row, Vector(&sum)[1][L::count]) {
            Vector at[L::count];
            L::load(at, x + row * layer.columns);
            for (int k = 0; k < L::count; ++k)
                sum[0][k] += (at[k] - center[k]) * (at[k] - center[k]);
        });
        for (int c = 0; c < width; ++c) variance[first + c] /= rows;
        const Strip<L, T> by(layer, mean, variance, first);
        for (Offset row = 0; row < layer.rows; ++row) {
            Vector at[L::count];
            L::load(at, x + row * layer.columns);
            for (int k = 0; k < L::count; ++k) {
                at[k] = at[k] * by.slope[k] + by.lift[k];
                at[k] = at[k] < 0 ? Vector{} : at[k];  // what is not a number stays visible
            }
            L::store(y + row * layer.columns + first, at);
        }
    }
};

template <class T>
struct Backward {
    using Number = T;
    const NormRelu<T>& layer;
    const double* mean;
    const double* variance;
    const T* grad;
    T* grad_x;
    T* grad_gain;
    T* grad_bias;

    // The gradient where ReLU let the value pass, and the normalised values.
    template <class L>
    [[gnu::always_inline]] inline void look(Offset row, Offset first, const Strip<L, T>& by,
                                            typename L::Vector (&passed)[L::count],
                                            typename L::Vector (&place)[L::count]) const {
        const Offset at = row * layer.columns + first;
        L::load(place, layer.x + at);
        L::load(passed, grad + at);
        for (int k = 0; k < L::count; ++k) {
            const typename L::Vector z = place[k] * by.slope[k] + by.lift[k];
            passed[k] = z > 0 ? passed[k] : typename L::Vector{};
            place[k] = (place[k] - by.mean[k]) * by.spread[k];
        }
    }

    template <class L>
    [[gnu::always_inline]] inline void run(Offset first) const {
        using Vector = typename L::Vector;
        constexpr int width = L::count * L::step;
        const Strip<L, T> by(layer, mean, variance, first);
        double total[2 * width];
        sum_rows<2, L, T>(layer.rows, total, [&](Offset row, Vector(&sum)[2][L::count]) {
            Vector passed[L::count], place[L::count];
            look<L>(row, first, by, passed, place);
            for (int k = 0; k < L::count; ++k) {
                sum[0][k] += passed[k];
                sum[1][k] += passed[k] * place[k];
            }
        });
        const double *const bias = total, *const gain = total + width;
        T lower[width], tilted[width];
        for (int c = 0; c < width; ++c) {
            grad_bias[first + c] = static_cast<T>(bias[c]);
            grad_gain[first + c] = static_cast<T>(gain[c]);
            lower[c] = static_cast<T>(bias[c] / static_cast<double>(layer.rows));
            tilted[c] = static_cast<T>(gain[c] / static_cast<double>(layer.rows));
        }
        Vector lift[L::count], tilt[L::count];
        L::load(lift, lower);
        L::load(tilt, tilted);
        for (Offset row = 0; row < layer.rows; ++row) {
            Vector passed[L::count], place[L::count];
            look<L>(row, first, by, passed, place);
            for (int k = 0; k < L::count; ++k)
                passed[k] = by.slope[k] * (passed[k] - lift[k] - place[k] * tilt[k]);
            L::store(grad_x + row * layer.columns + first, passed);
        }
    }
};

}  // namespace

template <class T>
void norm_relu_forward(const NormRelu<T>& layer, double* mean, double* variance, T* y) {
    const Forward<T> kernel{layer, mean, variance, y};
    run_with_lanes(Columns<Forward<T>>{kernel});
}

template <class T>
void norm_relu_backward(const NormRelu<T>& layer, const double* mean, const double* variance,
                        const T* grad, T* grad_x, T* grad_gain, T* grad_bias) {
    const Backward<T> kernel{layer, mean, variance, grad, grad_x, grad_gain, grad_bias};
    run_with_lanes(Columns<Backward<T>>{kernel});
}

template void norm_relu_forward(const NormRelu<float>&, double*, double*, float*);
template void norm_relu_forward(const NormRelu<double>&, double*, double*, double*);
template void norm_relu_backward(const NormRelu<float>&, const double*, const double*, const float*,
                                 float*, float*, float*);
template void norm_relu_backward(const NormRelu<double>&, const double*, const double*,
                                 const double*, double*, double*, double*);

}  // namespace grape
