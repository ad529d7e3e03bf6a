// The graph as every engine sees it: sorted compressed rows, borrowed from the caller.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace grape {

using Node = std::int32_t;
using Offset = std::int64_t;

// Which neighbours of a matched node are meant.
enum class Side : std::uint8_t { out, in };

// A simple graph: no loops, no parallel edges, every row sorted. For an undirected graph the
// `in` arrays are the `out` arrays.
struct GraphView {
    Node num_nodes = 0;
    bool directed = false;
    const Offset* out_ptr = nullptr;
    const Node* out_idx = nullptr;
    const Offset* in_ptr = nullptr;
    const Node* in_idx = nullptr;
    const std::int32_t* label = nullptr;  // nullptr: the graph has no node labels

    std::span<const Node> neighbours(Node v, Side side) const {
        const Offset* ptr = side == Side::out ? out_ptr : in_ptr;
        const Node* idx = side == Side::out ? out_idx : in_idx;
        return {idx + ptr[v], static_cast<std::size_t>(ptr[v + 1] - ptr[v])};
    }

    std::int64_t degree(Node v, Side side) const {
        const Offset* ptr = side == Side::out ? out_ptr : in_ptr;
        return ptr[v + 1] - ptr[v];
    }

    bool has_arc(Node from, Node to) const {
        const auto row = neighbours(from, Side::out);
        return std::binary_search(row.begin(), row.end(), to);
    }

    Offset num_entries() const { return out_ptr[num_nodes]; }
};

}  // namespace grape
