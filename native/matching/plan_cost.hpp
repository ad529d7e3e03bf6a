// What a plan is expected to cost on a graph, so that the cheapest can be chosen.
#pragma once

#include "matching/plan.hpp"

namespace grape {

// What the cost estimate knows of the graph.
struct GraphShape {
    double num_nodes;
    double degree;     // of a random neighbour: hubs weigh more, as they do in the work
    double closing;    // chance that a second constraint is met
    double set_words;  // steps of one bitset operation; 0: sorted lists
};

GraphShape shape_of(const GraphView& graph, bool bitsets);

// Expected elementary steps per ego; one is about a nanosecond.
double expected_cost(const Plan& plan, const GraphShape& shape);

}  // namespace grape
