#include "enumerate.hpp"

#include "bit_sets.hpp"
#include "common.hpp"
#include "plan_cost.hpp"

namespace grape::python {

void bind_enumerate(nb::module_& m) {
    m.def(
        "enumerate_roles",
        [](const GraphHandle& graph, const Template& t, Array<std::int32_t> egos, bool membership,
           bool induced, bool pairs, bool partial, int threads, const Limits& limits,
           nb::object progress) {
            auto [counts, stop, done] =
                run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                    return enumerate_roles(graph.view, t, {egos.data(), egos.shape(0)},
                                           {membership, induced, pairs, partial, threads}, control,
                                           watcher);
                });
            return nb::make_tuple(to_arrays(std::move(counts.roles)),
                                  to_numpy(std::move(counts.totals)),
                                  to_numpy(std::move(counts.complete)), stop, done);
        },
        "graph"_a, "template"_a, "egos"_a.noconvert(), "membership"_a, "induced"_a, "pairs"_a,
        "partial"_a, "threads"_a, "limits"_a, "progress"_a.none());
    m.def(
        "enumeration_plan",
        [](const GraphHandle& graph, const Template& t, bool induced) {
            const bool bits = BitSets::Shared::pays(graph.view);
            const Plan plan = make_plan(t, induced, true, shape_of(graph.view, bits));
            return std::pair(describe(plan), plan.cost);
        },
        "graph"_a, "template"_a, "induced"_a,
        "The plan of the enumeration in words, and its expected steps per ego.");
}

}  // namespace grape::python
