// Graphs and templates for tests, and instances by trying every map.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/graph.hpp"
#include "base/symmetry.hpp"
#include "base/template.hpp"

namespace grape::testing {

using Arcs = std::vector<std::pair<int, int>>;

// Owns the rows behind a GraphView.
struct SmallGraph {
    SmallGraph(int num_nodes, bool directed, const Arcs& arcs,
               std::vector<std::int32_t> labels = {})
        : label(std::move(labels)) {
        std::vector<std::set<Node>> out(num_nodes), in(num_nodes);
        for (const auto& [a, b] : arcs) {
            out[a].insert(b);
            in[b].insert(a);
            if (!directed) {
                out[b].insert(a);
                in[a].insert(b);
            }
        }
        fill(out, out_ptr, out_idx);
        fill(in, in_ptr, in_idx);
        view.num_nodes = num_nodes;
        view.directed = directed;
        view.out_ptr = out_ptr.data();
        view.out_idx = out_idx.data();
        view.in_ptr = in_ptr.data();
        view.in_idx = in_idx.data();
        view.label = label.empty() ? nullptr : label.data();
    }
    SmallGraph(const SmallGraph&) = delete;

    static void fill(const std::vector<std::set<Node>>& rows, std::vector<Offset>& ptr,
                     std::vector<Node>& idx) {
        ptr.assign(1, 0);
        for (const auto& row : rows) {
            idx.insert(idx.end(), row.begin(), row.end());
            ptr.push_back(static_cast<Offset>(idx.size()));
        }
        idx.reserve(1);  // so that data() is not null without edges
    }

    // Gives the arc a -> b the type type_of(a, b), which is symmetric if the graph is undirected.
    template <class TypeOf>
    void give_types(const TypeOf& type_of) {
        const auto sort = [&](const auto& ptr, const auto& idx, bool into, Typed& typed) {
            typed.idx = idx;
            for (Node v = 0; v < view.num_nodes; ++v) {
                const auto type = [&](Node u) { return into ? type_of(u, v) : type_of(v, u); };
                std::stable_sort(typed.idx.begin() + ptr[v], typed.idx.begin() + ptr[v + 1],
                                 [&](Node a, Node b) { return type(a) < type(b); });
                for (Offset k = ptr[v]; k < ptr[v + 1]; ++k)
                    typed.type.push_back(type(typed.idx[k]));
            }
        };
        sort(out_ptr, out_idx, false, out_typed);
        sort(in_ptr, in_idx, true, in_typed);
        view.out_typed = {out_typed.idx.data(), out_typed.type.data()};
        view.in_typed = {in_typed.idx.data(), in_typed.type.data()};
    }

    struct Typed {
        std::vector<Node> idx;
        std::vector<EdgeType> type;
    };

    std::vector<Offset> out_ptr, in_ptr;
    std::vector<Node> out_idx, in_idx;
    std::vector<std::int32_t> label;
    Typed out_typed, in_typed;
    GraphView view;
};

inline Arcs random_arcs(int num_nodes, bool directed, double chance, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform;
    Arcs arcs;
    for (int a = 0; a < num_nodes; ++a)
        for (int b = directed ? 0 : a + 1; b < num_nodes; ++b)
            if (a != b && uniform(random) < chance) arcs.emplace_back(a, b);
    return arcs;
}

inline Template make_template(int size, bool directed, const Arcs& arcs) {
    Template t(size, directed);
    for (const auto& [a, b] : arcs) t.add_edge(a, b);
    return t;
}

using Map = std::vector<Node>;

inline bool keeps_edges(const GraphView& graph, const Template& t, const Map& map, bool induced) {
    for (int a = 0; a < t.size; ++a) {
        if (t.label[a] != kAnyLabel && (!graph.label || graph.label[map[a]] != t.label[a]))
            return false;
        for (int b = 0; b < t.size; ++b) {
            if (a == b) continue;
            const bool present = graph.has_arc(map[a], map[b], t.type[a][b]);
            if (t.has_arc(a, b) ? !present : induced && present) return false;
        }
    }
    return true;
}

// Of the maps of an instance, which a symmetry turns into each other, the smallest.
inline Map smallest(const Map& f, const Group& group) {
    Map best = f;
    for (const auto& g : group) {
        Map other(f.size());
        for (std::size_t a = 0; a < f.size(); ++a) other[a] = f[g[a]];
        best = std::min(best, other);
    }
    return best;
}

// The smallest map of every instance.
inline std::set<Map> brute_force(const GraphView& graph, const Template& t, bool induced = false) {
    const Group group = stabiliser(t);
    std::set<Map> found;
    Map map(t.size, 0);
    const auto place = [&](auto&& self, int node) -> void {
        if (node == t.size) {
            if (keeps_edges(graph, t, map, induced)) found.insert(smallest(map, group));
            return;
        }
        for (Node v = 0; v < graph.num_nodes; ++v) {
            if (std::find(map.begin(), map.begin() + node, v) != map.begin() + node) continue;
            map[node] = v;
            self(self, node + 1);
        }
    };
    place(place, 0);
    return found;
}

// The same for maps that some engine found; `twice` is set if an instance comes up again.
inline std::set<Map> normalised(const std::vector<Map>& maps, const Template& t, bool& twice) {
    const Group group = stabiliser(t);
    std::set<Map> found;
    twice = false;
    for (const Map& f : maps) twice |= !found.insert(smallest(f, group)).second;
    return found;
}

struct Named {
    std::string name;
    Template t;
};

// Shapes whose symmetries, tails and cycles exercise different paths of the code.
inline std::vector<Named> undirected_templates() {
    return {
        {"edge", make_template(2, false, {{0, 1}})},
        {"3-path", make_template(3, false, {{0, 1}, {1, 2}})},
        {"2-star", make_template(3, false, {{0, 1}, {0, 2}})},
        {"triangle", make_template(3, false, {{0, 1}, {1, 2}, {0, 2}})},
        {"4-cycle", make_template(4, false, {{0, 1}, {1, 2}, {2, 3}, {0, 3}})},
        {"tailed triangle", make_template(4, false, {{0, 1}, {1, 2}, {0, 2}, {0, 3}})},
        {"4-clique", make_template(4, false, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})},
        {"house", make_template(5, false, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 4}})},
    };
}

inline std::vector<Named> directed_templates() {
    return {
        {"to", make_template(2, true, {{0, 1}})},
        {"from-to", make_template(3, true, {{1, 0}, {0, 2}})},
        {"feed-forward", make_template(3, true, {{0, 1}, {1, 2}, {0, 2}})},
        {"mutual tail", make_template(4, true, {{0, 1}, {1, 0}, {2, 1}, {2, 3}})},
    };
}

}  // namespace grape::testing
