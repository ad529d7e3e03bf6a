// An anchored subgraph template of at most eight nodes; node 0 is the anchor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/graph.hpp"

namespace grape {

constexpr int kMaxTemplateNodes = 8;
constexpr std::int32_t kAnyLabel = -1;

using NodeMask = std::uint8_t;  // one bit per template node

struct Template {
    int size = 0;
    bool directed = false;
    std::array<NodeMask, kMaxTemplateNodes> out{};  // bit b of out[a]: arc a -> b
    std::array<NodeMask, kMaxTemplateNodes> in{};   // the reverse; equal to `out` if undirected
    std::array<std::int32_t, kMaxTemplateNodes> label{};
    // type[a][b]: what the arc a -> b asks for; both ways if undirected
    std::array<std::array<EdgeType, kMaxTemplateNodes>, kMaxTemplateNodes> type{};

    Template(int num_nodes, bool is_directed) : size(num_nodes), directed(is_directed) {
        label.fill(kAnyLabel);
        for (auto& row : type) row.fill(kAnyType);
    }

    void add_edge(int a, int b, EdgeType asked = kAnyType) {
        type[a][b] = asked;
        if (!directed) type[b][a] = asked;
        out[a] |= static_cast<NodeMask>(1u << b);
        in[b] |= static_cast<NodeMask>(1u << a);
        if (!directed) {
            out[b] |= static_cast<NodeMask>(1u << a);
            in[a] |= static_cast<NodeMask>(1u << b);
        }
    }

    bool has_arc(int a, int b) const { return (out[a] >> b) & 1u; }
    // Which neighbours of a's image the arc a -> b, or b -> a, leads to b's.
    Side forth(int a, int b) const { return {Way::out, type[a][b]}; }
    Side back(int a, int b) const { return {Way::in, type[b][a]}; }

    // Whether some edge asks for a type.
    bool typed() const {
        return std::ranges::any_of(type, [](const auto& row) {
            return std::ranges::any_of(row, [](EdgeType asked) { return asked != kAnyType; });
        });
    }

    NodeMask neighbours(int a) const { return out[a] | in[a]; }
    NodeMask all_nodes() const { return static_cast<NodeMask>((1u << size) - 1u); }
};

}  // namespace grape
