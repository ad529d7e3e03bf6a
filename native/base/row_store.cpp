#include "base/row_store.hpp"

#include <algorithm>
#include <new>

namespace grape {

template <class T>
void RowStore<T>::start_row(Node row, std::int64_t most) {
    // The first block is one of the heap's, which a small matrix gets back warm every time; the
    // next ones are the system's, where freeing them makes room for what is joined.
    constexpr std::int64_t kFirst = std::int64_t{1} << 16;
    constexpr std::int64_t kNext = std::int64_t{1} << 19;
    promised_ = most * kBytesPerEntry + static_cast<std::int64_t>(2 * sizeof(Row));
    if (!control_.add_result(promised_)) throw std::bad_alloc();
    if (blocks_.empty() || blocks_.back().idx.size() - blocks_.back().used < most) {
        const std::int64_t size = std::max(blocks_.empty() ? kFirst : kNext, most);
        blocks_.push_back({Buffer<Node>(size), Buffer<T>(size), 0, {}});
    }
    Block& block = blocks_.back();
    block.rows.push_back({row, block.used, block.used});
}

template <class T>
void RowStore<T>::end_row() {
    Block& block = blocks_.back();
    Row& row = block.rows.back();
    row.end = block.used;
    const std::int64_t entries = row.end - row.begin;
    if (entries == 0) {
        block.rows.pop_back();
        control_.add_result(-promised_);
        return;
    }
    // Pages that were not written do not count.
    control_.add_result(entries * kBytesPerEntry + static_cast<std::int64_t>(2 * sizeof(Row)) -
                        promised_);
}

template <class T>
void RowStore<T>::add_lengths(std::vector<Offset>& length) const {
    for (const Block& block : blocks_)
        for (const Row& row : block.rows)
            length[static_cast<std::size_t>(row.row)] += row.end - row.begin;
}

template <class T>
void RowStore<T>::move_columns(Node* to, const std::vector<Offset>& start) {
    for (Block& block : blocks_) {
        for (const Row& row : block.rows) {
            const Offset at = start[static_cast<std::size_t>(row.row)];
            if (at >= 0)
                std::copy(block.idx.data() + row.begin, block.idx.data() + row.end, to + at);
        }
        block.idx = Buffer<Node>();
    }
}

template <class T>
void RowStore<T>::move_values(T* to, const std::vector<Offset>& start) {
    for (Block& block : blocks_) {
        for (const Row& row : block.rows) {
            const Offset at = start[static_cast<std::size_t>(row.row)];
            if (at >= 0)
                std::copy(block.val.data() + row.begin, block.val.data() + row.end, to + at);
        }
        block = Block{};
    }
    blocks_.clear();
}

template <class T>
CsrOf<T> assemble(Node num_rows, std::vector<RowStore<T>>& stores,
                  const std::vector<std::uint8_t>& keep) {
    const auto n = static_cast<std::size_t>(num_rows);
    std::vector<Offset> length(n, 0);
    for (const RowStore<T>& store : stores) store.add_lengths(length);
    CsrOf<T> csr;
    csr.ptr = Buffer<Offset>(num_rows + 1);
    std::vector<Offset>& start = length;  // one takes the place of the other
    Offset total = 0;
    for (std::size_t v = 0; v < n; ++v) {
        csr.ptr[v] = total;
        if (keep[v] != 0) total += length[v];
        start[v] = keep[v] != 0 ? csr.ptr[v] : -1;
    }
    csr.ptr[n] = total;
    csr.idx = Buffer<Node>(total);
    for (RowStore<T>& store : stores) store.move_columns(csr.idx.data(), start);
    csr.val = Buffer<T>(total);
    for (RowStore<T>& store : stores) store.move_values(csr.val.data(), start);
    return csr;
}

template class RowStore<std::int64_t>;
template class RowStore<std::uint64_t>;
template class RowStore<double>;
template CsrOf<std::int64_t> assemble(Node, std::vector<RowStore<std::int64_t>>&,
                                      const std::vector<std::uint8_t>&);
template CsrOf<std::uint64_t> assemble(Node, std::vector<RowStore<std::uint64_t>>&,
                                       const std::vector<std::uint8_t>&);
template CsrOf<double> assemble(Node, std::vector<RowStore<double>>&,
                                const std::vector<std::uint8_t>&);

}  // namespace grape
