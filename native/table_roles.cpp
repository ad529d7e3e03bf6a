#include "table_roles.hpp"

#include <algorithm>
#include <span>

namespace grape {
namespace {

// A shared prefix is added once, with the number of instances below it.
void count_ego(const EgoTrie& trie, int levels, const std::vector<int>& role_of, Node num_nodes,
               RowCounter& counter) {
    for (int p = 1; p < levels; ++p) {
        std::uint32_t before = 0;
        for (std::uint32_t i = 0; i < trie.count(p); ++i) {
            const std::uint32_t after = trie.leaves_before(p, i + 1);
            counter.add(role_of[p] - 1, trie.nodes(p)[i], after - before);
            before = after;
        }
    }
    const std::span<const Node> leaves(trie.nodes(levels), trie.count(levels));
    const int role = role_of[levels] - 1;
    if (std::ssize(leaves) > num_nodes / 16) {
        std::int64_t* counts = counter.dense(role);
        for (Node u : leaves) ++counts[u];
    } else {
        for (Node u : leaves) counter.add(role, u, 1);
    }
}

}  // namespace

std::vector<CsrMatrix> table_roles(const InstanceTable& table, const std::vector<int>& role_of,
                                   int threads, Control& control, const Watcher& watcher) {
    const auto num_nodes = static_cast<Node>(table.block.size());
    const int num_roles = *std::max_element(role_of.begin(), role_of.end());
    RoleRows rows(num_roles, num_nodes, threads);
    std::vector<RowCounter> counters(threads, RowCounter(num_roles, num_nodes));
    parallel_for(num_nodes, threads, control, watcher, [&](int worker, std::int64_t item) {
        const auto ego = static_cast<Node>(item);
        if (table.empty(ego)) return;
        count_ego(table.trie(ego), table.levels, role_of, num_nodes, counters[worker]);
        rows.store(worker, ego, counters[worker], control);
    });
    std::vector<CsrMatrix> out;
    for (int role = 0; role < num_roles; ++role) out.push_back(rows.matrix(role));
    return out;
}

}  // namespace grape
