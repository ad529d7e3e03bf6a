// In which order the nodes of a template are matched, and what each must satisfy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "edge_test.hpp"
#include "graph.hpp"
#include "template.hpp"

namespace grape {

// A node of the graph must (or must not) be among the neighbours of an earlier image.
struct Tie {
    int position;
    Side side;
};

struct InstanceStep {
    int node = 0;              // the template node matched at this position
    std::vector<Tie> ties;     // required arcs to earlier positions, at least one
    std::vector<Tie> gaps;     // forbidden arcs (induced matching only)
    std::vector<int> smaller;  // positions whose image must be smaller: breaks the symmetry
    std::vector<int> apart;    // untied positions: their image must differ
    std::int32_t label = kAnyLabel;
};

// One step per template node in the given order: the anchor first, every later node adjacent to
// an earlier one. Exactly one map of each class under the anchor's stabiliser satisfies all steps.
std::vector<InstanceStep> instance_plan(const Template& t, const std::vector<int>& order,
                                        bool induced);

// The candidates of a position, given the images of the earlier ones, in ascending order.
class CandidateFinder {
  public:
    CandidateFinder(const GraphView& graph, const EdgeTest& has_arc, std::vector<InstanceStep> plan)
        : graph_(graph), has_arc_(has_arc), plan_(std::move(plan)) {}

    // The result stays valid until the next call for the same position.
    std::span<const Node> find(int position, const Node* image);

    bool anchor_fits(Node ego) const {
        return plan_[0].label == kAnyLabel || label_fits(plan_[0], ego);
    }
    const std::vector<InstanceStep>& plan() const { return plan_; }

  private:
    bool label_fits(const InstanceStep& step, Node v) const {
        return graph_.label != nullptr && graph_.label[v] == step.label;
    }
    std::span<const Node> intersect(std::span<const Node> candidates, Tie tie, Node image,
                                    Node* out) const;

    GraphView graph_;
    const EdgeTest& has_arc_;
    std::vector<InstanceStep> plan_;
    std::array<std::vector<Node>, kMaxTemplateNodes> buffer_;
};

}  // namespace grape
