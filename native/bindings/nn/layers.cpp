#include "bindings/common.hpp"
#include "nn/feature_product.hpp"

namespace grape::python {
namespace {

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
}

}  // namespace

void bind_layers(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace grape::python
