#include "group_sum.hpp"

#include "lanes.hpp"

namespace grape {
namespace {

template <class T>
struct Forward {
    const GroupSum<T>& sum;
    T* out;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        for (Offset v = 0; v < sum.rows; ++v) {
            Offset first = 0;
            for (; first + 32 <= sum.columns; first += 32) strip<Lanes<T, 32, bytes>>(v, first);
            for (; first + 8 <= sum.columns; first += 8) strip<Lanes<T, 8, bytes>>(v, first);
            for (; first < sum.columns; ++first) strip<Lanes<T, 1, bytes>>(v, first);
        }
    }

    template <class L>
    [[gnu::always_inline]] inline void strip(Offset v, Offset first) const {
        typename L::Vector total[L::count] = {};
        for (int g = 0; g < sum.groups; ++g) {
            typename L::Vector part[L::count];
            L::load(part, sum.h + (v * sum.groups + g) * sum.columns + first);
            for (int k = 0; k < L::count; ++k) total[k] += sum.weight[g] * part[k];
        }
        L::store(out + v * sum.columns + first, total);
    }
};

template <class T>
struct Backward {
    const GroupSum<T>& sum;
    const T* grad;
    T* grad_h;
    T* grad_weight;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        for (int g = 0; g < sum.groups; ++g) {
            double total = 0;
            for (Offset v = 0; v < sum.rows; ++v) {
                Offset first = 0;
                for (; first + 32 <= sum.columns; first += 32)
                    total += strip<Lanes<T, 32, bytes>>(v, g, first);
                for (; first + 8 <= sum.columns; first += 8)
                    total += strip<Lanes<T, 8, bytes>>(v, g, first);
                for (; first < sum.columns; ++first)
                    total += strip<Lanes<T, 1, bytes>>(v, g, first);
            }
            grad_weight[g] = static_cast<T>(total);
        }
    }

    template <class L>
    [[gnu::always_inline]] inline T strip(Offset v, int g, Offset first) const {
        typename L::Vector part[L::count], upstream[L::count], by_h[L::count];
        typename L::Vector product = {};
        L::load(part, sum.h + (v * sum.groups + g) * sum.columns + first);
        L::load(upstream, grad + v * sum.columns + first);
        for (int k = 0; k < L::count; ++k) {
            product += upstream[k] * part[k];
            by_h[k] = sum.weight[g] * upstream[k];
        }
        L::store(grad_h + (v * sum.groups + g) * sum.columns + first, by_h);
        T lane[L::step];
        std::memcpy(lane, &product, sizeof(product));
        T total{0};
        for (int k = 0; k < L::step; ++k) total += lane[k];
        return total;
    }
};

}  // namespace

template <class T>
void group_sum(const GroupSum<T>& sum, T* out) {
    run_with_lanes(Forward<T>{sum, out});
}

template <class T>
void group_sum_backward(const GroupSum<T>& sum, const T* grad, T* grad_h, T* grad_weight) {
    run_with_lanes(Backward<T>{sum, grad, grad_h, grad_weight});
}

template void group_sum(const GroupSum<float>&, float*);
template void group_sum(const GroupSum<double>&, double*);
template void group_sum_backward(const GroupSum<float>&, const float*, float*, float*);
template void group_sum_backward(const GroupSum<double>&, const double*, double*, double*);

}  // namespace grape
