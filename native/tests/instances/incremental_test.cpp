// Tables built from the graph and tables derived from a parent hold the same rows.
#include "instances/incremental.hpp"

#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

const Watcher kNoWatcher;

// The template in canonical numbering.
Template canonical(const Template& t) {
    const Permutation order = canonical_order(t);
    Template out(t.size, t.directed);
    for (int a = 0; a < t.size; ++a) {
        out.label[a] = t.label[order[a]];
        for (int b = 0; b < t.size; ++b)
            if (t.has_arc(order[a], order[b])) out.add_edge(a, b);
    }
    return out;
}

// Which node of the canonical parent each node of the canonical child is; -1: a new one.
std::vector<int> image_of(const Template& parent, const Template& child) {
    const Permutation parent_order = canonical_order(parent), child_order = canonical_order(child);
    std::vector<int> place(child.size, -1), image(child.size);
    for (int k = 0; k < parent.size; ++k) place[parent_order[k]] = k;
    for (int k = 0; k < child.size; ++k) image[k] = place[child_order[k]];
    return image;
}

InstanceTable build(const GraphView& graph, const Template& t, int threads = 1) {
    Control control{Budget{}};
    return build_table(graph, t, {threads, std::nullopt, control, kNoWatcher});
}

// Adds arcs to a parent and compares its derived child with a fresh one.
void compare(const SmallGraph& graph, const Template& parent, const Arcs& added) {
    Template child = parent;
    for (const auto& [a, b] : added) {
        child.size = std::max({child.size, a + 1, b + 1});
        child.add_edge(a, b);
    }
    const Template p = canonical(parent), c = canonical(child);
    const std::vector<int> image = image_of(parent, child);

    const InstanceTable parent_table = build(graph.view, p);
    const InstanceTable fresh = build(graph.view, c);
    const auto right = brute_force(graph.view, c);
    CHECK(fresh.num_instances() == std::ssize(right));
    for (int threads : {1, 3}) {
        Control control{Budget{}};
        const InstanceTable derived = derive_table(graph.view, parent_table, p, c, image,
                                                   {threads, std::nullopt, control, kNoWatcher});
        CHECK(!control.stopped());
        for (Node ego = 0; ego < graph.view.num_nodes; ++ego)
            CHECK(derived.rows(ego) == fresh.rows(ego));
        CHECK(derived.bytes() == fresh.bytes());
    }
}

void chains() {
    for (unsigned seed = 0; seed < 3; ++seed) {
        const SmallGraph graph(8, false, random_arcs(8, false, 0.5, seed));
        const Template edge = make_template(2, false, {{0, 1}});
        const Template star = make_template(4, false, {{0, 1}, {0, 2}, {0, 3}});
        const Template path = make_template(4, false, {{0, 1}, {1, 2}, {2, 3}});
        const Template triangle = make_template(3, false, {{0, 1}, {1, 2}, {0, 2}});
        compare(graph, edge, {{1, 2}});
        compare(graph, edge, {{0, 2}});
        compare(graph, star, {{1, 2}});
        compare(graph, star, {{3, 4}});
        compare(graph, path, {{3, 0}});
        compare(graph, path, {{1, 3}});
        compare(graph, triangle, {{2, 3}});
        compare(graph, triangle, {{0, 3}, {1, 3}, {2, 3}});
        const SmallGraph arcs(7, true, random_arcs(7, true, 0.4, seed));
        const Template to = make_template(2, true, {{0, 1}});
        const Template fork = make_template(3, true, {{0, 1}, {0, 2}});
        compare(arcs, to, {{1, 0}});
        compare(arcs, to, {{1, 2}, {2, 1}});
        compare(arcs, fork, {{2, 1}});
        compare(arcs, fork, {{3, 1}});
    }
}

void parents_without_instances() {
    const SmallGraph star(6, false, {{0, 1}, {0, 2}, {0, 3}});
    compare(star, make_template(3, false, {{0, 1}, {1, 2}, {0, 2}}), {{0, 3}});
    const SmallGraph none(0, false, {});
    compare(none, make_template(2, false, {{0, 1}}), {{1, 2}});
}

void long_rows() {
    // Eight nodes of a large graph do not fit into one 64-bit key: the other way of sorting.
    const int n = 2000;
    Arcs arcs;
    for (int v = 1; v < n; ++v) arcs.emplace_back(v - 1, v);
    const SmallGraph line(n, false, arcs);
    const Template seven =
        make_template(7, false, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {5, 6}});
    const InstanceTable parent = build(line.view, canonical(seven));
    CHECK(parent.num_instances() == n - 6);
    Template eight = seven;
    eight.size = 8;
    eight.add_edge(6, 7);
    Control control{Budget{}};
    const InstanceTable child =
        derive_table(line.view, parent, canonical(seven), canonical(eight), image_of(seven, eight),
                     {1, std::nullopt, control, kNoWatcher});
    CHECK(child.num_instances() == 2 * (n - 7));
}

void obeys_budgets() {
    const SmallGraph graph(60, false, random_arcs(60, false, 0.9, 1));
    const Template path = make_template(4, false, {{0, 1}, {1, 2}, {2, 3}});
    Budget small;
    small.bytes = 100'000;
    Control bytes{small};
    const InstanceTable table = build_table(graph.view, path, {1, std::nullopt, bytes, kNoWatcher});
    CHECK(bytes.reason() == StopReason::memory);
    CHECK(table.bytes() <= small.bytes);
    Budget few;
    few.instances = 10'000;
    Control instances{few};
    build_table(graph.view, path, {2, std::nullopt, instances, kNoWatcher});
    CHECK(instances.reason() == StopReason::instances);
}

void samples_are_uniform_and_reproducible() {
    Arcs arcs;
    for (int leaf = 1; leaf <= 10; ++leaf) arcs.emplace_back(0, leaf);
    const SmallGraph star(11, false, arcs);
    const Template edge = make_template(2, false, {{0, 1}});
    std::vector<int> kept(11, 0);
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        Control control{Budget{}};
        const Sampling sampling{3, seed * 0x9e3779b97f4a7c15u};
        const InstanceTable table =
            build_table(star.view, edge, {2, sampling, control, kNoWatcher});
        CHECK(table.total(0) == 3 && table.weight[0] == 10.0 / 3.0);
        CHECK(table.total(1) == 1 && table.weight[1] == 1.0);
        for (Node leaf : table.rows(0)) ++kept[leaf];
    }
    // Binomial(5000, 0.3): standard deviation 32.
    for (int leaf = 1; leaf <= 10; ++leaf) CHECK(std::abs(kept[leaf] - 1500) < 5 * 33);
}

void estimates() {
    const SmallGraph graph(40, false, random_arcs(40, false, 0.3, 4));
    const Template path = make_template(3, false, {{0, 1}, {1, 2}});
    const auto exact = static_cast<double>(build(graph.view, path).num_instances());
    const double guess = estimate_instances(graph.view, path, 20'000, 7);
    CHECK(std::abs(guess - exact) < 0.05 * exact);
}

}  // namespace

int main() {
    chains();
    parents_without_instances();
    long_rows();
    obeys_budgets();
    samples_are_uniform_and_reproducible();
    estimates();
}
