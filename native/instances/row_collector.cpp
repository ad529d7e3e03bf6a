#include "instances/row_collector.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace grape {
namespace {

// The finaliser of SplitMix64: a bijection that scatters neighbouring inputs.
std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

std::uint64_t chain(std::uint64_t hash, Node v) {
    return mix(hash + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(v) + 1));
}

// Thrown through a sort to end it.
struct Stopped {};

}  // namespace

RowCollector::RowCollector(int levels, Node num_nodes, bool ordered,
                           std::optional<Sampling> sampling, Control& control)
    : levels_(levels),
      bits_(std::bit_width(static_cast<std::uint32_t>(num_nodes))),
      ordered_(ordered && !sampling),
      sampling_(sampling),
      control_(&control),
      account_(control),
      trie_(levels, control) {}

void RowCollector::start(Node ego) {
    seen_ = 0;
    keys_.clear();
    rows_.clear();
    hashes_.clear();
    threshold_ = ~std::uint64_t{0};
    if (sampling_) ego_hash_ = chain(mix(sampling_->seed), ego);
}

void RowCollector::add(Node* row, int place, std::span<const Node> values) {
    seen_ += std::ssize(values);
    if (ordered_) return trie_.add(row, values);
    if (!sampling_ && levels_ * bits_ <= 64) return add_keys(row, place, values);
    for (Node v : values) {
        row[place] = v;
        if (sampling_)
            offer_to_sample(row);
        else
            keep(row);
    }
}

void RowCollector::keep(const Node* row) {
    account_.make_room(rows_, static_cast<std::size_t>(levels_));
    rows_.insert(rows_.end(), row, row + levels_);
}

void RowCollector::add_keys(const Node* row, int place, std::span<const Node> values) {
    std::uint64_t key = 0;
    for (int p = 0; p < levels_; ++p)
        key = key << bits_ | static_cast<std::uint64_t>(p == place ? 0 : row[p]);
    account_.make_room(keys_, values.size());
    const int shift = bits_ * (levels_ - 1 - place);
    for (Node v : values) keys_.push_back(key | static_cast<std::uint64_t>(v) << shift);
}

void RowCollector::offer_to_sample(const Node* row) {
    std::uint64_t hash = ego_hash_;
    for (int p = 0; p < levels_; ++p) hash = chain(hash, row[p]);
    if (hash > threshold_) return;
    account_.make_room(hashes_, 1);
    hashes_.push_back(hash);
    keep(row);
    if (std::ssize(hashes_) >= 2 * sampling_->limit + 64) cut_sample();
}

// Keeps the rows with the smallest hashes and raises the bar for the next ones.
void RowCollector::cut_sample() {
    const auto limit = static_cast<std::size_t>(sampling_->limit);
    if (hashes_.size() <= limit) return;
    std::vector<std::uint64_t> ranked(hashes_.begin(), hashes_.end());
    std::nth_element(ranked.begin(), ranked.begin() + (limit - 1), ranked.end());
    threshold_ = ranked[limit - 1];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < hashes_.size() && kept < limit; ++i) {
        if (hashes_[i] > threshold_) continue;
        hashes_[kept] = hashes_[i];
        std::copy_n(rows_.begin() + i * levels_, levels_, rows_.begin() + kept * levels_);
        ++kept;
    }
    hashes_.resize(kept);
    rows_.resize(kept * levels_);
}

void RowCollector::sort_into_trie() {
    const auto look_around = [&] {
        if (control_->stopped()) throw Stopped{};
    };
    if (!keys_.empty()) {
        std::sort(keys_.begin(), keys_.end(), [&](std::uint64_t a, std::uint64_t b) {
            look_around();
            return a < b;
        });
        const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
        std::array<Node, kMaxTemplateNodes> row;
        for (std::uint64_t key : keys_) {
            look_around();
            for (int p = levels_ - 1; p >= 0; --p, key >>= bits_)
                row[p] = static_cast<Node>(key & mask);
            trie_.add(row.data(), {&row[levels_ - 1], 1});
        }
    }
    GrowingArray<std::size_t> index;
    Account for_index(*control_);
    for_index.make_room(index, rows_.size() / levels_);
    index.resize(rows_.size() / levels_);
    std::iota(index.begin(), index.end(), std::size_t{0});
    const auto row = [this](std::size_t i) { return rows_.data() + i * levels_; };
    std::sort(index.begin(), index.end(), [&](std::size_t a, std::size_t b) {
        look_around();
        return std::lexicographical_compare(row(a), row(a) + levels_, row(b), row(b) + levels_);
    });
    for (std::size_t i : index) {
        look_around();
        trie_.add(row(i), {row(i) + levels_ - 1, 1});
    }
}

RowCollector::Finished RowCollector::finish() {
    Finished out;
    if (sampling_) {
        cut_sample();
        if (!hashes_.empty())
            out.weight = static_cast<double>(seen_) / static_cast<double>(hashes_.size());
    }
    try {
        if (!ordered_) sort_into_trie();
        // What the heap adds to a block counts too: there may be one per node.
        constexpr std::int64_t kHeap = 16;
        if (!control_->add_bytes(trie_.packed_bytes() + kHeap)) throw Stopped{};
        out.block = trie_.pack();
    } catch (const Stopped&) {
        out = {};
    }
    return out;
}

}  // namespace grape
