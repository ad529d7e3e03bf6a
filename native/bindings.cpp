// The only file that knows Python: it turns arrays into views, releases the GIL around the
// core, and hands results back without copying them. No algorithm lives here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "clique_support.hpp"
#include "control.hpp"
#include "dense_product.hpp"
#include "graph.hpp"
#include "masked_product.hpp"
#include "parallel.hpp"
#include "pattern_sum.hpp"
#include "row_chain.hpp"
#include "symmetry.hpp"
#include "template.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Numpy = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Edges = std::vector<std::pair<int, int>>;

// Moves a vector into a NumPy array that owns it.
template <class T>
Numpy<T> to_numpy(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Numpy<T>(kept->data(), {kept->size()}, owner);
}

// Looks for Ctrl-C and reports progress, about fifty times a second, from the calling thread.
// Call it while the GIL is released; what it throws ends the run and reaches Python.
grape::Watcher make_watcher(nb::object progress) {
    return [progress](std::int64_t done, std::int64_t total) {
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress.is_none()) progress(done, total);
    };
}

grape::Budget make_budget(std::optional<double> seconds, std::optional<std::int64_t> bytes,
                          std::optional<std::int64_t> instances) {
    grape::Budget budget;
    if (seconds) budget.seconds = *seconds;
    if (bytes) budget.bytes = *bytes;
    if (instances) budget.instances = *instances;
    return budget;
}

// ---------------------------------------------------------------- graphs

// Keeps the arrays of a grape_gnn.Graph alive behind the core's view of them.
struct GraphHandle {
    Array<std::int64_t> out_ptr;
    Array<std::int32_t> out_idx;
    Array<std::int64_t> in_ptr;
    Array<std::int32_t> in_idx;
    std::optional<Array<std::int32_t>> label;
    grape::GraphView view;

    GraphHandle(bool directed, Array<std::int64_t> op, Array<std::int32_t> oi,
                Array<std::int64_t> ip, Array<std::int32_t> ii,
                std::optional<Array<std::int32_t>> labels)
        : out_ptr(op), out_idx(oi), in_ptr(ip), in_idx(ii), label(labels) {
        view.num_nodes = static_cast<grape::Node>(op.shape(0) - 1);
        view.directed = directed;
        view.out_ptr = out_ptr.data();
        view.out_idx = out_idx.data();
        view.in_ptr = in_ptr.data();
        view.in_idx = in_idx.data();
        view.label = label ? label->data() : nullptr;
    }
};

void bind_graph(nb::module_& m) {
    nb::class_<GraphHandle>(m, "Graph", "Sorted CSR arrays of a graph, shared with NumPy.")
        .def(nb::init<bool, Array<std::int64_t>, Array<std::int32_t>, Array<std::int64_t>,
                      Array<std::int32_t>, std::optional<Array<std::int32_t>>>(),
             "directed"_a, "out_ptr"_a.noconvert(), "out_idx"_a.noconvert(), "in_ptr"_a.noconvert(),
             "in_idx"_a.noconvert(), "labels"_a.noconvert() = nb::none());
}

// ---------------------------------------------------------------- templates

std::vector<int> to_vector(const grape::Permutation& p, int size) {
    return {p.begin(), p.begin() + size};
}

void bind_templates(nb::module_& m) {
    using grape::Template;
    nb::class_<Template>(m, "Template", "An anchored template; node 0 is the anchor.")
        .def(
            "__init__",
            [](Template* self, int size, bool directed, const Edges& edges,
               const std::vector<std::int32_t>& labels) {
                new (self) Template(size, directed);
                for (const auto& [a, b] : edges) self->add_edge(a, b);
                for (std::size_t k = 0; k < labels.size(); ++k) self->label[k] = labels[k];
            },
            "size"_a, "directed"_a, "edges"_a, "labels"_a = std::vector<std::int32_t>{});
    m.def(
        "stabiliser",
        [](const Template& t) {
            std::vector<std::vector<int>> out;
            for (const auto& g : grape::stabiliser(t)) out.push_back(to_vector(g, t.size));
            return out;
        },
        "template"_a, "Automorphisms that fix node 0, as lists node -> image, identity first.");
    m.def(
        "canonical_order",
        [](const Template& t) { return to_vector(grape::canonical_order(t), t.size); },
        "template"_a, "Nodes in canonical order, the anchor first.");
}

// ---------------------------------------------------------------- role algebra

// Counts cross the border as int64 and are added modulo 2^64 inside.
template <class T>
using Foreign = std::conditional_t<std::is_same_v<T, double>, double, std::int64_t>;

template <class T>
const T* data_of(const std::optional<Array<Foreign<T>>>& values) {
    return values ? reinterpret_cast<const T*>(values->data()) : nullptr;
}

template <class T>
Numpy<Foreign<T>> counts_to_numpy(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Numpy<Foreign<T>>(reinterpret_cast<Foreign<T>*>(kept->data()), {kept->size()}, owner);
}

