// Instance tables: built from the graph, or derived from the table of a slightly smaller template
// (the paper's incremental matching, Proposition 1 and its appendix).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/control.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"
#include "base/template.hpp"
#include "instances/instance_table.hpp"
#include "instances/row_collector.hpp"

namespace grape {

struct TableRun {
    int threads;
    std::optional<Sampling> sampling;
    Control& control;
    const Watcher& watcher;
};

// Both stop when the control says so; then `complete` tells which egos were done.
// Templates are numbered in canonical order.
InstanceTable build_table(const GraphView& graph, const Template& t, const TableRun& run);

// `image[c]` is the parent's node that child node c stems from, or -1 for the one node the parent
// lacks. The child has all edges of the parent, and any more.
InstanceTable derive_table(const GraphView& graph, const InstanceTable& parent,
                           const Template& parent_template, const Template& child,
                           const std::vector<int>& image, const TableRun& run);

// Estimates the number of instances by random descents into the search tree (Knuth 1975), spread
// evenly over the egos. Unbiased; meant for "would this table fit?".
double estimate_instances(const GraphView& graph, const Template& t, std::int64_t probes,
                          std::uint64_t seed);

}  // namespace grape
