// Rewiring: a random graph in which every node keeps its degree, by a Markov chain of swaps.
//
// A step draws two edges a-b and c-d and makes a-d and c-b of them, unless that would be a loop or
// an edge that is there already: then the graph stays as it is, and the step counts all the same.
// A step and its reverse are equally likely, so the chain's stationary distribution is uniform; and
// swaps lead from any simple graph to any other with the same degrees (Taylor 1981; Ryser 1957 for
// bipartite ones). Digraphs without loops also need directed triangles to turn round (Rao, Jana and
// Bandyopadhyay 1996): one step in eight tries that.
//
// With labels, swaps stay between edges that join the same two labels in the same direction, so
// that every node keeps how many neighbours of each label it has. Each pair of labels is then a
// chain of its own kind: bipartite if the two differ.
#pragma once

#include <cstdint>
#include <vector>

#include "base/graph.hpp"
#include "base/parallel.hpp"

namespace grape {

struct Rewired {
    std::vector<Node> tails;
    std::vector<Node> heads;
    std::int64_t accepted = 0;   // steps that changed the graph
    std::int64_t kept_half = 0;  // edges of the given graph that were there after half the steps
    std::int64_t kept = 0;       // and after all of them
};

// `keep_labels` needs a graph with labels; a missing label, -1, is one of its own.
Rewired rewire(const GraphView& graph, std::uint64_t seed, std::int64_t steps, bool keep_labels,
               Control& control, const Watcher& watcher);

}  // namespace grape
