#include "matching/plan_cost.hpp"

#include <algorithm>
#include <cmath>

namespace grape {
namespace {

double expected_size(const Plan& plan, int set, const GraphShape& shape) {
    const SetStep& step = plan.sets[set];
    switch (step.kind) {
        case SetStep::Kind::row:
            return shape.degree;
        case SetStep::Kind::two_hops:  // as many as distinct nodes among degree^2 random ones
            return shape.num_nodes * -std::expm1(-shape.degree * shape.degree / shape.num_nodes);
        case SetStep::Kind::subtract:
            return expected_size(plan, step.source, shape);
        default:
            return shape.closing * expected_size(plan, step.source, shape);
    }
}

double cost_to_derive(const Plan& plan, const SetStep& step, const GraphShape& shape) {
    switch (step.kind) {
        case SetStep::Kind::row:
            return 0;
        case SetStep::Kind::two_hops:
            return shape.degree * (shape.set_words > 0 ? shape.set_words : 4 * shape.degree);
        case SetStep::Kind::label:
            return shape.set_words > 0 ? shape.set_words : expected_size(plan, step.source, shape);
        default:
            return shape.set_words > 0
                       ? shape.set_words
                       : 2 * (expected_size(plan, step.source, shape) + shape.degree);
    }
}

// Walking over a bitset means decoding its words first.
double cost_to_walk(const Plan& plan, int set, const GraphShape& shape) {
    const double size = expected_size(plan, set, shape);
    if (plan.sets[set].kind == SetStep::Kind::row || shape.set_words == 0) return 2 * size;
    return 4 * shape.set_words + 2 * size;
}

}  // namespace

// The constants were fitted to measured plans.
double expected_cost(const Plan& plan, const GraphShape& shape) {
    double visits = 1;
    double cost = 0;
    for (std::size_t level = 0; level < plan.core.size(); ++level) {
        if (level > 0) {
            visits *= expected_size(plan, plan.candidates[level], shape);
            for (std::size_t k = 0; k < plan.above[level].size() + plan.below[level].size(); ++k)
                visits *= 0.5;
        }
        double work = 15;
        for (int set : plan.sets_at[level]) work += cost_to_derive(plan, plan.sets[set], shape);
        for (int slot : plan.slots_at[level])
            work += cost_to_walk(plan, plan.slots[slot].set, shape);
        cost += visits * work;
    }
    return cost + visits * (25.0 + 8.0 * static_cast<double>(plan.block_set.size()));
}

GraphShape shape_of(const GraphView& graph, bool bitsets) {
    double entries = 0;
    double squares = 0;
    for (Node v = 0; v < graph.num_nodes; ++v) {
        const auto d = static_cast<double>(graph.degree(v, Side::out));
        entries += d;
        squares += d * d;
    }
    const double n = std::max<double>(1, graph.num_nodes);
    return {n, entries > 0 ? squares / entries : 0, 0.2, bitsets ? n / 256 + 10 : 0};
}

}  // namespace grape
