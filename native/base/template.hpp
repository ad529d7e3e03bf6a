// An anchored subgraph template of at most eight nodes; node 0 is the anchor.
#pragma once

#include <array>
#include <cstdint>

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

    Template(int num_nodes, bool is_directed) : size(num_nodes), directed(is_directed) {
        label.fill(kAnyLabel);
    }

    void add_edge(int a, int b) {
        out[a] |= static_cast<NodeMask>(1u << b);
        in[b] |= static_cast<NodeMask>(1u << a);
        if (!directed) {
            out[b] |= static_cast<NodeMask>(1u << a);
            in[a] |= static_cast<NodeMask>(1u << b);
        }
    }

    bool has_arc(int a, int b) const { return (out[a] >> b) & 1u; }
    NodeMask neighbours(int a) const { return out[a] | in[a]; }
    NodeMask all_nodes() const { return static_cast<NodeMask>((1u << size) - 1u); }
};

}  // namespace grape
