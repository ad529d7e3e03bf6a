#include "base/ego_order.hpp"

#include <algorithm>

namespace grape {

// Sorts by counting: in one step per ego, however many there are.
std::vector<Node> egos_by_degree(const GraphView& graph, std::span<const Node> egos,
                                 bool hubs_last) {
    const auto size = [&](Node v) {
        return graph.degree(v, Side::out) + (graph.directed ? graph.degree(v, Side::in) : 0);
    };
    Offset largest = 0;
    for (Node v : egos) largest = std::max<Offset>(largest, size(v));
    const auto rank = [&](Node v) {
        return static_cast<std::size_t>(hubs_last ? size(v) : largest - size(v));
    };
    std::vector<std::size_t> place(static_cast<std::size_t>(largest) + 2, 0);
    for (Node v : egos) ++place[rank(v) + 1];
    for (std::size_t k = 1; k < place.size(); ++k) place[k] += place[k - 1];
    std::vector<Node> order(egos.size());
    for (Node v : egos) order[place[rank(v)]++] = v;
    return order;
}

}  // namespace grape
