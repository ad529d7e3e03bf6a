#include "common.hpp"
#include "dropout.hpp"
#include "feature_product.hpp"
#include "group_sum.hpp"
#include "norm_relu.hpp"

namespace grape::python {
namespace {

template <class T>
using Dense = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Target = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
template <class T>
using Cube = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class T>
using TargetCube = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void check(bool fits, const char* message) {
    if (!fits) throw nb::value_error(message);
}

// A tensor of three dimensions as rows and groups; the groups come first or second.
template <class T, class Array>
Blocks<T> blocks(const Array& array, bool groups_first) {
    const auto columns = static_cast<Offset>(array.shape(2));
    const auto inner = static_cast<Offset>(array.shape(1)) * columns;
    return {array.data(), groups_first ? columns : inner, groups_first ? inner : columns};
}

constexpr const char* kSumShapes = "the shapes of a weighted sum over groups do not fit";

template <class T>
GroupSum<T> view(const Cube<T>& h, const Array<T>& weight) {
    check(weight.size() == h.shape(1), kSumShapes);
    return {static_cast<Offset>(h.shape(0)), static_cast<int>(h.shape(1)),
            static_cast<Offset>(h.shape(2)), h.data(), weight.data()};
}

template <class T>
void bind_type(nb::module_& m) {
    m.def(
        "feature_product",
        [](Array<std::int64_t> ptr, Array<std::int32_t> idx, Array<T> val, Cube<T> in,
           TargetCube<T> out, bool transposed, int threads) {
            const SparseRows<T> x{static_cast<Node>(ptr.size() - 1), ptr.data(), idx.data(),
                                  val.data()};
            // Weights are [groups, features, columns], values of nodes [nodes, groups, columns].
            const std::size_t rows = out.shape(transposed ? 1 : 0);
            const std::size_t groups = out.shape(transposed ? 0 : 1);
            check(rows + 1 == ptr.size() && groups == in.shape(transposed ? 1 : 0) &&
                      in.shape(2) == out.shape(2) && idx.size() == val.size() &&
                      static_cast<Offset>(idx.size()) == x.ptr[x.num_rows],
                  "the shapes of features, weights and result do not fit");
            const auto in_blocks = blocks<const T>(in, !transposed);
            const auto out_blocks = blocks<T>(out, transposed);
            const nb::gil_scoped_release released;
            feature_product<T>(x, static_cast<int>(groups), static_cast<Offset>(out.shape(2)),
                               in_blocks, out_blocks, threads);
        },
        "ptr"_a.noconvert(), "idx"_a.noconvert(), "val"_a.noconvert(), "dense"_a.noconvert(),
        "out"_a.noconvert(), "transposed"_a, "threads"_a);
    m.def(
        "dropout",
        [](Dense<T> in, double share, std::uint64_t seed, Target<T> out) {
            check(in.size() == out.size(), "the sizes before and after dropout differ");
            const nb::gil_scoped_release released;
            dropout<T>(in.data(), static_cast<Offset>(in.size()), share, seed, out.data());
        },
        "values"_a.noconvert(), "share"_a, "seed"_a, "out"_a.noconvert());
    m.def(
        "group_sum",
        [](Cube<T> h, Array<T> weight, Target<T> out) {
            const GroupSum<T> sum = view(h, weight);
            check(static_cast<Offset>(out.size()) == sum.rows * sum.columns, kSumShapes);
            const nb::gil_scoped_release released;
            group_sum(sum, out.data());
        },
        "h"_a.noconvert(), "weight"_a.noconvert(), "out"_a.noconvert());
    m.def(
        "group_sum_backward",
        [](Cube<T> h, Array<T> weight, Dense<T> grad, TargetCube<T> grad_h, Target<T> grad_weight) {
            const GroupSum<T> sum = view(h, weight);
            check(static_cast<Offset>(grad.size()) == sum.rows * sum.columns &&
                      grad_h.size() == h.size() && grad_weight.size() == weight.size(),
                  kSumShapes);
            const nb::gil_scoped_release released;
            group_sum_backward(sum, grad.data(), grad_h.data(), grad_weight.data());
        },
        "h"_a.noconvert(), "weight"_a.noconvert(), "grad"_a.noconvert(), "grad_h"_a.noconvert(),
        "grad_weight"_a.noconvert());
    m.def(
        "norm_relu",
        [](Dense<T> x, Array<T> gain, Array<T> bias, double epsilon, Target<double> mean,
           Target<double> variance, Target<T> y) {
            const auto columns = static_cast<Offset>(gain.size());
            const NormRelu<T> layer{static_cast<Offset>(x.shape(0)),
                                    columns,
                                    x.data(),
                                    gain.data(),
                                    bias.data(),
                                    epsilon};
            check(static_cast<Offset>(x.size()) == layer.rows * columns && x.size() == y.size() &&
                      bias.size() == gain.size() && mean.size() == gain.size() &&
                      variance.size() == gain.size(),
                  "the shapes of a normalisation do not fit");
            const nb::gil_scoped_release released;
            norm_relu_forward(layer, mean.data(), variance.data(), y.data());
        },
        "x"_a.noconvert(), "gain"_a.noconvert(), "bias"_a.noconvert(), "epsilon"_a,
        "mean"_a.noconvert(), "variance"_a.noconvert(), "y"_a.noconvert());
    m.def(
        "norm_relu_backward",
        [](Dense<T> x, Array<T> gain, Array<T> bias, double epsilon, Array<double> mean,
           Array<double> variance, Dense<T> grad, Target<T> grad_x, Target<T> grad_gain,
           Target<T> grad_bias) {
            const auto columns = static_cast<Offset>(gain.size());
            const NormRelu<T> layer{static_cast<Offset>(x.shape(0)),
                                    columns,
                                    x.data(),
                                    gain.data(),
                                    bias.data(),
                                    epsilon};
            check(static_cast<Offset>(x.size()) == layer.rows * columns &&
                      x.size() == grad.size() && x.size() == grad_x.size() &&
                      bias.size() == gain.size() && mean.size() == gain.size() &&
                      variance.size() == gain.size() && grad_gain.size() == gain.size() &&
                      grad_bias.size() == gain.size(),
                  "the shapes of a normalisation do not fit");
            const nb::gil_scoped_release released;
            norm_relu_backward(layer, mean.data(), variance.data(), grad.data(), grad_x.data(),
                               grad_gain.data(), grad_bias.data());
        },
        "x"_a.noconvert(), "gain"_a.noconvert(), "bias"_a.noconvert(), "epsilon"_a,
        "mean"_a.noconvert(), "variance"_a.noconvert(), "grad"_a.noconvert(),
        "grad_x"_a.noconvert(), "grad_gain"_a.noconvert(), "grad_bias"_a.noconvert());
}

}  // namespace

void bind_layers(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace grape::python