// Keeps the arrays of a sparse matrix alive behind the kernels' view of them.
template <class T>
struct RowsHandle {
    Array<std::int64_t> ptr;
    Array<std::int32_t> idx;
    std::optional<Array<Foreign<T>>> val;

    grape::SparseRows<T> view() const {
        return {static_cast<grape::Node>(ptr.shape(0) - 1), ptr.data(), idx.data(),
                data_of<T>(val)};
    }
    grape::SparseRows<double> places() const {
        return {static_cast<grape::Node>(ptr.shape(0) - 1), ptr.data(), idx.data(), nullptr};
    }
};

// Everything a kernel needs to know about how to run.
struct KernelRun {
    grape::Control control;
    grape::Watcher watcher;
    int threads;

    KernelRun(int workers, std::optional<double> seconds, std::optional<std::int64_t> bytes)
        : control(make_budget(seconds, bytes, std::nullopt)),
          watcher(make_watcher(nb::none())),
          threads(workers) {}
    int reason() const { return static_cast<int>(control.reason()); }
};

template <class T>
nb::tuple found_to_python(grape::FoundRows<T>&& found, const KernelRun& run) {
    return nb::make_tuple(to_numpy(std::move(found.ptr)), to_numpy(std::move(found.idx)),
                          counts_to_numpy(std::move(found.val)), run.reason());
}

template <class T>
using Weights = std::vector<std::optional<Array<Foreign<T>>>>;

template <class T>
std::vector<const T*> pointers_to(const Weights<T>& weights) {
    std::vector<const T*> out;
    for (const auto& w : weights) out.push_back(data_of<T>(w));
    return out;
}

template <class T>
using ForeignTerm = std::tuple<std::int64_t, std::vector<const RowsHandle<T>*>, Weights<T>>;

template <class T>
grape::ChainTerm<T> to_term(const ForeignTerm<T>& term) {
    grape::ChainTerm<T> out;
    out.coefficient = static_cast<T>(std::get<0>(term));
    for (const RowsHandle<T>* factor : std::get<1>(term)) out.factors.push_back(factor->view());
    out.diagonals = pointers_to<T>(std::get<2>(term));
    return out;
}

// Per position: (earlier position, rows) pairs.
template <class T>
using ForeignLinks = std::vector<std::vector<std::pair<int, const RowsHandle<T>*>>>;

template <class T>
grape::Pattern<T> to_pattern(const ForeignLinks<T>& links, const Weights<T>& weights, int target) {
    grape::Pattern<T> out;
    for (const auto& position : links) {
        out.links.emplace_back();
        for (const auto& [from, rows] : position) out.links.back().push_back({from, rows->view()});
    }
    out.weights = pointers_to<T>(weights);
    out.target = target;
    return out;
}

template <class T, class In>
void bind_dense_product(nb::module_& m) {
    using Dense = nb::ndarray<const In, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    using Out = nb::ndarray<Foreign<T>, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    m.def(
        "dense_product",
        [](const RowsHandle<T>& rows, std::optional<Array<Foreign<T>>> left,
           std::optional<Array<Foreign<T>>> right, std::int64_t scale, Dense dense, Out out,
           bool accumulate, int threads) {
            using Kernel = std::conditional_t<std::is_same_v<In, std::int64_t>, std::uint64_t, In>;
            KernelRun run(threads, std::nullopt, std::nullopt);
            const nb::gil_scoped_release free;
            grape::dense_product<T, Kernel>(
                rows.view(), data_of<T>(left), data_of<T>(right), static_cast<T>(scale),
                reinterpret_cast<const Kernel*>(dense.data()),
                static_cast<grape::Offset>(dense.shape(1)), accumulate,
                reinterpret_cast<T*>(out.data()), run.threads, run.control, run.watcher);
        },
        "rows"_a, "left"_a.noconvert().none(), "right"_a.noconvert().none(), "scale"_a,
        "dense"_a.noconvert(), "out"_a.noconvert(), "accumulate"_a, "threads"_a);
}

