// In which order egos are handed to the workers.
#pragma once

#include <span>
#include <vector>

#include "base/graph.hpp"

namespace grape {

// The given egos by their number of neighbours, equal ones as they come: hubs first, so that no
// worker is left with one at the end; or last, where a budget may cut the run off.
std::vector<Node> egos_by_degree(const GraphView& graph, std::span<const Node> egos,
                                 bool hubs_last);

}  // namespace grape
