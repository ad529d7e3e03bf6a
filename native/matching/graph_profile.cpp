#include "matching/graph_profile.hpp"

#include <cmath>

#include "base/sorted_sets.hpp"

namespace grape {
namespace {

constexpr int kSampledEdges = 300;
constexpr Node kRowsPerLook = 4096;

void sample_closing(const GraphView& graph, GraphProfile& found, Control& control) {
    const SortedSets sets(SortedSets::Shared(graph), 0);
    const auto entries = static_cast<double>(graph.num_entries());
    double met = 0, tried = 0, met_twice = 0, tried_in_triangles = 0;
    for (int k = 0; k < kSampledEdges; ++k) {
        const auto e = static_cast<Offset>((k + 0.5) / kSampledEdges * entries);
        const auto* above = std::upper_bound(graph.out_ptr, graph.out_ptr + graph.num_nodes, e);
        const auto tail = static_cast<Node>(above - graph.out_ptr - 1);
        const Node head = graph.out_idx[e];
        const auto common =
            static_cast<double>(sets.intersect_size(sets.row(tail, Side::out), head, Side::out));
        const auto shorter = static_cast<double>(
            std::min(graph.degree(tail, Side::out), graph.degree(head, Side::out)));
        met += common;
        tried += shorter;
        met_twice += common * common;
        tried_in_triangles += common * shorter;
        control.check_time();
        if (control.stopped()) return;
    }
    found.closing = tried > 0 ? met / tried : 0;
    found.closing_in_triangles = tried_in_triangles > 0 ? met_twice / tried_in_triangles : 0;
}

}  // namespace

GraphProfile profile(const GraphView& graph, Control& control, const Watcher& watcher) {
    GraphProfile found;
    if (graph.num_entries() == 0) return found;
    const auto n = static_cast<double>(graph.num_nodes);
    for (Node v = 0; v < graph.num_nodes; ++v) {
        const auto here = static_cast<double>(graph.degree(v, Side::out));
        double walks = 0, smaller = 0;
        for (Node u : graph.neighbours(v, Side::out)) {
            const auto there = static_cast<double>(graph.degree(u, Side::out));
            walks += there;
            smaller += std::min(here, there);
        }
        found.wedges += walks;
        found.smaller_ends += smaller;
        found.two_hops -= n * std::expm1(-walks / n);
        if (v % kRowsPerLook != 0) continue;
        control.check_time();
        if (control.stopped()) return found;
        watcher(v, graph.num_nodes);
    }
    sample_closing(graph, found, control);
    return found;
}

}  // namespace grape
