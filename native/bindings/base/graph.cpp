#include "bindings/common.hpp"
#include "matching/graph_profile.hpp"
#include "matching/triangles.hpp"

namespace grape::python {

void bind_graph(nb::module_& m) {
    nb::class_<GraphHandle>(m, "Graph", "Sorted CSR arrays of a graph, shared with NumPy.")
        .def(nb::init<bool, Array<std::int64_t>, Array<std::int32_t>, Array<std::int64_t>,
                      Array<std::int32_t>, std::optional<Array<std::int32_t>>,
                      std::vector<Array<std::int32_t>>>(),
             "directed"_a, "out_ptr"_a.noconvert(), "out_idx"_a.noconvert(), "in_ptr"_a.noconvert(),
             "in_idx"_a.noconvert(), "labels"_a.noconvert() = nb::none(),
             "typed_rows"_a = std::vector<Array<std::int32_t>>{});
    m.def(
        "count_triangles",
        [](const GraphHandle& graph) {
            const Watcher watcher = make_watcher(nb::none());
            const nb::gil_scoped_release released;
            return count_triangles(graph.view, watcher);
        },
        "graph"_a, "Number of triangles of an undirected graph.");
    m.def(
        "graph_profile",
        [](const GraphHandle& graph, const Limits& limits) {
            const auto [found, stop, done] =
                run_watched(limits, nb::none(), [&](auto& control, const auto& watcher) {
                    return profile(graph.view, control, watcher);
                });
            return nb::make_tuple(found.wedges, found.smaller_ends, found.two_hops, found.closing,
                                  found.closing_in_triangles, stop);
        },
        "graph"_a, "limits"_a, "Sums over the degrees, and how often walks close.");
}

}  // namespace grape::python
