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
#include "edge_list.hpp"
#include "graph.hpp"
#include "parallel.hpp"
#include "symmetry.hpp"
#include "template.hpp"
#include "triangles.hpp"

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
    m.def(
        "count_triangles",
        [](const GraphHandle& graph) {
            const grape::Watcher watcher = make_watcher(nb::none());
            const nb::gil_scoped_release released;
            return grape::count_triangles(graph.view, watcher);
        },
        "graph"_a, "Number of triangles of an undirected graph.");
}

// ---------------------------------------------------------------- edge lists

void bind_edge_list(nb::module_& m) {
    using grape::EdgeListParser;
    nb::class_<EdgeListParser>(m, "EdgeListParser", "Reads an edge list fed to it by chunks.")
        .def(
            "__init__",
            [](EdgeListParser* self, std::optional<bool> header, std::optional<char> separator) {
                new (self) EdgeListParser({header, separator});
            },
            "header"_a = nb::none(), "separator"_a = nb::none())
        .def(
            "feed",
            [](EdgeListParser& self, nb::bytes chunk) {
                const std::string_view view(chunk.c_str(), chunk.size());
                const nb::gil_scoped_release released;
                self.feed(view);
            },
            "chunk"_a, "Raises ValueError for a malformed line; `line` then tells which.")
        .def("finish", &EdgeListParser::finish, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("line", &EdgeListParser::line)
        .def_prop_ro("columns", &EdgeListParser::columns)
        .def_prop_ro("text_names", &EdgeListParser::text_names)
        .def(
            "take_edges",
            [](EdgeListParser& self) {
                return std::pair(to_numpy(std::move(self.src())), to_numpy(std::move(self.dst())));
            },
            "The two ends of every edge; the parser forgets them.")
        .def(
            "names",
            [](const EdgeListParser& self) {
                nb::list out;
                for (std::int64_t id = 0; id < self.names().size(); ++id) {
                    const std::string_view name = self.names()[id];
                    out.append(nb::str(name.data(), name.size()));
                }
                return out;
            },
            "Text names in order of first appearance; empty when all names are integers.");
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

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Matching core of grape-gnn.";
    bind_graph(m);
    bind_edge_list(m);
    bind_templates(m);
}
