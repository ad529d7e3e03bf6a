// Gathers the instances of one ego as they are found, in any order, and packs them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "instances/instance_table.hpp"

namespace grape {

// How many instances of an ego are kept, and the seed that decides which.
struct Sampling {
    std::int64_t limit;
    std::uint64_t seed;  // of this template: the caller mixes the template into it
};

// The sample of an ego is the `limit` instances with the smallest hash of (seed, ego, instance):
// uniform, and the same in whatever order the instances arrive.
class RowCollector {
  public:
    // `ordered`: the caller promises ascending rows, which are then packed on the fly.
    RowCollector(int levels, Node num_nodes, bool ordered, std::optional<Sampling> sampling,
                 Control& control);

    void start(Node ego);
    // One instance for every value of entry `place` of a row, ascending; the other entries are set.
    void add(Node* row, int place, std::span<const Node> values);
    std::int64_t seen() const { return seen_; }

    struct Finished {
        std::unique_ptr<std::uint32_t[]> block;  // null: no instance, or stopped
        double weight = 1.0;                     // how many instances each one kept stands for
    };

    // Packs the instances kept. Sorting millions of them takes a while, so it asks the control.
    Finished finish();

  private:
    void add_keys(const Node* row, int place, std::span<const Node> values);
    void offer_to_sample(const Node* row);
    void keep(const Node* row);
    void cut_sample();
    void sort_into_trie();

    int levels_;
    int bits_;  // per node; rows that fit into 64 bits are kept as one number
    bool ordered_;
    std::optional<Sampling> sampling_;
    std::uint64_t ego_hash_ = 0;
    std::uint64_t threshold_ = ~std::uint64_t{0};
    std::int64_t seen_ = 0;
    Control* control_;
    Account account_;  // of the working space, which stays allocated from ego to ego
    TrieBuilder trie_;
    GrowingArray<std::uint64_t> keys_;
    GrowingArray<Node> rows_;
    GrowingArray<std::uint64_t> hashes_;  // of the sampled rows
};

}  // namespace grape
