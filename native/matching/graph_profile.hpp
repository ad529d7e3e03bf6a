// What the cost estimates know of a graph: sums over its degrees, and how often walks close.
#pragma once

#include "base/graph.hpp"
#include "base/parallel.hpp"

namespace grape {

struct GraphProfile {
    double wedges = 0;        // walks of two steps
    double smaller_ends = 0;  // sum over the stored edges of the smaller degree
    double two_hops = 0;      // pairs joined by such walks, if these end anywhere
    // For a random stored edge, how many nodes of its shorter row lie in its longer one: the
    // share, and the same when edges weigh as many times as they have such nodes.
    double closing = 0;
    double closing_in_triangles = 0;
};

GraphProfile profile(const GraphView& graph, Control& control, const Watcher& watcher);

}  // namespace grape
