// The only file that knows Python: it turns arrays into views, releases the GIL around the
// core, and hands results back without copying them. No algorithm lives here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "control.hpp"
#include "esu.hpp"
#include "graph.hpp"
#include "incremental.hpp"
#include "instance_cursor.hpp"
#include "parallel.hpp"
#include "symmetry.hpp"
#include "table_roles.hpp"
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

// ---------------------------------------------------------------- instances

// An instance cursor with the edge test it refers to.
struct CursorHandle {
    grape::EdgeTest has_arc;
    grape::InstanceCursor cursor;

    CursorHandle(const GraphHandle& graph, const grape::Template& t, bool induced,
                 std::int32_t first, std::int32_t last)
        : has_arc(graph.view), cursor(graph.view, has_arc, t, induced, first, last) {}
    CursorHandle(const CursorHandle&) = delete;
};

// The budgets of a run, and in the end why it stopped.
using Limits = std::tuple<std::optional<double>, std::optional<std::int64_t>,
                          std::optional<std::int64_t>>;

grape::Budget make_budget(const Limits& limits) {
    return make_budget(std::get<0>(limits), std::get<1>(limits), std::get<2>(limits));
}

// Runs body(control, watcher) without the GIL and returns (its result, stop reason, items done).
template <class Body>
auto run_watched(const Limits& limits, nb::object progress, const Body& body) {
    grape::Control control(make_budget(limits));
    const grape::Watcher watcher = make_watcher(std::move(progress));
    const nb::gil_scoped_release released;
    auto result = body(control, watcher);
    return std::make_tuple(std::move(result), static_cast<int>(control.reason()), control.done());
}

nb::list to_arrays(std::vector<grape::CsrMatrix>&& matrices) {
    nb::list out;
    for (auto& m : matrices)
        out.append(nb::make_tuple(to_numpy(std::move(m.value)), to_numpy(std::move(m.idx)),
                                  to_numpy(std::move(m.ptr))));
    return out;
}

void bind_instances(nb::module_& m) {
    nb::class_<CursorHandle>(m, "InstanceCursor", "Resumable walk over instances.")
        .def(nb::init<const GraphHandle&, const grape::Template&, bool, std::int32_t,
                      std::int32_t>(),
             "graph"_a, "template"_a, "induced"_a, "first"_a, "last"_a, nb::keep_alive<1, 2>())
        .def(
            "next_batch",
            [](CursorHandle& self, std::int64_t rows, std::int64_t steps) {
                std::vector<std::int32_t> batch;
                bool more = false;
                {
                    const nb::gil_scoped_release released;
                    more = self.cursor.next_batch(rows, steps, batch);
                }
                return nb::make_tuple(to_numpy(std::move(batch)), more);
            },
            "max_rows"_a, "max_steps"_a);
}

std::optional<grape::Sampling> make_sampling(std::optional<std::int64_t> sample,
                                             std::uint64_t seed) {
    if (!sample) return std::nullopt;
    return grape::Sampling{*sample, seed};
}

void bind_tables(nb::module_& m) {
    using grape::InstanceTable;
    nb::class_<InstanceTable>(m, "InstanceTable", "Instances of a template in canonical numbering.")
        .def_prop_ro("num_instances", &InstanceTable::num_instances)
        .def_prop_ro("bytes", &InstanceTable::bytes)
        .def_prop_ro("totals",
                     [](const InstanceTable& self) {
                         std::vector<std::int64_t> totals(self.block.size());
                         for (std::size_t ego = 0; ego < totals.size(); ++ego)
                             totals[ego] = self.total(static_cast<grape::Node>(ego));
                         return to_numpy(std::move(totals));
                     }, nb::rv_policy::move)
        .def_prop_ro("complete",
                     [](const InstanceTable& self) {
                         return to_numpy(std::vector<std::uint8_t>(self.complete));
                     }, nb::rv_policy::move)
        .def_prop_ro("weights",
                     [](const InstanceTable& self) {
                         return to_numpy(std::vector<double>(self.weight));
                     }, nb::rv_policy::move)
        .def("rows",
             [](const InstanceTable& self, grape::Node ego) { return to_numpy(self.rows(ego)); });
    m.def(
        "build_table",
        [](const GraphHandle& graph, const grape::Template& t, int threads, const Limits& limits,
           std::optional<std::int64_t> sample, std::uint64_t seed, nb::object progress) {
            return run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                return grape::build_table(
                    graph.view, t, {threads, make_sampling(sample, seed), control, watcher});
            });
        },
        "graph"_a, "template"_a, "threads"_a, "limits"_a, "sample"_a.none(), "seed"_a,
        "progress"_a.none());
    m.def(
        "derive_table",
        [](const GraphHandle& graph, const InstanceTable& parent,
           const grape::Template& parent_template, const grape::Template& child,
           const std::vector<int>& image, int threads, const Limits& limits,
           std::optional<std::int64_t> sample, std::uint64_t seed, nb::object progress) {
            return run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                return grape::derive_table(
                    graph.view, parent, parent_template, child, image,
                    {threads, make_sampling(sample, seed), control, watcher});
            });
        },
        "graph"_a, "parent"_a, "parent_template"_a, "child"_a, "image"_a, "threads"_a, "limits"_a,
        "sample"_a.none(), "seed"_a, "progress"_a.none());
    m.def(
        "estimate_instances",
        [](const GraphHandle& graph, const grape::Template& t, std::int64_t probes,
           std::uint64_t seed) {
            const nb::gil_scoped_release released;
            return grape::estimate_instances(graph.view, t, probes, seed);
        },
        "graph"_a, "template"_a, "probes"_a, "seed"_a);
    m.def(
        "table_roles",
        [](const InstanceTable& table, const std::vector<int>& role_of, int threads,
           const Limits& limits, nb::object progress) {
            auto [roles, stop, done] =
                run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                    return grape::table_roles(table, role_of, threads, control, watcher);
                });
            return nb::make_tuple(to_arrays(std::move(roles)), stop, done);
        },
        "table"_a, "role_of"_a, "threads"_a, "limits"_a, "progress"_a.none());
}

// ---------------------------------------------------------------- esu

void bind_esu(nb::module_& m) {
    m.def(
        "esu_roles",
        [](const GraphHandle& graph, const grape::Template& t, bool induced, int threads,
           const Limits& limits, nb::object progress) {
            auto [result, stop, done] =
                run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                    return grape::esu_roles(graph.view, t, induced, threads, control, watcher);
                });
            return nb::make_tuple(to_arrays(std::move(result.roles)),
                                  to_numpy(std::move(result.totals)), stop, done);
        },
        "graph"_a, "template"_a, "induced"_a, "threads"_a, "limits"_a, "progress"_a.none());
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Matching core of grape-gnn.";
    bind_graph(m);
    bind_templates(m);
    bind_instances(m);
    bind_tables(m);
    bind_esu(m);
}
