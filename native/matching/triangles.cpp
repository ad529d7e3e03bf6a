#include "matching/triangles.hpp"

#include <vector>

namespace grape {

std::int64_t count_triangles(const GraphView& graph, const Watcher& watcher) {
    const Node n = graph.num_nodes;
    // Every edge points to its end of higher degree, so no row is longer than sqrt(2 m), and
    // every triangle has exactly one node that points to both others.
    const auto points_to = [&](Node u, Node v) {
        const auto du = graph.degree(u, Side::out);
        const auto dv = graph.degree(v, Side::out);
        return du != dv ? du < dv : u < v;
    };
    std::vector<Offset> start(static_cast<std::size_t>(n) + 1, 0);
    std::vector<Node> heads;
    heads.reserve(static_cast<std::size_t>(graph.num_entries() / 2));
    for (Node u = 0; u < n; ++u) {
        for (const Node v : graph.neighbours(u, Side::out)) {
            if (points_to(u, v)) heads.push_back(v);
        }
        start[u + 1] = static_cast<Offset>(heads.size());
    }

    constexpr Node kBlock = 1024;
    std::vector<Node> marked_by(n, -1);
    std::int64_t triangles = 0;
    Control control{Budget{}};
    parallel_for((static_cast<std::int64_t>(n) + kBlock - 1) / kBlock, 1, control, watcher,
                 [&](int, std::int64_t block) {
                     const auto begin = static_cast<Node>(block * kBlock);
                     const Node end = n - begin < kBlock ? n : begin + kBlock;
                     for (Node u = begin; u < end && !control.stopped(); ++u) {
                         for (Offset a = start[u]; a < start[u + 1]; ++a) marked_by[heads[a]] = u;
                         for (Offset a = start[u]; a < start[u + 1]; ++a) {
                             const Node v = heads[a];
                             for (Offset b = start[v]; b < start[v + 1]; ++b) {
                                 triangles += marked_by[heads[b]] == u;
                             }
                         }
                     }
                 });
    return triangles;
}

}  // namespace grape
