#include "matching/enumerate.hpp"

#include "base/bit_sets.hpp"
#include "bindings/common.hpp"
#include "matching/plan_cost.hpp"
#include "matching/search_sample.hpp"

namespace grape::python {
namespace {

Plan plan_for(const GraphView& graph, const Template& t, bool induced) {
    return make_plan(t, induced, true, shape_of(graph, BitSets::Shared::pays(graph, t)));
}

}  // namespace

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
            const Plan plan = plan_for(graph.view, t, induced);
            return std::pair(describe(plan), plan.cost);
        },
        "graph"_a, "template"_a, "induced"_a,
        "The plan of the enumeration in words, and its steps per ego at a rough guess.");
    m.def(
        "enumeration_work",
        [](const GraphHandle& graph, const Template& t, bool induced, double allowance,
           const Limits& limits) {
            const auto [work, stop, done] =
                run_watched(limits, nb::none(), [&](auto& control, const auto& watcher) {
                    return sample_search(graph.view, t, plan_for(graph.view, t, induced),
                                         BitSets::Shared::pays(graph.view, t), allowance, control,
                                         watcher);
                });
            return nb::make_tuple(
                std::vector{work.bound, work.derived, work.walked, work.gathered, work.combined,
                            work.words, work.decoded, work.handed, work.finished},
                work.additions, stop);
        },
        "graph"_a, "template"_a, "induced"_a, "allowance"_a, "limits"_a,
        "Estimated steps of the enumeration by kind, additions to each role, and why it stopped.");
}

}  // namespace grape::python
