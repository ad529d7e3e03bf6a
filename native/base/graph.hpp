// The graph as every engine sees it: sorted compressed rows, borrowed from the caller.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>

namespace grape {

using Node = std::int32_t;
using Offset = std::int64_t;

using EdgeType = std::int32_t;

constexpr EdgeType kAnyType = -1;

enum class Way : std::uint8_t { out, in };

// Which neighbours of a matched node are meant: where its arcs lead to or come from, over edges of
// any type or of one.
struct Side {
    Way way;
    EdgeType type = kAnyType;

    static const Side out;  // of any type
    static const Side in;

    auto operator<=>(const Side&) const = default;
};

inline constexpr Side Side::out{Way::out};
inline constexpr Side Side::in{Way::in};

// The rows once more, each sorted by the type of the edge and then by node: however many types
// there are, the neighbours over edges of one are a sorted list.
struct TypedRows {
    const Node* idx = nullptr;
    const EdgeType* type = nullptr;

    std::span<const Node> of(Offset begin, Offset end, EdgeType wanted) const {
        if (type == nullptr) return {};
        const auto [first, last] = std::equal_range(type + begin, type + end, wanted);
        return {idx + (first - type), static_cast<std::size_t>(last - first)};
    }
};

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
    TypedRows out_typed;                  // without types if the edges have none
    TypedRows in_typed;

    std::span<const Node> neighbours(Node v, Side side) const {
        const bool out = side.way == Way::out;
        const Offset* ptr = out ? out_ptr : in_ptr;
        const Node* idx = out ? out_idx : in_idx;
        if (side.type == kAnyType)
            return {idx + ptr[v], static_cast<std::size_t>(ptr[v + 1] - ptr[v])};
        return (out ? out_typed : in_typed).of(ptr[v], ptr[v + 1], side.type);
    }

    std::int64_t degree(Node v, Side side) const {
        if (side.type != kAnyType) return std::ssize(neighbours(v, side));
        const Offset* ptr = side.way == Way::out ? out_ptr : in_ptr;
        return ptr[v + 1] - ptr[v];
    }

    bool has_arc(Node from, Node to, EdgeType type = kAnyType) const {
        const auto row = neighbours(from, {Way::out, type});
        return std::binary_search(row.begin(), row.end(), to);
    }

    Offset num_entries() const { return out_ptr[num_nodes]; }
};

}  // namespace grape
