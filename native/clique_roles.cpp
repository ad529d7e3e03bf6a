#include "clique_roles.hpp"

#include <algorithm>

#include "clique_support.hpp"

namespace grape {
namespace {

// Where the entry (u, v) stands for each entry (v, u): the columns of a row are met in order.
std::vector<Offset> opposite_entries(const GraphView& graph) {
    const auto n = static_cast<std::size_t>(graph.num_nodes);
    std::vector<Offset> next(graph.out_ptr, graph.out_ptr + n);
    std::vector<Offset> opposite(static_cast<std::size_t>(graph.num_entries()));
    for (std::size_t v = 0; v < n; ++v)
        for (Offset e = graph.out_ptr[v]; e < graph.out_ptr[v + 1]; ++e)
            opposite[static_cast<std::size_t>(e)] =
                next[static_cast<std::size_t>(graph.out_idx[e])]++;
    return opposite;
}

}  // namespace

bool is_clique(const Template& t) {
    for (int a = 0; a < t.size; ++a) {
        if (t.label[a] != kAnyLabel) return false;
        if (t.neighbours(a) != (t.all_nodes() & ~(1u << a))) return false;
    }
    return !t.directed;
}

RoleCounts clique_roles(const GraphView& graph, int size, const EnumerateOptions& options,
                        Control& control, const Watcher& watcher) {
    const auto n = static_cast<std::size_t>(graph.num_nodes);
    const auto opposite = opposite_entries(graph);
    const SparseRows<double> rows{graph.num_nodes, graph.out_ptr, graph.out_idx, nullptr};
    const auto support =
        clique_support(rows, opposite.data(), size, options.threads, control, watcher);

    RoleCounts result;
    result.totals.assign(n, 0);
    result.complete.assign(n, control.stopped() ? 0 : 1);
    const auto positive = std::ranges::count_if(support, [](std::uint64_t s) { return s != 0; });
    Csr csr{Buffer<Offset>(graph.num_nodes + 1), Buffer<Node>(positive),
            Buffer<std::int64_t>(positive)};
    control.add_bytes(positive * static_cast<std::int64_t>(sizeof(Node) + sizeof(std::int64_t)));
    Offset at = 0;
    for (std::size_t v = 0; v < n; ++v) {
        csr.ptr.data[v] = at;
        std::int64_t sum = 0;
        for (Offset e = graph.out_ptr[v]; e < graph.out_ptr[v + 1]; ++e) {
            const auto count = static_cast<std::int64_t>(support[static_cast<std::size_t>(e)]);
            if (count == 0) continue;
            sum += count;
            csr.idx.data[at] = graph.out_idx[e];
            csr.val.data[at++] = options.membership ? 1 : count;
        }
        result.totals[v] = sum / (size - 1);
    }
    csr.ptr.data[n] = at;
    if (options.pairs) result.roles.push_back(std::move(csr));
    return result;
}

}  // namespace grape
