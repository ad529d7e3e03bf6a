// Rewired graphs are simple and have the degrees of the given one; sets of pairs forget nothing.
#include "nulls/rewire.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "nulls/pair_set.hpp"
#include "nulls/random.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

void pair_sets() {
    PairSet ours(40);
    std::set<std::pair<Node, Node>> theirs;
    Random random(1);
    for (int step = 0; step < 20000; ++step) {
        const auto a = static_cast<Node>(random.below(9));
        const auto b = static_cast<Node>(random.below(9));
        CHECK(ours.has(a, b) == theirs.contains({a, b}));
        if (theirs.contains({a, b})) {
            ours.erase(a, b);
            theirs.erase({a, b});
        } else if (theirs.size() < 40) {
            ours.insert(a, b);
            theirs.insert({a, b});
        }
    }
}

void keeps_degrees(bool directed, bool labelled, std::uint64_t seed) {
    const Node n = 12;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(n));
    for (Node v = 0; v < n; ++v) labels[static_cast<std::size_t>(v)] = v % 3 - 1;
    const SmallGraph graph(n, directed, random_arcs(n, directed, 0.3, static_cast<unsigned>(seed)),
                           labels);
    Control control{Budget{}};
    const Rewired found = rewire(graph.view, seed, 3000, labelled, control, nullptr);
    std::set<std::pair<Node, Node>> arcs;
    using Kinds = std::vector<std::pair<int, int>>;  // of every node: side and label of neighbours
    std::vector<Kinds> before(static_cast<std::size_t>(n)), after(before);
    const auto kind = [&](int side, Node v) {
        return std::pair(side, labelled ? labels[static_cast<std::size_t>(v)] : 0);
    };
    const auto note = [&](std::vector<Kinds>& kinds, Node v, Node u) {
        kinds[static_cast<std::size_t>(v)].push_back(kind(0, u));
        if (directed) kinds[static_cast<std::size_t>(u)].push_back(kind(1, v));
    };
    for (std::size_t e = 0; e < found.heads.size(); ++e) {
        const Node a = found.tails[e], b = found.heads[e];
        CHECK(a != b);
        CHECK(arcs.insert({a, b}).second);
        note(after, a, b);
        if (!directed) {
            CHECK(arcs.insert({b, a}).second);
            note(after, b, a);
        }
    }
    for (Node v = 0; v < n; ++v)
        for (const Node u : graph.view.neighbours(v, Side::out)) note(before, v, u);
    for (auto* kinds : {&before, &after})
        for (auto& one : *kinds) std::sort(one.begin(), one.end());
    CHECK(before == after);
    if (!labelled) CHECK(found.accepted > 0);
}

void stops_at_once() {
    const SmallGraph graph(50, false, random_arcs(50, false, 0.5, 3));
    Control control{Budget{}};
    control.stop(StopReason::interrupted);
    CHECK(rewire(graph.view, 0, std::int64_t{1} << 60, false, control, nullptr).accepted == 0);
}

}  // namespace

int main() {
    pair_sets();
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        for (const bool directed : {false, true})
            for (const bool labelled : {false, true}) keeps_degrees(directed, labelled, seed);
    stops_at_once();
}