template <class T>
void bind_algebra_of(nb::module_& m, const char* rows_name) {
    using Rows = RowsHandle<T>;
    nb::class_<Rows>(m, rows_name, "A sparse matrix in compressed rows; no values: all ones.")
        .def(
            "__init__",
            [](Rows* self, Array<std::int64_t> ptr, Array<std::int32_t> idx,
               std::optional<Array<Foreign<T>>> val) { new (self) Rows{ptr, idx, val}; },
            "ptr"_a.noconvert(), "idx"_a.noconvert(), "val"_a.noconvert().none());
    m.def(
        "masked_product",
        [](const Rows& mask, const Rows& mask_columns, Array<std::int64_t> origin, const Rows& x,
           const Rows& y_columns, std::optional<Array<Foreign<T>>> w, bool symmetric, int threads,
           std::optional<double> seconds) {
            KernelRun run(threads, seconds, std::nullopt);
            std::vector<T> out;
            {
                const nb::gil_scoped_release free;
                const grape::Mask places{mask.places(), mask_columns.places(), origin.data()};
                out = grape::masked_product<T>(places, x.view(), y_columns.view(), data_of<T>(w),
                                               symmetric, run.threads, run.control, run.watcher);
            }
            return nb::make_tuple(counts_to_numpy(std::move(out)), run.reason());
        },
        "mask"_a, "mask_columns"_a, "origin"_a.noconvert(), "x"_a, "y_columns"_a,
        "w"_a.noconvert().none(), "symmetric"_a, "threads"_a, "seconds"_a.none());
    m.def(
        "combine_rows",
        [](int num_rows, const std::vector<ForeignTerm<T>>& terms, std::int64_t divisor,
           const Rows&, int threads, std::optional<double> seconds,
           std::optional<std::int64_t> bytes) {
            KernelRun run(threads, seconds, bytes);
            std::vector<grape::ChainTerm<T>> chains;
            for (const auto& term : terms) chains.push_back(to_term<T>(term));
            grape::FoundRows<T> found;
            {
                const nb::gil_scoped_release free;
                found = grape::combine_rows<T>(num_rows, chains, divisor, run.threads, run.control,
                                               run.watcher);
            }
            return found_to_python(std::move(found), run);
        },
        "num_rows"_a, "terms"_a, "divisor"_a, "kind"_a, "threads"_a, "seconds"_a.none(),
        "bytes"_a.none());
    m.def(
        "masked_chain",
        [](const Rows& mask, const ForeignTerm<T>& term, int threads,
           std::optional<double> seconds) {
            KernelRun run(threads, seconds, std::nullopt);
            const grape::ChainTerm<T> chain = to_term<T>(term);
            std::vector<T> out;
            {
                const nb::gil_scoped_release free;
                out = grape::masked_chain<T>(mask.places(), chain, run.threads, run.control,
                                             run.watcher);
            }
            return nb::make_tuple(counts_to_numpy(std::move(out)), run.reason());
        },
        "mask"_a, "term"_a, "threads"_a, "seconds"_a.none());
    m.def(
        "pattern_rows",
        [](const Rows& shape, const ForeignLinks<T>& links, const Weights<T>& weights, int target,
           int threads, std::optional<double> seconds, std::optional<std::int64_t> bytes) {
            KernelRun run(threads, seconds, bytes);
            const grape::Pattern<T> pattern = to_pattern<T>(links, weights, target);
            grape::FoundRows<T> found;
            {
                const nb::gil_scoped_release free;
                found = grape::pattern_rows<T>(shape.places().num_rows, pattern, run.threads,
                                               run.control, run.watcher);
            }
            return found_to_python(std::move(found), run);
        },
        "shape"_a, "links"_a, "weights"_a, "target"_a, "threads"_a, "seconds"_a.none(),
        "bytes"_a.none());
    m.def(
        "masked_pattern",
        [](const Rows& mask, const ForeignLinks<T>& links, const Weights<T>& weights, int threads,
           std::optional<double> seconds) {
            KernelRun run(threads, seconds, std::nullopt);
            const grape::Pattern<T> pattern = to_pattern<T>(links, weights, 1);
            std::vector<T> out;
            {
                const nb::gil_scoped_release free;
                out = grape::masked_pattern<T>(mask.places(), pattern, run.threads, run.control,
                                               run.watcher);
            }
            return nb::make_tuple(counts_to_numpy(std::move(out)), run.reason());
        },
        "mask"_a, "links"_a, "weights"_a, "threads"_a, "seconds"_a.none());
}

void bind_algebra(nb::module_& m) {
    bind_algebra_of<double>(m, "FloatRows");
    bind_algebra_of<std::uint64_t>(m, "CountRows");
    bind_dense_product<double, float>(m);
    bind_dense_product<double, double>(m);
    bind_dense_product<std::uint64_t, std::int64_t>(m);
    m.def(
        "clique_support",
        [](const RowsHandle<double>& graph, Array<std::int64_t> reverse, int size, int threads,
           std::optional<double> seconds) {
            KernelRun run(threads, seconds, std::nullopt);
            std::vector<std::uint64_t> out;
            {
                const nb::gil_scoped_release free;
                out = grape::clique_support(graph.places(), reverse.data(), size, run.threads,
                                            run.control, run.watcher);
            }
            return nb::make_tuple(counts_to_numpy(std::move(out)), run.reason());
        },
        "graph"_a, "reverse"_a.noconvert(), "size"_a, "threads"_a, "seconds"_a.none());
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Matching core of grape-gnn.";
    bind_graph(m);
    bind_templates(m);
    bind_algebra(m);
}
