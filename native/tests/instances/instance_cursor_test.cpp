// Every instance once, whatever the batch size, against trying every map.
#include "instances/instance_cursor.hpp"

#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

std::vector<Map> walk(const GraphView& graph, const Template& t, bool induced, std::int64_t rows,
                      std::int64_t steps) {
    const EdgeTest has_arc(graph);
    InstanceCursor cursor(graph, has_arc, t, induced, 0, graph.num_nodes);
    std::vector<Map> maps;
    for (bool more = true; more;) {
        std::vector<Node> batch;
        more = cursor.next_batch(rows, steps, batch);
        CHECK(std::ssize(batch) <= rows * t.size);
        for (std::size_t i = 0; i < batch.size(); i += t.size)
            maps.emplace_back(batch.begin() + i, batch.begin() + i + t.size);
    }
    return maps;
}

void compare(const SmallGraph& graph, const Template& t) {
    for (bool induced : {false, true}) {
        const auto right = brute_force(graph.view, t, induced);
        bool twice = false;
        const auto maps = walk(graph.view, t, induced, 1000, 1 << 20);
        CHECK(normalised(maps, t, twice) == right);
        CHECK(!twice);
        CHECK(walk(graph.view, t, induced, 1, 1 << 20) == maps);
        CHECK(walk(graph.view, t, induced, 7, 3) == maps);
    }
}

void starts_at_any_ego() {
    const SmallGraph star(5, false, {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
    const EdgeTest has_arc(star.view);
    const Template two = make_template(3, false, {{0, 1}, {0, 2}});
    InstanceCursor centre(star.view, has_arc, two, false, 0, 1);
    InstanceCursor leaves(star.view, has_arc, two, false, 1, 5);
    std::vector<Node> rows;
    CHECK(!centre.next_batch(100, 1000, rows));
    CHECK(rows.size() == 6 * 3);
    rows.clear();
    CHECK(!leaves.next_batch(100, 1000, rows));
    CHECK(rows.empty());
}

void respects_labels() {
    const SmallGraph graph(4, false, {{0, 1}, {0, 2}, {0, 3}}, {0, 1, 1, -1});
    Template t = make_template(2, false, {{0, 1}});
    t.label[1] = 1;
    compare(graph, t);
    CHECK(walk(graph.view, t, false, 10, 100).size() == 2);
}

void respects_types(bool directed, unsigned seed) {
    SmallGraph graph(7, directed, random_arcs(7, directed, 0.7, seed));
    graph.give_types([&](Node a, Node b) { return directed ? (a + 2 * b) % 3 : (a + b) % 3; });
    for (auto& [name, t] : directed ? directed_templates() : undirected_templates()) {
        Template typed(t.size, directed);
        for (int a = 0; a < t.size; ++a)
            for (int b = directed ? 0 : a + 1; b < t.size; ++b)
                if (t.has_arc(a, b)) typed.add_edge(a, b, (a + b) % 3 - 1);  // -1 is any
        compare(graph, typed);
    }
    Template unknown(2, directed);
    unknown.add_edge(0, 1, 99);
    CHECK(walk(graph.view, unknown, false, 10, 100).empty());
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 3; ++seed) {
        const SmallGraph sparse(7, false, random_arcs(7, false, 0.35, seed));
        const SmallGraph dense(6, false, random_arcs(6, false, 0.8, seed));
        for (const auto& [name, t] : undirected_templates()) {
            compare(sparse, t);
            compare(dense, t);
        }
        const SmallGraph arcs(6, true, random_arcs(6, true, 0.5, seed));
        for (const auto& [name, t] : directed_templates()) compare(arcs, t);
    }
    const SmallGraph none(0, false, {}), lonely(3, false, {});
    for (const auto& [name, t] : undirected_templates()) {
        compare(none, t);
        compare(lonely, t);
    }
    starts_at_any_ego();
    respects_labels();
    for (unsigned seed = 0; seed < 3; ++seed) {
        respects_types(false, seed);
        respects_types(true, seed);
    }
}
