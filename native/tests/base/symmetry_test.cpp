// Symmetries of templates: known groups, and every template of up to five nodes against
// direct enumeration of permutations.
#include "base/symmetry.hpp"

#include <algorithm>

#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

Arcs all_pairs(int size, bool directed) { return random_arcs(size, directed, 1.0, 0); }

bool connected(const Template& t) {
    NodeMask reached = 1;
    for (int round = 0; round < t.size; ++round)
        for (int a = 0; a < t.size; ++a)
            if ((reached >> a) & 1u) reached |= t.neighbours(a);
    return reached == t.all_nodes();
}

// The template with node a renamed to order[a].
Template renamed(const Template& t, const std::vector<int>& order) {
    Template other(t.size, t.directed);
    for (int a = 0; a < t.size; ++a) {
        other.label[order[a]] = t.label[a];
        for (int b = 0; b < t.size; ++b)
            if (t.has_arc(a, b)) other.add_edge(order[a], order[b], t.type[a][b]);
    }
    return other;
}

bool same(const Template& a, const Template& b) {
    return a.out == b.out && a.in == b.in && a.label == b.label && a.type == b.type;
}

std::vector<std::vector<int>> anchor_fixing_orders(int size) {
    std::vector<std::vector<int>> orders;
    std::vector<int> order = natural_order(size);
    do orders.push_back(order);
    while (std::next_permutation(order.begin() + 1, order.end()));
    return orders;
}

// The adjacency code that canonical_order promises to make equal for isomorphic templates.
Template canonical(const Template& t) {
    const Permutation order = canonical_order(t);
    std::vector<int> position(static_cast<std::size_t>(t.size));
    for (int k = 0; k < t.size; ++k) position[static_cast<std::size_t>(order[k])] = k;
    return renamed(t, position);
}

bool keeps(const std::vector<std::pair<int, int>>& pairs, const std::vector<int>& image) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return image[static_cast<std::size_t>(pair.first)] <
               image[static_cast<std::size_t>(pair.second)];
    });
}

void check_template(const Template& t) {
    const auto orders = anchor_fixing_orders(t.size);
    const Group group = stabiliser(t);
    const auto role = roles(t, group);

    std::size_t automorphisms = 0;
    for (const auto& order : orders) {
        if (!same(renamed(t, order), t)) continue;
        ++automorphisms;
        for (int a = 0; a < t.size; ++a) CHECK(role[a] == role[order[a]]);
    }
    CHECK(group.size() == automorphisms);
    for (int a = 0; a < t.size; ++a) CHECK(group.front()[a] == a);

    CHECK(role[0] == 0);
    for (int a = 1; a < t.size; ++a) {
        CHECK(role[a] > 0);
        CHECK(role[a] <= 1 + *std::max_element(role.begin(), role.begin() + a));
    }

    // Exactly one map of each class {f . g} obeys the symmetry-breaking pairs.
    const auto pairs = symmetry_breaking(group, natural_order(t.size));
    const auto obeying = std::count_if(orders.begin(), orders.end(),
                                       [&](const auto& image) { return keeps(pairs, image); });
    CHECK(static_cast<std::size_t>(obeying) * group.size() == orders.size());

    const Template form = canonical(t);
    for (const auto& other : orders) CHECK(same(canonical(renamed(t, other)), form));
    for (int k = 1; k < t.size; ++k) {
        const auto earlier = static_cast<NodeMask>((1u << k) - 1u);
        CHECK((form.neighbours(k) & earlier) != 0);
    }
}

int check_all(int size, bool directed) {
    const Arcs pairs = all_pairs(size, directed);
    int checked = 0;
    for (unsigned chosen = 1; chosen < 1u << pairs.size(); ++chosen) {
        Arcs edges;
        for (std::size_t k = 0; k < pairs.size(); ++k)
            if ((chosen >> k) & 1u) edges.push_back(pairs[k]);
        const Template t = make_template(size, directed, edges);
        if (!connected(t)) continue;
        check_template(t);
        ++checked;
    }
    return checked;
}

void known_groups() {
    CHECK(stabiliser(make_template(8, false, all_pairs(8, false))).size() == 5040);
    CHECK(stabiliser(make_template(3, false, {{0, 1}, {1, 2}})).size() == 1);
    CHECK(stabiliser(make_template(3, false, {{1, 0}, {0, 2}})).size() == 2);
    CHECK(stabiliser(make_template(3, true, {{0, 1}, {0, 2}})).size() == 2);
    CHECK(stabiliser(make_template(3, true, {{0, 1}, {2, 0}})).size() == 1);
}

void labels_break_symmetry() {
    Template t = make_template(4, false, {{0, 1}, {0, 2}, {0, 3}});
    CHECK(stabiliser(t).size() == 6);
    t.label[1] = 7;
    const Group group = stabiliser(t);
    CHECK(group.size() == 2);
    const auto role = roles(t, group);
    CHECK(role[1] == 1 && role[2] == 2 && role[3] == 2);
    Template other = make_template(4, false, {{0, 1}, {0, 2}, {0, 3}});
    other.label[3] = 7;
    CHECK(same(canonical(t), canonical(other)));
    other.label[3] = 8;
    CHECK(!same(canonical(t), canonical(other)));
}

void types_break_symmetry() {
    Template t(4, false), other(4, false);
    for (int leaf = 1; leaf < 4; ++leaf) {
        t.add_edge(0, leaf, leaf == 1 ? 7 : 5);
        other.add_edge(0, leaf, leaf == 3 ? 7 : 5);
    }
    CHECK(t.typed() && !make_template(2, false, {{0, 1}}).typed());
    CHECK(stabiliser(t).size() == 2);
    CHECK(same(canonical(t), canonical(other)));
    other.add_edge(0, 3, 6);
    CHECK(!same(canonical(t), canonical(other)));
    Template both(3, true);  // arcs there and back of types of their own
    for (int leaf : {1, 2}) {
        both.add_edge(0, leaf, 1);
        both.add_edge(leaf, 0, 2);
    }
    CHECK(stabiliser(both).size() == 2);
    both.add_edge(2, 0, 1);
    CHECK(stabiliser(both).size() == 1);
}

}  // namespace

int main() {
    known_groups();
    labels_break_symmetry();
    types_break_symmetry();
    CHECK(check_all(2, false) == 1);
    CHECK(check_all(3, false) == 4);
    CHECK(check_all(4, false) == 38);
    CHECK(check_all(5, false) == 728);
    CHECK(check_all(3, true) == 54);
    CHECK(check_all(4, true) == 3834);
    return 0;
}
