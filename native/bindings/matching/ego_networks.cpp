#include "matching/ego_networks.hpp"

#include "bindings/common.hpp"

namespace grape::python {

void bind_ego_networks(nb::module_& m) {
    m.def(
        "ego_network_counts",
        [](const GraphHandle& graph, bool rim, int threads, const Limits& limits,
           nb::object progress) {
            auto [counts, stop, done] =
                run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                    return ego_network_counts(graph.view, rim, threads, control, watcher);
                });
            return nb::make_tuple(to_numpy(std::move(counts.spoke)),
                                  to_numpy(std::move(counts.rim)), to_numpy(std::move(counts.full)),
                                  to_numpy(std::move(counts.open)), stop);
        },
        "graph"_a, "rim"_a, "threads"_a, "limits"_a, "progress"_a.none());
}

}  // namespace grape::python
