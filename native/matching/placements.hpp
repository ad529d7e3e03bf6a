// Where a template's instances lie within one small connected subgraph.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/template.hpp"

namespace grape {

// A vertex set of the template's size, up to renaming: the arcs among its positions and the
// label class of each. Two bits per pair i < j: bit 0 arc i -> j, bit 1 arc j -> i.
struct SubgraphKey {
    std::uint64_t arcs = 0;    // pair (i, j) at bit 2 * (j * (j - 1) / 2 + i)
    std::uint64_t labels = 0;  // four bits per position
    std::uint64_t types = 0;   // number of the TypeGrid, if the template asks for edge types

    bool operator==(const SubgraphKey&) const = default;
};

// The class of every arc's type, by 8 * (position it leads from) + (position it leads to): one more
// than its place among the types that the template asks for, 0 for all others.
using TypeGrid = std::array<std::uint8_t, kMaxTemplateNodes * kMaxTemplateNodes>;

// What all instances within such a set add to the role counts.
struct Placements {
    // Pairs among the positions before the last: ego at a, other at b.
    struct Inside {
        std::uint8_t a, b, role;
        std::int32_t count;
    };
    std::vector<Inside> inside;
    // Pairs with the last position: the positions before it that have such pairs, and for each of
    // them what to add to the counters of (that position, last), in the order of PairCounts.
    std::vector<std::uint8_t> partners;
    std::vector<std::int64_t> with_last;
    std::array<std::int32_t, kMaxTemplateNodes> instances{};  // by the position of the ego
    bool any = false;
    std::int64_t pending = 0;  // free for the caller: subgraphs met but not yet counted
};

// Finds the placements of a key once and remembers them.
class PlacementCache {
  public:
    PlacementCache(const Template& t, bool induced);

    Placements& of(const SubgraphKey& key);

    // For a set that lacks its last vertex: the placements by that vertex's arcs, null where not
    // yet asked for. The whole answer is null if such a list would be long or labels or types
    // matter.
    Placements** by_last_arcs(const SubgraphKey& set);

    int num_roles() const { return num_roles_; }

    // Class of a graph label: 0 if no template node asks for it.
    std::uint64_t label_class(std::int32_t label) const;

    // The distinct types that the template's edges ask for.
    const std::vector<EdgeType>& types() const { return types_; }
    // The number that stands for the types of a set's arcs in its key.
    std::uint64_t number_of(const TypeGrid& grid);

  private:
    struct Hash {
        std::size_t operator()(const SubgraphKey& key) const {
            return (key.arcs ^ (key.labels + 31 * key.types) * 0x9e3779b97f4a7c15u) *
                       0xbf58476d1ce4e5b9u >>
                   40;
        }
    };
    using Map = std::array<int, kMaxTemplateNodes>;  // template node -> position

    bool fits(const SubgraphKey& key, const Map& map, int node) const;
    bool type_fits(const SubgraphKey& key, const Map& map, int from, int to) const;
    void place(const SubgraphKey& key, Map& map, int node, NodeMask used,
               std::vector<Map>& found) const;
    Placements compute(const SubgraphKey& key) const;

    Template t_;
    bool induced_;
    std::array<int, kMaxTemplateNodes> role_{};
    int num_roles_ = 0;
    std::array<NodeMask, kMaxTemplateNodes> smaller_{};  // nodes that need a smaller position
    std::vector<std::int32_t> labels_;                   // distinct labels of the template
    std::vector<EdgeType> types_;
    std::vector<TypeGrid> grids_;  // by number
    std::map<TypeGrid, std::uint64_t> numbers_;
    std::unordered_map<SubgraphKey, Placements, Hash> found_;
    std::unordered_map<SubgraphKey, std::vector<Placements*>, Hash> by_last_arcs_;
};

}  // namespace grape
