#include "row_store.hpp"

#include <algorithm>

namespace grape {

void RowStore::start_row(Node ego, std::int64_t most) {
    constexpr std::int64_t kBlock = std::int64_t{1} << 16;
    if (blocks_.empty() || blocks_.back().idx.size - blocks_.back().used < most) {
        const std::int64_t size = std::max(kBlock, most);
        control_.add_bytes(size * static_cast<std::int64_t>(sizeof(Node) + sizeof(std::int64_t)));
        blocks_.push_back({Buffer<Node>(size), Buffer<std::int64_t>(size), 0, {}});
    }
    Block& block = blocks_.back();
    block.rows.push_back({ego, block.used, block.used});
}

void RowStore::add_lengths(std::vector<Offset>& length) const {
    for (const Block& block : blocks_)
        for (const Row& row : block.rows)
            length[static_cast<std::size_t>(row.ego)] += row.end - row.begin;
}

void RowStore::move_into(Csr& csr, const std::vector<Offset>& start) {
    for (Block& block : blocks_) {
        for (const Row& row : block.rows) {
            const Offset at = start[static_cast<std::size_t>(row.ego)];
            if (at < 0) continue;
            std::copy(block.idx.data.get() + row.begin, block.idx.data.get() + row.end,
                      csr.idx.data.get() + at);
            std::copy(block.val.data.get() + row.begin, block.val.data.get() + row.end,
                      csr.val.data.get() + at);
        }
        block = Block{};
    }
    blocks_.clear();
}

Csr assemble(Node num_nodes, std::vector<RowStore>& stores, const std::vector<std::uint8_t>& keep) {
    const auto n = static_cast<std::size_t>(num_nodes);
    std::vector<Offset> length(n, 0);
    for (const RowStore& store : stores) store.add_lengths(length);
    Csr csr;
    csr.ptr = Buffer<Offset>(num_nodes + 1);
    std::vector<Offset> start(n, -1);
    Offset total = 0;
    for (std::size_t v = 0; v < n; ++v) {
        csr.ptr.data[v] = total;
        if (keep[v] == 0) continue;
        start[v] = total;
        total += length[v];
    }
    csr.ptr.data[n] = total;
    csr.idx = Buffer<Node>(total);
    csr.val = Buffer<std::int64_t>(total);
    for (RowStore& store : stores) store.move_into(csr, start);
    return csr;
}

}  // namespace grape
