// "Is there an arc from a to b?" in constant time on small or dense graphs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/graph.hpp"

namespace grape {

// A bit per pair of nodes where that is cheap, binary search in the sorted rows elsewhere.
class EdgeTest {
  public:
    static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

    // Bytes that the test takes where it may take `most`.
    static std::int64_t bytes(const GraphView& graph, std::int64_t most) {
        const std::int64_t n = graph.num_nodes;
        const std::int64_t bits = (n + 63) / 64 * n * 8;
        // Beyond this the bits would leave the cache and lose to the search.
        const std::int64_t pays = std::max<std::int64_t>(4 << 20, 32 * graph.num_entries());
        return bits > std::min(pays, most) ? 0 : bits;
    }

    explicit EdgeTest(const GraphView& graph, std::int64_t most = kNoLimit) : graph_(graph) {
        const std::int64_t n = graph.num_nodes;
        const std::int64_t words = (n + 63) / 64;
        if (bytes(graph, most) == 0) return;
        words_ = words;
        bits_.assign(static_cast<std::size_t>(words * n), 0);
        for (Node v = 0; v < graph.num_nodes; ++v)
            for (Node u : graph.neighbours(v, Side::out))
                bits_[v * words + (u >> 6)] |= std::uint64_t{1} << (u & 63);
    }

    bool dense() const { return words_ > 0; }

    bool operator()(Node from, Node to, EdgeType type = kAnyType) const {
        if (type != kAnyType) return graph_.has_arc(from, to, type);
        if (words_ > 0) return (bits_[from * words_ + (to >> 6)] >> (to & 63)) & 1u;
        if (!graph_.directed && graph_.degree(to, Side::out) < graph_.degree(from, Side::out))
            return graph_.has_arc(to, from);
        return graph_.has_arc(from, to);
    }

    // Copies the items whose node is tied to v to the front of `out`, in order; returns how many.
    // For Way::out the arcs lead from v to the nodes. `out` may be where the items are.
    template <class Items, class NodeOf, class Item>
    std::size_t keep_tied(Node v, Side side, const Items& items, NodeOf node_of, Item* out) const {
        std::size_t kept = 0;
        if (words_ > 0 && (side == Side::out || (side == Side::in && !graph_.directed))) {
            const std::uint64_t* bits = bits_.data() + v * words_;
            for (const Item item : items) {
                const Node u = node_of(item);
                out[kept] = item;
                kept += (bits[u >> 6] >> (u & 63)) & 1u;  // no branch to mispredict
            }
            return kept;
        }
        for (const Item item : items) {
            const Node u = node_of(item);
            out[kept] = item;
            kept += side.way == Way::out ? (*this)(v, u, side.type) : (*this)(u, v, side.type);
        }
        return kept;
    }

  private:
    GraphView graph_;
    std::int64_t words_ = 0;
    std::vector<std::uint64_t> bits_;
};

}  // namespace grape
