// Wheels, and cliques of five nodes short of an edge, counted in the ego networks of a graph.
//
// The ego network of h is what h's neighbours form among themselves. With p(a, c) for the number
// of common neighbours that a and c have in it, a rim of four through a, whose opposite is c,
// closes in C(p(a, c), 2) ways; and if a and c are neighbours themselves, as many pairs of nodes
// are joined to all of h, a and c. So one pass over all p counts both graphs, without a search
// for either.
#pragma once

#include "base/buffer.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"

namespace grape {

// One number for every stored edge (h, x).
struct EgoNetworkCounts {
    Buffer<std::int64_t> spoke;  // wheels with the hub h and x on the rim
    Buffer<std::int64_t> rim;    // wheels with h and x side by side on the rim; empty if not asked
    Buffer<std::int64_t> full;   // short cliques where both are joined to all others
    Buffer<std::int64_t> open;   // short cliques where h is, and x lacks the edge
};

// Of an undirected graph. Nothing if the run was stopped; a number that does not fit stops it.
EgoNetworkCounts ego_network_counts(const GraphView& graph, bool rim, int threads, Control& control,
                                    const Watcher& watcher);

}  // namespace grape
