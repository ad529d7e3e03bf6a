// Triangle counts against the definition.
#include "matching/triangles.hpp"

#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

std::int64_t by_definition(const GraphView& graph) {
    std::int64_t count = 0;
    for (Node u = 0; u < graph.num_nodes; ++u)
        for (Node v = u + 1; v < graph.num_nodes; ++v)
            for (Node w = v + 1; w < graph.num_nodes; ++w)
                count += graph.has_arc(u, v) && graph.has_arc(v, w) && graph.has_arc(u, w);
    return count;
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const int nodes = static_cast<int>(seed % 25);
        const double chance = seed % 11 / 10.0;
        const SmallGraph graph(nodes, false, random_arcs(nodes, false, chance, seed));
        CHECK(count_triangles(graph.view, nullptr) == by_definition(graph.view));
    }
}
