#include "head_sum.hpp"

#include "lanes.hpp"

namespace grape {
namespace {

constexpr int kHeads = 4;  // heads summed at a time

// A strip of columns of each head, for `block` heads at a time.
template <class Kernel>
struct Strips {
    const Kernel& kernel;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        for (Node v = 0; v < kernel.sum.entries.num_rows; ++v) {
            Offset first = 0;
            for (; first + 32 <= kernel.sum.columns; first += 32) heads<32, bytes>(v, first);
            for (; first + 4 <= kernel.sum.columns; first += 4) heads<4, bytes>(v, first);
            for (; first < kernel.sum.columns; ++first) heads<1, bytes>(v, first);
        }
    }

    template <int width, int bytes>
    [[gnu::always_inline]] inline void heads(Node v, Offset first) const {
        using L = Lanes<typename Kernel::Number, width, bytes>;
        int h = 0;
        for (; h + kHeads <= kernel.sum.heads; h += kHeads)
            kernel.template run<L, kHeads>(v, first, h);
        for (; h < kernel.sum.heads; ++h) kernel.template run<L, 1>(v, first, h);
    }
};

// out[v] = sum of weight times in[u]; with `turned`, by the weights of the reversed entries.
template <bool turned, class T>
struct Forward {
    using Number = T;
    const HeadSum<T>& sum;
    const T* in;
    T* out;

    template <class L, int block>
    [[gnu::always_inline]] inline void run(Node v, Offset first, int h) const {
        const Entries& entries = sum.entries;
        const Offset stride = sum.heads * sum.columns, start = h * sum.columns + first;
        typename L::Vector total[block][L::count] = {};
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            const T* const weight = sum.weight + (turned ? entries.reverse[e] : e) * sum.heads + h;
            const T* const from = in + entries.idx[e] * stride + start;
            for (int b = 0; b < block; ++b) {
                typename L::Vector at[L::count];
                L::load(at, from + b * sum.columns);
                for (int k = 0; k < L::count; ++k) total[b][k] += weight[b] * at[k];
            }
        }
        for (int b = 0; b < block; ++b)
            L::store(out + v * stride + start + b * sum.columns, total[b]);
    }
};

// grad_weight[e, h] += the products of a strip of columns of grad[v] and x[u].
template <class T>
struct Weights {
    using Number = T;
    const HeadSum<T>& sum;
    const T* x;
    const T* grad;
    T* grad_weight;

    template <class L, int block>
    [[gnu::always_inline]] inline void run(Node v, Offset first, int h) const {
        using Vector = typename L::Vector;
        const Entries& entries = sum.entries;
        const Offset stride = sum.heads * sum.columns, start = h * sum.columns + first;
        Vector mine[block][L::count];
        for (int b = 0; b < block; ++b)
            L::load(mine[b], grad + v * stride + start + b * sum.columns);
        for (Offset e = entries.ptr[v]; e < entries.ptr[v + 1]; ++e) {
            const T* const from = x + entries.idx[e] * stride + start;
            T* const to = grad_weight + e * sum.heads + h;
            for (int b = 0; b < block; ++b) {
                Vector at[L::count];
                L::load(at, from + b * sum.columns);
                Vector product = mine[b][0] * at[0];
                for (int k = 1; k < L::count; ++k) product += mine[b][k] * at[k];
                const T found = total<L>(product);
                to[b] = first == 0 ? found : to[b] + found;
            }
        }
    }

    template <class L>
    [[gnu::always_inline]] static inline T total(const typename L::Vector& vector) {
        T part[L::step];
        std::memcpy(part, &vector, sizeof(vector));
        for (int half = L::step / 2; half > 0; half /= 2)
            for (int k = 0; k < half; ++k) part[k] += part[k + half];
        return part[0];
    }
};

}  // namespace

template <class T>
void head_sum(const HeadSum<T>& sum, const T* x, T* out) {
    const Forward<false, T> kernel{sum, x, out};
    run_with_lanes(Strips<Forward<false, T>>{kernel});
}

template <class T>
void head_sum_backward(const HeadSum<T>& sum, const T* x, const T* grad, T* grad_weight,
                       T* grad_x) {
    const Weights<T> weights{sum, x, grad, grad_weight};
    run_with_lanes(Strips<Weights<T>>{weights});
    const Forward<true, T> features{sum, grad, grad_x};
    run_with_lanes(Strips<Forward<true, T>>{features});
}

template void head_sum(const HeadSum<float>&, const float*, float*);
template void head_sum(const HeadSum<double>&, const double*, double*);
template void head_sum_backward(const HeadSum<float>&, const float*, const float*, float*, float*);
template void head_sum_backward(const HeadSum<double>&, const double*, const double*, double*,
                                double*);

}  // namespace grape
