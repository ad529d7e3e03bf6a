#include "matching/clique_roles.hpp"

#include <algorithm>

#include "matching/clique_support.hpp"

namespace grape {
namespace {

// Where the entry (u, v) stands for each entry (v, u): the columns of a row are met in order.
std::vector<Offset> opposite_entries(const GraphView& graph, Lookout& lookout) {
    const auto n = static_cast<std::size_t>(graph.num_nodes);
    std::vector<Offset> next(graph.out_ptr, graph.out_ptr + n);
    std::vector<Offset> opposite(static_cast<std::size_t>(graph.num_entries()));
    for (std::size_t v = 0; v < n; ++v) {
        if (lookout.stopped(graph.out_ptr[v + 1] - graph.out_ptr[v])) return opposite;
        for (Offset e = graph.out_ptr[v]; e < graph.out_ptr[v + 1]; ++e)
            opposite[static_cast<std::size_t>(e)] =
                next[static_cast<std::size_t>(graph.out_idx[e])]++;
    }
    return opposite;
}

std::int64_t opposite_bytes(const GraphView& graph) {
    return 8 * (graph.num_entries() + std::int64_t{2} * graph.num_nodes);
}

}  // namespace

std::int64_t clique_roles_bytes(const GraphView& graph, int threads) {
    // The arrays of the count are gone when the matrix, which is no larger, is made.
    return opposite_bytes(graph) +
           clique_support_bytes(graph.num_nodes, graph.num_entries(), threads);
}

bool is_clique(const Template& t) {
    for (int a = 0; a < t.size; ++a) {
        if (t.label[a] != kAnyLabel) return false;
        if (t.neighbours(a) != (t.all_nodes() & ~(1u << a))) return false;
    }
    return !t.directed && !t.typed();
}

RoleCounts clique_roles(const GraphView& graph, int size, const EnumerateOptions& options,
                        Control& control, const Watcher& watcher) {
    const auto n = static_cast<std::size_t>(graph.num_nodes);
    RoleCounts result;
    if (!control.add_bytes(opposite_bytes(graph))) return result;
    Lookout lookout(graph.num_nodes, control, watcher);
    auto opposite = opposite_entries(graph, lookout);
    const SparseRows<double> rows{graph.num_nodes, graph.out_ptr, graph.out_idx, nullptr};
    const auto support =
        clique_support(rows, opposite.data(), size, options.threads, control, watcher);
    opposite = {};
    if (control.stopped()) return result;

    result.totals.assign(n, 0);
    result.complete.assign(n, 1);
    const auto positive = std::ranges::count_if(support, [](std::uint64_t s) { return s != 0; });
    Csr csr{Buffer<Offset>(graph.num_nodes + 1), Buffer<Node>(positive),
            Buffer<std::int64_t>(positive)};
    Offset at = 0;
    for (std::size_t v = 0; v < n; ++v) {
        csr.ptr[v] = at;
        std::int64_t sum = 0;
        for (Offset e = graph.out_ptr[v]; e < graph.out_ptr[v + 1]; ++e) {
            const auto count = static_cast<std::int64_t>(support[static_cast<std::size_t>(e)]);
            if (count == 0) continue;
            sum += count;
            csr.idx[at] = graph.out_idx[e];
            csr.val[at++] = options.membership ? 1 : count;
        }
        result.totals[v] = sum / (size - 1);
    }
    csr.ptr[n] = at;
    if (options.pairs) result.roles.push_back(std::move(csr));
    return result;
}

}  // namespace grape
