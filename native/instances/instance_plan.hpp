// In which order the nodes of a template are matched, and what each must satisfy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/edge_test.hpp"
#include "base/graph.hpp"
#include "base/template.hpp"

namespace grape {

// A node of the graph must (or must not) be among the neighbours of an earlier image.
struct Tie {
    int position;
    Side side;
};

// What the image of one template node must satisfy, given the images at earlier positions.
struct InstanceStep {
    int node = 0;              // the template node
    std::vector<Tie> ties;     // required arcs, at least one, positions ascending
    std::vector<Tie> gaps;     // forbidden arcs (induced matching only)
    std::vector<int> smaller;  // positions whose image must be smaller: breaks the symmetry
    std::vector<int> larger;   // positions whose image must be larger
    std::vector<int> apart;    // untied positions: their image must differ
    std::int32_t label = kAnyLabel;
};

// One step per template node in the given order: the anchor first, every later node adjacent to
// an earlier one. Exactly one map of each class under the anchor's stabiliser satisfies all steps.
std::vector<InstanceStep> instance_plan(const Template& t, const std::vector<int>& order,
                                        bool induced);

// The candidates for one step, in ascending order.
class CandidateFinder {
  public:
    CandidateFinder(const GraphView& graph, const EdgeTest& has_arc, InstanceStep step)
        : graph_(graph), has_arc_(&has_arc), step_(std::move(step)) {}

    // `image` by position. The result stays valid until the next call.
    std::span<const Node> find(const Node* image);

    // Whether a node may take the step's place as far as its label goes.
    bool label_fits(Node v) const {
        return step_.label == kAnyLabel ||
               (graph_.label != nullptr && graph_.label[v] == step_.label);
    }
    const InstanceStep& step() const { return step_; }

  private:
    std::span<const Node> row(std::size_t tie, const Node* image) const {
        return graph_.neighbours(image[step_.ties[tie].position], step_.ties[tie].side);
    }
    std::span<const Node> between(std::span<const Node> found, const Node* image) const;
    std::span<const Node> keep_tied(std::span<const Node> candidates, std::size_t tie,
                                    const Node* image, std::vector<Node>& out) const;
    std::span<const Node> common(std::size_t ties, const Node* image);
    std::span<const Node> keep_fitting(std::span<const Node> candidates, const Node* image);

    GraphView graph_;
    const EdgeTest* has_arc_;
    InstanceStep step_;
    std::vector<Node> buffer_;
    // Common neighbours of all ties but the last, and the images they belong to. The last tie
    // changes fastest, so they serve many calls.
    std::vector<Node> shared_;
    std::vector<Node> shared_images_;
};

}  // namespace grape
