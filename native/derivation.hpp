// How the maps of a child template arise from the stored instances of its parent.
//
// A map of the child, restricted to the parent's nodes, is f.g for exactly one stored instance f
// and one g of the parent's stabiliser. So every pair (f, g) is tried: a new edge filters, a new
// node extends, and a map is kept if it satisfies the child's own symmetry-breaking order. Each
// child instance is met once; nothing is looked up or compared with earlier finds.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "control.hpp"
#include "edge_test.hpp"
#include "instance_plan.hpp"
#include "instance_table.hpp"
#include "row_collector.hpp"

namespace grape {

// Where one worker puts the instances of the ego at hand; keeps the budgets.
class EgoSink {
  public:
    EgoSink(RowCollector collector, Control& control, std::atomic<std::int64_t>& found)
        : collector_(std::move(collector)), control_(&control), found_(&found) {}

    void start(Node ego) {
        collector_.start(ego);
        charged_ = reported_ = 0;
    }
    void add(Row row) {
        collector_.add(row);
        if ((collector_.seen() & 4095) == 0) account(collector_.bytes());
    }
    bool stopped() const { return control_->stopped(); }

    // The packed block stays charged to the memory budget, the working space does not.
    std::unique_ptr<std::uint32_t[]> finish(double& weight);

  private:
    void account(std::int64_t bytes);

    RowCollector collector_;
    Control* control_;
    std::atomic<std::int64_t>* found_;
    std::int64_t charged_ = 0;
    std::int64_t reported_ = 0;
};

// For one g: which level of the parent's table feeds which child node, and what to check there.
struct Route {
    using LevelPair = std::pair<int, int>;

    std::array<int, kMaxTemplateNodes> level{};  // by child node
    // By the deeper of the two levels, so that hopeless prefixes are left early.
    std::array<std::vector<LevelPair>, kMaxTemplateNodes> less;  // image(first) < image(second)
    std::array<std::vector<LevelPair>, kMaxTemplateNodes> arcs;  // the new edges
};

class Derivation {
  public:
    Derivation(const Template& parent, const Template& child, const std::vector<int>& image);

    bool keeps_order() const;  // maps come out sorted by the child's nodes

    int parent_levels;
    Template child;
    std::vector<Route> routes;
    int fresh = -1;                           // the child's new node, if any
    std::vector<Tie> ties;                    // of the new node; positions are child nodes
    std::vector<int> smaller, larger, apart;  // child nodes with images below, above, other

  private:
    bool add_checks(const Template& parent, const std::vector<int>& image,
                    const std::vector<std::pair<int, int>>& order_of_child,
                    const std::vector<std::vector<bool>>& parent_less, Route& route) const;
};

class DerivationWalk {
  public:
    DerivationWalk(const GraphView& graph, const EdgeTest& has_arc, const Derivation& derivation)
        : graph_(graph), has_arc_(has_arc), plan_(derivation) {}

    void run(Node ego, const EgoTrie& parent, EgoSink& sink);

  private:
    void descend(int level, std::uint32_t begin, std::uint32_t end);
    void emit();
    void extend();

    GraphView graph_;
    const EdgeTest& has_arc_;
    const Derivation& plan_;
    const EgoTrie* trie_ = nullptr;
    const Route* route_ = nullptr;
    EgoSink* sink_ = nullptr;
    std::array<Node, kMaxTemplateNodes> image_{};  // by the parent's level
    std::array<Node, kMaxTemplateNodes> row_{};    // by the child's node
};

}  // namespace grape
