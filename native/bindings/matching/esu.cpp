#include "matching/esu.hpp"

#include "bindings/common.hpp"

namespace grape::python {

void bind_esu(nb::module_& m) {
    m.def(
        "esu_roles",
        [](const GraphHandle& graph, const Template& t, bool induced, int threads,
           const Limits& limits, nb::object progress) {
            auto [result, stop, done] =
                run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                    return esu_roles(graph.view, t, induced, threads, control, watcher);
                });
            return nb::make_tuple(to_arrays(std::move(result.roles)),
                                  to_numpy(std::move(result.totals)), stop, done);
        },
        "graph"_a, "template"_a, "induced"_a, "threads"_a, "limits"_a, "progress"_a.none());
}

}  // namespace grape::python
