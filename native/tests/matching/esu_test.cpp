// ESU against trying every map, with counters in one array and in a hash table.
#include "matching/esu.hpp"

#include <map>

#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

const Watcher kNoWatcher;
using Counts = std::map<std::pair<Node, Node>, std::int64_t>;

Counts entries(const Csr& m, Node num_nodes) {
    Counts out;
    for (Node v = 0; v < num_nodes; ++v)
        for (Offset k = m.ptr[v]; k < m.ptr[v + 1]; ++k) {
            CHECK(k == m.ptr[v] || m.idx[k - 1] < m.idx[k]);
            out[{v, m.idx[k]}] = m.val[k];
        }
    return out;
}

void compare(const SmallGraph& graph, const Template& t, std::int64_t bytes) {
    const auto role_of = roles(t, stabiliser(t));
    const Node n = graph.view.num_nodes;
    for (bool induced : {false, true}) {
        std::vector<Counts> right(t.size);
        std::vector<std::int64_t> totals(n, 0);
        for (const Map& map : brute_force(graph.view, t, induced)) {
            ++totals[map[0]];
            for (int a = 1; a < t.size; ++a) ++right[role_of[a]][{map[0], map[a]}];
        }
        for (int threads : {1, 3}) {
            Budget budget;
            budget.bytes = bytes;
            Control control{budget};
            const EsuResult found = esu_roles(graph.view, t, induced, threads, control, kNoWatcher);
            CHECK(!control.stopped());
            CHECK(found.totals == totals);
            for (std::size_t j = 0; j < found.roles.size(); ++j)
                CHECK(entries(found.roles[j], n) == right[j + 1]);
        }
    }
}

constexpr std::int64_t kPlenty = std::int64_t{1} << 40;

void compare_all(const SmallGraph& graph, const std::vector<Named>& templates) {
    for (const auto& [name, t] : templates) compare(graph, t, kPlenty);
}

void labels() {
    const SmallGraph graph(6, false, random_arcs(6, false, 0.7, 5), {0, 1, 1, -1, 0, 2});
    Template t = make_template(3, false, {{0, 1}, {1, 2}, {0, 2}});
    t.label[1] = 1;
    t.label[2] = 0;
    compare(graph, t, kPlenty);
}

// In a long ring few pairs are near each other: a hash table fits where the array does not.
void counts_in_a_hash_table() {
    Arcs arcs;
    for (int v = 0; v < 60; ++v) arcs.emplace_back(v, (v + 1) % 60);
    const SmallGraph ring(60, false, arcs);
    for (const auto& [name, t] : undirected_templates())
        if (t.size <= 3) compare(ring, t, 100'000);  // the array would take 57,600 per role
}

void stops_at_the_instance_budget() {
    const SmallGraph graph(40, false, random_arcs(40, false, 0.9, 1));
    Budget budget;
    budget.instances = 1000;
    Control control{budget};
    esu_roles(graph.view, make_template(4, false, {{0, 1}, {1, 2}, {2, 3}}), false, 2, control,
              kNoWatcher);
    CHECK(control.reason() == StopReason::instances);
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 3; ++seed) {
        compare_all(SmallGraph(7, false, random_arcs(7, false, 0.35, seed)),
                    undirected_templates());
        compare_all(SmallGraph(6, false, random_arcs(6, false, 0.8, seed)), undirected_templates());
        compare_all(SmallGraph(6, true, random_arcs(6, true, 0.5, seed)), directed_templates());
    }
    compare_all(SmallGraph(0, false, {}), undirected_templates());
    compare_all(SmallGraph(3, false, {}), undirected_templates());
    labels();
    counts_in_a_hash_table();
    stops_at_the_instance_budget();
}
