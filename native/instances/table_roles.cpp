#include "instances/table_roles.hpp"

#include <algorithm>

#include "base/accumulator.hpp"

namespace grape {
namespace {

using RoleRow = std::vector<Accumulator<std::int64_t>>;  // one per role

// A shared prefix is added once, with the number of instances below it.
void count_ego(const EgoTrie& trie, int levels, const std::vector<int>& role_of, RoleRow& row,
               const Control& control) {
    for (int p = 1; p < levels; ++p) {
        std::uint32_t before = 0;
        for (std::uint32_t i = 0; i < trie.count(p); ++i) {
            if (control.stopped()) return;
            const std::uint32_t after = trie.leaves_before(p, i + 1);
            row[role_of[p] - 1].add(trie.nodes(p)[i], after - before);
            before = after;
        }
    }
    row[role_of[levels] - 1].add_each({trie.nodes(levels), trie.count(levels)}, 1);
}

}  // namespace

std::vector<Csr> table_roles(const InstanceTable& table, const std::vector<int>& role_of,
                             int threads, Control& control, const Watcher& watcher) {
    const auto num_nodes = static_cast<Node>(table.block.size());
    const int num_roles = *std::max_element(role_of.begin(), role_of.end());
    std::vector<std::vector<RowStore<std::int64_t>>> stores(num_roles);  // [role][worker]
    for (auto& of_role : stores)
        for (int worker = 0; worker < threads; ++worker) of_role.emplace_back(control);
    if (!control.add_bytes(assembly_bytes(num_nodes) + std::int64_t{8} * num_roles * num_nodes +
                           threads * num_roles * Accumulator<std::int64_t>::bytes(num_nodes)))
        return {};
    std::vector<RoleRow> rows(threads, RoleRow(num_roles, Accumulator<std::int64_t>(num_nodes)));
    parallel_for(num_nodes, threads, control, watcher, [&](int worker, std::int64_t item) {
        const auto ego = static_cast<Node>(item);
        if (table.empty(ego)) return;
        RoleRow& row = rows[worker];
        count_ego(table.trie(ego), table.levels, role_of, row, control);
        if (control.stopped()) return;
        for (int role = 0; role < num_roles; ++role) {
            RowStore<std::int64_t>& store = stores[role][worker];
            store.start_row(ego, static_cast<std::int64_t>(row[role].touched()));
            row[role].drain([&](Node u, std::int64_t count) { store.push(u, count); });
            store.end_row();
        }
    });
    if (control.stopped()) return {};
    std::vector<Csr> out;
    const std::vector<std::uint8_t> all(table.block.size(), 1);
    for (auto& of_role : stores) out.push_back(assemble(num_nodes, of_role, all));
    return out;
}

}  // namespace grape
