// A walk through the instances of a template that can be paused after any of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "instances/instance_plan.hpp"

namespace grape {

// Meets every instance with an ego in [first, last) exactly once, egos in ascending order. The
// state is one candidate list per template node, whatever the number of instances.
class InstanceCursor {
  public:
    InstanceCursor(const GraphView& graph, const EdgeTest& has_arc, const Template& t, bool induced,
                   Node first, Node last);

    // Appends up to `max_rows` maps (template node -> graph node, in the order of the template's
    // nodes) and gives up after about `max_steps` tried candidates, found or not, so that the
    // caller can look around. False once all instances have been met.
    bool next_batch(std::int64_t max_rows, std::int64_t max_steps, std::vector<Node>& rows);

  private:
    void open(int depth);
    void emit(std::vector<Node>& rows);

    std::vector<CandidateFinder> finders_;  // by position
    int size_;
    Node next_ego_;
    Node last_ego_;
    int depth_ = 0;
    std::array<Node, kMaxTemplateNodes> image_{};  // by position
    std::array<std::span<const Node>, kMaxTemplateNodes> candidates_{};
    std::array<std::size_t, kMaxTemplateNodes> taken_{};
};

}  // namespace grape
