#include "base/symmetry.hpp"

#include <algorithm>
#include <numeric>

namespace grape {
namespace {

bool agrees(const Template& t, const Permutation& map, int placed) {
    const int image = map[placed];
    if (t.label[placed] != t.label[image]) return false;
    for (int k = 0; k < placed; ++k) {
        if (t.has_arc(k, placed) != t.has_arc(map[k], image)) return false;
        if (t.has_arc(placed, k) != t.has_arc(image, map[k])) return false;
        if (t.type[k][placed] != t.type[map[k]][image]) return false;
        if (t.type[placed][k] != t.type[image][map[k]]) return false;
    }
    return true;
}

void extend_automorphism(const Template& t, Permutation& map, int placed, NodeMask used,
                         Group& found) {
    if (placed == t.size) {
        found.push_back(map);
        return;
    }
    for (int image = 1; image < t.size; ++image) {
        if ((used >> image) & 1u) continue;
        map[placed] = static_cast<std::int8_t>(image);
        if (agrees(t, map, placed))
            extend_automorphism(t, map, placed + 1, static_cast<NodeMask>(used | (1u << image)),
                                found);
    }
}

using CodeRow = std::array<std::uint64_t, 3>;

// Row of the adjacency code for `node` after the nodes already ordered; larger is better. Arcs and
// label, then the types of the arcs one way and the other, less than 64 of them.
CodeRow code_row(const Template& t, const Permutation& order, int placed, int node) {
    CodeRow row{};
    for (int k = 0; k < placed; ++k) {
        row[0] = row[0] << 2 | static_cast<std::uint64_t>(t.has_arc(order[k], node)) << 1 |
                 static_cast<std::uint64_t>(t.has_arc(node, order[k]));
        row[1] = row[1] << 6 | static_cast<std::uint64_t>(t.type[order[k]][node] + 1);
        row[2] = row[2] << 6 | static_cast<std::uint64_t>(t.type[node][order[k]] + 1);
    }
    row[0] = row[0] << 32 | static_cast<std::uint32_t>(t.label[node] + 1);
    return row;
}

// Depth-first over the orders of the nodes, cutting every prefix whose code is already smaller
// than the best.
struct CanonicalSearch {
    using Code = std::vector<CodeRow>;

    const Template& t;
    Permutation order{};
    Permutation best{};
    Code code;
    Code best_code;

    void extend(NodeMask used) {
        const auto placed = static_cast<int>(code.size());
        if (placed == t.size) {
            if (code > best_code) {
                best = order;
                best_code = code;
            }
            return;
        }
        for (int node = 0; node < t.size; ++node) {
            if (((used >> node) & 1u) || (placed == 0) != (node == 0)) continue;
            order[placed] = static_cast<std::int8_t>(node);
            code.push_back(code_row(t, order, placed, node));
            const bool behind = std::lexicographical_compare(
                code.begin(), code.end(), best_code.begin(),
                best_code.begin() + std::min<std::ptrdiff_t>(placed + 1, best_code.size()));
            if (best_code.empty() || !behind) extend(static_cast<NodeMask>(used | (1u << node)));
            code.pop_back();
        }
    }
};

}  // namespace

Group stabiliser(const Template& t) {
    Group found;
    Permutation map{};
    map[0] = 0;
    extend_automorphism(t, map, 1, 1u, found);
    return found;
}

std::array<int, kMaxTemplateNodes> roles(const Template& t, const Group& group) {
    std::array<int, kMaxTemplateNodes> smallest{};
    for (int a = 0; a < t.size; ++a) {
        smallest[a] = a;
        for (const auto& g : group) smallest[a] = std::min<int>(smallest[a], g[a]);
    }
    std::array<int, kMaxTemplateNodes> role{};
    int next = 0;
    for (int a = 0; a < t.size; ++a) role[a] = smallest[a] == a ? next++ : role[smallest[a]];
    return role;
}

Permutation canonical_order(const Template& t) {
    CanonicalSearch search{t, {}, {}, {}, {}};
    search.extend(0);
    return search.best;
}

std::vector<int> natural_order(int size) {
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<std::pair<int, int>> symmetry_breaking(Group group, const std::vector<int>& order) {
    std::vector<std::pair<int, int>> pairs;
    for (int node : order) {
        NodeMask orbit = 0;
        for (const auto& g : group) orbit |= static_cast<NodeMask>(1u << g[node]);
        for (int other = 0; other < kMaxTemplateNodes; ++other)
            if (other != node && ((orbit >> other) & 1u)) pairs.emplace_back(node, other);
        std::erase_if(group, [node](const Permutation& g) { return g[node] != node; });
    }
    return pairs;
}

}  // namespace grape
