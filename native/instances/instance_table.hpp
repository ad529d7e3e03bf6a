// All instances of one template, ego by ego, with shared prefixes stored once.
//
// Level p holds the images of template node p; every entry points to the range of its
// continuations on level p + 1. An instance is a path to the last level and costs four bytes
// there. Prefixes without a continuation are not kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/account.hpp"
#include "base/graph.hpp"
#include "base/template.hpp"

namespace grape {

// One ego's instances, packed: a count per level, then per level the nodes and (but for the
// last) where their continuations start, with one closing entry.
class EgoTrie {
  public:
    EgoTrie(const std::uint32_t* block, int levels);

    std::uint32_t count(int level) const { return count_[level]; }
    const Node* nodes(int level) const { return nodes_[level]; }
    const std::uint32_t* first(int level) const { return first_[level]; }

    // Instances below the entries before entry i of a level.
    std::uint32_t leaves_before(int level, std::uint32_t i) const {
        for (; level < levels_; ++level) i = first_[level][i];
        return i;
    }

  private:
    int levels_;
    std::array<std::uint32_t, kMaxTemplateNodes> count_{};
    std::array<const Node*, kMaxTemplateNodes> nodes_{};
    std::array<const std::uint32_t*, kMaxTemplateNodes> first_{};
};

struct InstanceTable {
    InstanceTable(int template_size, Node num_nodes)
        : levels(template_size - 1), block(num_nodes), complete(num_nodes, 0) {}
    InstanceTable(const InstanceTable&) = delete;
    InstanceTable(InstanceTable&&) = default;

    bool empty(Node ego) const { return block[ego] == nullptr; }
    EgoTrie trie(Node ego) const { return {block[ego].get(), levels}; }
    std::int64_t total(Node ego) const { return empty(ego) ? 0 : trie(ego).count(levels); }
    std::int64_t num_instances() const;
    std::int64_t bytes() const;

    // Every stored map of an ego: the images of template nodes 1, 2, ..., row after row.
    std::vector<Node> rows(Node ego) const;

    int levels;
    std::vector<std::unique_ptr<std::uint32_t[]>> block;  // null: no instance
    std::vector<std::uint8_t> complete;  // 0: the run stopped before this ego was done
    // For sampled tables, how many instances of the ego each stored one stands for; else empty.
    std::vector<double> weight;
};

// Turns rows that come in ascending order into a packed trie.
class TrieBuilder {
  public:
    TrieBuilder(int levels, Control& control) : levels_(levels), account_(control) {}

    // One row for every leaf: `row` holds all entries but the last, the leaves are the last.
    // Throws std::bad_alloc when the working space outgrows the memory budget.
    void add(const Node* row, std::span<const Node> leaves);
    std::unique_ptr<std::uint32_t[]> pack();  // null without rows; the builder is empty after
    std::int64_t packed_bytes() const;

  private:
    int levels_;
    Account account_;
    std::array<GrowingArray<Node>, kMaxTemplateNodes> nodes_;
    std::array<GrowingArray<std::uint32_t>, kMaxTemplateNodes> first_;
};

}  // namespace grape
