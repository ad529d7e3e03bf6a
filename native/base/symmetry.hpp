// Symmetries of an anchored template: its stabiliser, its roles, its canonical order.
//
// The roles (Ego-AE sets, Definition 2 of the paper) are the orbits of the automorphisms that
// keep the anchor fixed. All functions work by backtracking, which is exact and fast enough
// because a template has at most eight nodes.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/template.hpp"

namespace grape {

using Permutation = std::array<std::int8_t, kMaxTemplateNodes>;  // node -> image
using Group = std::vector<Permutation>;

// Every automorphism that fixes the anchor, the identity first.
Group stabiliser(const Template& t);

// role_of[node]: role 0 is the anchor alone, the others in the order of their smallest node.
std::array<int, kMaxTemplateNodes> roles(const Template& t, const Group& group);

// The nodes in the order that makes the adjacency code largest; the anchor stays first. Two
// templates are isomorphic by an anchor-preserving map exactly when their codes agree. Every
// node in this order is adjacent to an earlier one.
Permutation canonical_order(const Template& t);

// Pairs (a, b): demanding image(a) < image(b) for all of them keeps exactly one map of each
// class {f . g : g in group}. Nodes are fixed one by one in the given order.
std::vector<std::pair<int, int>> symmetry_breaking(Group group, const std::vector<int>& order);

// 0, 1, ..., size - 1.
std::vector<int> natural_order(int size);

}  // namespace grape
