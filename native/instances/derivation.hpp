// How the maps of a child template arise from the stored instances of its parent.
//
// A map of the child, restricted to the parent's nodes, is f.g for exactly one stored instance f
// and one g of the parent's stabiliser. So every pair (f, g) is tried: a new edge filters, a new
// node extends, and a map is kept if it satisfies the child's own symmetry-breaking order. Each
// child instance is met once; nothing is looked up or compared with earlier finds.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/edge_test.hpp"
#include "instances/ego_sink.hpp"
#include "instances/instance_plan.hpp"
#include "instances/instance_table.hpp"

namespace grape {

// For one g: which level of the parent's table feeds which child node, and what to check there.
struct Route {
    // What an entry of a level must satisfy, given the entries above it. (Ties are new edges.)
    std::array<InstanceStep, kMaxTemplateNodes> filter;
    // What the child's new node must satisfy, if there is one; positions are the parent's levels.
    InstanceStep extension;
    std::array<int, kMaxTemplateNodes> level{};  // by child node; -1 for the new one
};

struct Derivation {
    // Both templates in canonical numbering; `image` as for derive_table.
    Derivation(const Template& parent, const Template& child, const std::vector<int>& image);

    bool keeps_order() const;  // maps come out sorted by the child's nodes

    int parent_levels;
    int child_size;
    int fresh = -1;  // the child's new node, if any
    std::vector<Route> routes;
};

class DerivationWalk {
  public:
    DerivationWalk(const GraphView& graph, const EdgeTest& has_arc, const Derivation& derivation);

    void run(Node ego, const EgoTrie& parent, EgoSink& sink);

  private:
    void descend(int level, std::uint32_t begin, std::uint32_t end);
    std::span<const std::uint32_t> keep_tied(int level, std::uint32_t begin, std::uint32_t end);
    void finish(std::span<const Node> leaves);

    const EdgeTest* has_arc_;
    const Derivation* plan_;
    std::vector<CandidateFinder> extensions_;  // by route
    const EgoTrie* trie_ = nullptr;
    std::size_t route_ = 0;
    EgoSink* sink_ = nullptr;
    std::array<Node, kMaxTemplateNodes> image_{};  // by the parent's level
    std::array<Node, kMaxTemplateNodes> row_{};    // by the child's node
    std::array<std::vector<std::uint32_t>, kMaxTemplateNodes> kept_;
    std::vector<Node> leaves_;
};

}  // namespace grape
