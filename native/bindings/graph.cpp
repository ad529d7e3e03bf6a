#include "common.hpp"
#include "triangles.hpp"

namespace grape::python {

void bind_graph(nb::module_& m) {
    nb::class_<GraphHandle>(m, "Graph", "Sorted CSR arrays of a graph, shared with NumPy.")
        .def(nb::init<bool, Array<std::int64_t>, Array<std::int32_t>, Array<std::int64_t>,
                      Array<std::int32_t>, std::optional<Array<std::int32_t>>>(),
             "directed"_a, "out_ptr"_a.noconvert(), "out_idx"_a.noconvert(), "in_ptr"_a.noconvert(),
             "in_idx"_a.noconvert(), "labels"_a.noconvert() = nb::none());
    m.def(
        "count_triangles",
        [](const GraphHandle& graph) {
            const Watcher watcher = make_watcher(nb::none());
            const nb::gil_scoped_release released;
            return count_triangles(graph.view, watcher);
        },
        "graph"_a, "Number of triangles of an undirected graph.");
}

}  // namespace grape::python
