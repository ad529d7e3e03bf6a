#include "matching/pair_counts.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace grape {

PairCounts::PairCounts(Node num_nodes, int num_roles, bool dense, Control& control)
    : num_nodes_(num_nodes), num_roles_(num_roles), dense_(dense), account_(control) {
    if (dense_) {
        account_.charge(dense_bytes(num_nodes, num_roles));
        const auto all = static_cast<std::size_t>(num_nodes) * num_nodes * stride();
        counters_.reserve(all);
        // In steps, since the run may end while a large array is written.
        constexpr std::size_t kStep = std::size_t{1} << 20;
        while (counters_.size() < all) {
            if (control.stopped()) throw std::bad_alloc();
            counters_.resize(std::min(all, counters_.size() + kStep), 0);
        }
    } else {
        slots_.assign(1024, 0);
    }
}

std::size_t PairCounts::find_slot(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key) slot = (slot + 1) & mask;
    return slot;
}

std::int64_t* PairCounts::hashed(std::uint64_t key) {
    std::size_t slot = find_slot(key);
    if (slots_[slot] == 0) {
        if (2 * keys_.size() >= slots_.size()) {
            grow();
            slot = find_slot(key);
        }
        account_.make_room(keys_, 1);
        account_.make_room(counters_, static_cast<std::size_t>(stride()));
        keys_.push_back(key);
        counters_.resize(counters_.size() + stride(), 0);
        slots_[slot] = static_cast<std::uint32_t>(keys_.size());
    }
    return counters_.data() + (slots_[slot] - std::size_t{1}) * stride();
}

void PairCounts::grow() {
    // Slots hold 32-bit entry numbers and the hash offers 32 bits.
    if (slots_.size() > std::numeric_limits<std::uint32_t>::max() / 2) throw std::bad_alloc();
    account_.make_room(slots_, slots_.size());
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t entry = 0; entry < keys_.size(); ++entry)
        slots_[find_slot(keys_[entry])] = static_cast<std::uint32_t>(entry + 1);
}

const std::int64_t* PairCounts::peek(Node a, Node b) const {
    if (dense_) return counters_.data() + static_cast<std::int64_t>(key(a, b)) * stride();
    const std::uint32_t entry = slots_[find_slot(key(a, b))];
    return entry == 0 ? nullptr : counters_.data() + (entry - std::size_t{1}) * stride();
}

void PairCounts::merge(const PairCounts& other, Lookout& lookout) {
    if (dense_) {
        for (std::size_t i = 0; i < counters_.size() && !lookout.stopped(); ++i)
            counters_[i] += other.counters_[i];
        return;
    }
    for (std::size_t entry = 0; entry < other.keys_.size() && !lookout.stopped(); ++entry) {
        std::int64_t* mine = hashed(other.keys_[entry]);
        for (int j = 0; j < stride(); ++j) mine[j] += other.counters_[entry * stride() + j];
    }
}

// The hashed pairs a < b that have counters in either direction, in ascending order.
GrowingArray<std::uint64_t> PairCounts::sorted_pairs(Lookout& lookout) {
    struct Stopped {};  // thrown through the sort to end it
    GrowingArray<std::uint64_t> pairs;
    account_.make_room(pairs, keys_.size());
    for (std::uint64_t k : keys_) {
        if (lookout.stopped()) return {};
        const auto a = static_cast<Node>(k / num_nodes_), b = static_cast<Node>(k % num_nodes_);
        if (a < b || peek(b, a) == nullptr) pairs.push_back(key(std::min(a, b), std::max(a, b)));
    }
    try {
        std::sort(pairs.begin(), pairs.end(), [&](std::uint64_t one, std::uint64_t other) {
            if (lookout.stopped()) throw Stopped{};
            return one < other;
        });
    } catch (const Stopped&) {
    }
    return pairs;
}

// Visits the pairs a < b in ascending order with their counters (a, b) and (b, a), either of
// which may be null.
template <class Visit>
void PairCounts::for_each_pair(const GrowingArray<std::uint64_t>& pairs, Lookout& lookout,
                               const Visit& visit) const {
    if (dense_) {
        for (Node a = 0; a < num_nodes_; ++a)
            for (Node b = a + 1; b < num_nodes_ && !lookout.stopped(); ++b)
                visit(a, b, peek(a, b), peek(b, a));
        return;
    }
    for (std::uint64_t k : pairs) {
        if (lookout.stopped()) return;
        const auto a = static_cast<Node>(k / num_nodes_), b = static_cast<Node>(k % num_nodes_);
        visit(a, b, peek(a, b), peek(b, a));
    }
}

// Rows come out sorted: row v first receives the partners below v, then those above.
std::vector<Csr> PairCounts::matrices(Lookout& lookout) {
    GrowingArray<std::uint64_t> pairs;
    if (!dense_) pairs = sorted_pairs(lookout);
    std::vector<Csr> out(num_roles_);
    const auto each_entry = [&](const auto& put) {
        for_each_pair(
            pairs, lookout, [&](Node a, Node b, const std::int64_t* ab, const std::int64_t* ba) {
                for (int j = 0; j < num_roles_; ++j) {
                    const std::int64_t from_a = (ab ? ab[j] : 0) + (ba ? ba[num_roles_ + j] : 0);
                    const std::int64_t from_b = (ba ? ba[j] : 0) + (ab ? ab[num_roles_ + j] : 0);
                    if (from_a != 0) put(out[j], a, b, from_a);
                    if (from_b != 0) put(out[j], b, a, from_b);
                }
            });
    };
    const auto rows = static_cast<std::size_t>(num_nodes_);
    // ptr[v + 1] is the place of row v's next entry until the row is full.
    std::vector<std::vector<Offset>> ptr(num_roles_, std::vector<Offset>(rows + 2, 0));
    each_entry([&](Csr& m, Node ego, Node, std::int64_t) { ++ptr[&m - out.data()][ego + 2]; });
    for (int j = 0; j < num_roles_; ++j) {
        for (std::size_t v = 0; v < rows; ++v) ptr[j][v + 2] += ptr[j][v + 1];
        account_.charge(ptr[j][rows + 1] *
                        static_cast<std::int64_t>(sizeof(Node) + sizeof(std::int64_t)));
        out[j].idx = Buffer<Node>(ptr[j][rows + 1]);
        out[j].val = Buffer<std::int64_t>(ptr[j][rows + 1]);
    }
    each_entry([&](Csr& m, Node ego, Node u, std::int64_t count) {
        const Offset place = ptr[&m - out.data()][ego + 1]++;
        m.idx[place] = u;
        m.val[place] = count;
    });
    if (lookout.stopped()) return {};
    for (int j = 0; j < num_roles_; ++j) {
        out[j].ptr = Buffer<Offset>(num_nodes_ + 1);
        std::copy_n(ptr[j].begin(), rows + 1, out[j].ptr.data());
    }
    return out;
}

}  // namespace grape
