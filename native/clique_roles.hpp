// Roles of cliques: all nodes but the ego share one role, and C[v, u] is the number of cliques
// that hold the edge (v, u). Orientation by degree and local bit rows find it without visiting
// a clique more than once.
#pragma once

#include "enumerate.hpp"

namespace grape {

bool is_clique(const Template& t);

// For every ego. A stopped run has no complete ego.
RoleCounts clique_roles(const GraphView& graph, int size, const EnumerateOptions& options,
                        Control& control, const Watcher& watcher);

}  // namespace grape
