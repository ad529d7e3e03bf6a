#include "nulls/rewire.hpp"

#include "bindings/common.hpp"

namespace grape::python {

void bind_rewire(nb::module_& m) {
    m.def(
        "rewire",
        [](const GraphHandle& graph, std::uint64_t seed, std::int64_t steps, bool keep_labels) {
            auto [found, stop, done] =
                run_watched(Limits{}, nb::none(), [&](auto& control, const auto& watcher) {
                    return rewire(graph.view, seed, steps, keep_labels, control, watcher);
                });
            return nb::make_tuple(to_numpy(std::move(found.tails)),
                                  to_numpy(std::move(found.heads)), found.accepted, found.kept_half,
                                  found.kept);
        },
        "graph"_a, "seed"_a, "steps"_a, "keep_labels"_a,
        "Ends of the edges after so many steps of a chain of swaps.");
}

}  // namespace grape::python
