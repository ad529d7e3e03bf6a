#include "bindings/common.hpp"
#include "instances/incremental.hpp"
#include "instances/instance_cursor.hpp"
#include "instances/table_roles.hpp"

namespace grape::python {
namespace {

// An instance cursor with the edge test it refers to.
struct CursorHandle {
    EdgeTest has_arc;
    InstanceCursor cursor;

    CursorHandle(const GraphHandle& graph, const Template& t, bool induced, std::int32_t first,
                 std::int32_t last)
        : has_arc(graph.view), cursor(graph.view, has_arc, t, induced, first, last) {}
    CursorHandle(const CursorHandle&) = delete;
};

std::optional<Sampling> make_sampling(std::optional<std::int64_t> sample, std::uint64_t seed) {
    if (!sample) return std::nullopt;
    return Sampling{*sample, seed};
}

}  // namespace

void bind_instances(nb::module_& m) {
    nb::class_<CursorHandle>(m, "InstanceCursor", "Resumable walk over instances.")
        .def(nb::init<const GraphHandle&, const Template&, bool, std::int32_t, std::int32_t>(),
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

void bind_tables(nb::module_& m) {
    nb::class_<InstanceTable>(m, "InstanceTable", "Instances of a template in canonical numbering.")
        .def_prop_ro("num_instances", &InstanceTable::num_instances)
        .def_prop_ro("bytes", &InstanceTable::bytes)
        .def_prop_ro(
            "totals",
            [](const InstanceTable& self) {
                std::vector<std::int64_t> totals(self.block.size());
                for (std::size_t ego = 0; ego < totals.size(); ++ego)
                    totals[ego] = self.total(static_cast<Node>(ego));
                return to_numpy(std::move(totals));
            },
            nb::rv_policy::move)
        .def_prop_ro(
            "complete",
            [](const InstanceTable& self) {
                return to_numpy(std::vector<std::uint8_t>(self.complete));
            },
            nb::rv_policy::move)
        .def_prop_ro(
            "weights",
            [](const InstanceTable& self) { return to_numpy(std::vector<double>(self.weight)); },
            nb::rv_policy::move)
        .def("rows", [](const InstanceTable& self, Node ego) { return to_numpy(self.rows(ego)); });
    m.def(
        "build_table",
        [](const GraphHandle& graph, const Template& t, int threads, const Limits& limits,
           std::optional<std::int64_t> sample, std::uint64_t seed, nb::object progress) {
            return run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                return build_table(graph.view, t,
                                   {threads, make_sampling(sample, seed), control, watcher});
            });
        },
        "graph"_a, "template"_a, "threads"_a, "limits"_a, "sample"_a.none(), "seed"_a,
        "progress"_a.none());
    m.def(
        "derive_table",
        [](const GraphHandle& graph, const InstanceTable& parent, const Template& parent_template,
           const Template& child, const std::vector<int>& image, int threads, const Limits& limits,
           std::optional<std::int64_t> sample, std::uint64_t seed, nb::object progress) {
            return run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                return derive_table(graph.view, parent, parent_template, child, image,
                                    {threads, make_sampling(sample, seed), control, watcher});
            });
        },
        "graph"_a, "parent"_a, "parent_template"_a, "child"_a, "image"_a, "threads"_a, "limits"_a,
        "sample"_a.none(), "seed"_a, "progress"_a.none());
    m.def(
        "estimate_instances",
        [](const GraphHandle& graph, const Template& t, std::int64_t probes, std::uint64_t seed) {
            const nb::gil_scoped_release released;
            return estimate_instances(graph.view, t, probes, seed);
        },
        "graph"_a, "template"_a, "probes"_a, "seed"_a);
    m.def(
        "table_roles",
        [](const InstanceTable& table, const std::vector<int>& role_of, int threads,
           const Limits& limits, nb::object progress) {
            auto [roles, stop, done] =
                run_watched(limits, progress, [&](auto& control, const auto& watcher) {
                    return table_roles(table, role_of, threads, control, watcher);
                });
            return nb::make_tuple(to_arrays(std::move(roles)), stop, done);
        },
        "table"_a, "role_of"_a, "threads"_a, "limits"_a, "progress"_a.none());
}

}  // namespace grape::python
