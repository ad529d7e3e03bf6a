#include "instances/instance_table.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace grape {
namespace {

std::int64_t block_words(const EgoTrie& trie, int levels) {
    std::int64_t words = levels;
    for (int p = 1; p <= levels; ++p)
        words += p < levels ? 2 * std::int64_t{trie.count(p)} + 1 : std::int64_t{trie.count(p)};
    return words;
}

}  // namespace

EgoTrie::EgoTrie(const std::uint32_t* block, int levels) : levels_(levels) {
    const std::uint32_t* at = block + levels;
    for (int p = 1; p <= levels; ++p) {
        count_[p] = block[p - 1];
        nodes_[p] = reinterpret_cast<const Node*>(at);
        at += count_[p];
        if (p == levels) break;
        first_[p] = at;
        at += count_[p] + 1;
    }
}

std::int64_t InstanceTable::num_instances() const {
    std::int64_t sum = 0;
    for (std::size_t ego = 0; ego < block.size(); ++ego) sum += total(static_cast<Node>(ego));
    return sum;
}

std::int64_t InstanceTable::bytes() const {
    std::int64_t sum = static_cast<std::int64_t>(block.size()) * (sizeof(void*) + 1);
    sum += static_cast<std::int64_t>(weight.size()) * sizeof(double);
    for (std::size_t ego = 0; ego < block.size(); ++ego)
        if (block[ego]) sum += 4 * block_words(trie(static_cast<Node>(ego)), levels);
    return sum;
}

std::vector<Node> InstanceTable::rows(Node ego) const {
    if (empty(ego)) return {};
    const EgoTrie t = trie(ego);
    std::vector<Node> out(static_cast<std::size_t>(t.count(levels)) * levels);
    for (int p = 1; p <= levels; ++p)
        for (std::uint32_t i = 0; i < t.count(p); ++i)
            for (std::size_t leaf = t.leaves_before(p, i); leaf < t.leaves_before(p, i + 1); ++leaf)
                out[leaf * levels + (p - 1)] = t.nodes(p)[i];
    return out;
}

void TrieBuilder::add(const Node* row, std::span<const Node> leaves) {
    if (leaves.empty()) return;
    int p = 1;  // the first level where the row leaves the previous one
    if (!nodes_[1].empty())
        while (p < levels_ && nodes_[p].back() == row[p - 1]) ++p;
    for (; p < levels_; ++p) {
        account_.make_room(first_[p], 2);  // one more closes the level
        account_.make_room(nodes_[p], 1);
        first_[p].push_back(static_cast<std::uint32_t>(nodes_[p + 1].size()));
        nodes_[p].push_back(row[p - 1]);
    }
    auto& last = nodes_[levels_];
    // Offsets within an ego are 32-bit: beyond that a table is far too large to be of use.
    if (last.size() + leaves.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::bad_alloc();
    account_.make_room(last, leaves.size());
    last.insert(last.end(), leaves.begin(), leaves.end());
}

std::int64_t TrieBuilder::packed_bytes() const {
    std::int64_t words = levels_ + levels_ - 1;
    for (int p = 1; p <= levels_; ++p) words += nodes_[p].size() + first_[p].size();
    return 4 * words;
}

std::unique_ptr<std::uint32_t[]> TrieBuilder::pack() {
    if (nodes_[1].empty()) return nullptr;
    const auto words = static_cast<std::size_t>(packed_bytes() / 4);
    for (int p = 1; p < levels_; ++p)
        first_[p].push_back(static_cast<std::uint32_t>(nodes_[p + 1].size()));
    auto block = std::make_unique_for_overwrite<std::uint32_t[]>(words);
    std::uint32_t* at = block.get() + levels_;
    for (int p = 1; p <= levels_; ++p) {
        block[p - 1] = static_cast<std::uint32_t>(nodes_[p].size());
        std::memcpy(at, nodes_[p].data(), 4 * nodes_[p].size());
        at += nodes_[p].size();
        if (!first_[p].empty()) std::memcpy(at, first_[p].data(), 4 * first_[p].size());
        at += first_[p].size();
        nodes_[p].clear();
        first_[p].clear();
    }
    return block;
}

}  // namespace grape
