// Sets of graph nodes as sorted lists: the representation for large sparse graphs.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/graph.hpp"

namespace grape {

class SortedSets {
  public:
    // A borrowed row of the graph or of a buffer below.
    struct Set {
        const Node* data = nullptr;
        std::int64_t size = 0;
        const std::uint64_t* bits = nullptr;  // the members again, if the set was indexed
        const Node* begin() const { return data; }
        const Node* end() const { return data + size; }
    };

    // Shared by all workers: nothing but the graph.
    struct Shared {
        GraphView graph;
        explicit Shared(const GraphView& g) : graph(g) {}
        static std::int64_t bytes(const GraphView&) { return 0; }
    };

    SortedSets(const Shared& shared, int num_sets)
        : graph_(shared.graph), buffers_(num_sets), indexes_(num_sets) {}

    // Lists and bitmaps of one worker, when as long as they get on a graph of hubs.
    static std::int64_t bytes(int num_sets, Node num_nodes) {
        return std::int64_t{num_sets} * num_nodes / 2;
    }

    Set row(Node v, Side side) const {
        const auto r = graph_.neighbours(v, side);
        return {r.data(), static_cast<std::int64_t>(r.size())};
    }

    Set intersect(int slot, const Set& a, Node v, Side side) {
        const Set b = row(v, side);
        Node* const start = room(slot, a.bits != nullptr ? b.size : std::min(a.size, b.size));
        Node* out = start;
        if (probes(a, b))
            for (Node x : b) {
                *out = x;
                out += has_bit(a, x);
            }
        else
            each_common(a, b, [&](Node x) { *out++ = x; });
        return {start, out - start};
    }

    std::int64_t intersect_size(const Set& a, Node v, Side side) const {
        const Set b = row(v, side);
        std::int64_t count = 0;
        if (probes(a, b))
            for (Node x : b) count += has_bit(a, x);
        else
            each_common(a, b, [&](Node) { ++count; });
        return count;
    }

    // Prepares a set for many intersections: a bitmap answers faster than a merge.
    void index(int slot, Set& a) {
        auto& [bits, members] = indexes_[slot];
        bits.resize((static_cast<std::size_t>(graph_.num_nodes) + 63) / 64, 0);
        for (Node x : members) bits[static_cast<std::size_t>(x >> 6)] = 0;
        members.assign(a.begin(), a.end());
        for (Node x : members) bits[static_cast<std::size_t>(x >> 6)] |= bit_of(x);
        a.bits = bits.data();
    }

    Set subtract(int slot, Set a, Node v, Side side) {
        const Set b = row(v, side);
        Node* const start = room(slot, a.size);
        return {start, std::set_difference(a.begin(), a.end(), b.begin(), b.end(), start) - start};
    }

    Set with_label(int slot, Set a, std::int32_t label) {
        Node* const start = room(slot, a.size);
        Node* const end = std::copy_if(a.begin(), a.end(), start,
                                       [&](Node x) { return graph_.label[x] == label; });
        return {start, end - start};
    }

    // Everything two steps away, v itself among it.
    Set two_hops(int slot, Node v, Side first, Side second) {
        auto& buffer = buffers_[slot];
        buffer.clear();
        for (Node middle : row(v, first)) {
            const Set next = row(middle, second);
            buffer.insert(buffer.end(), next.begin(), next.end());
        }
        std::sort(buffer.begin(), buffer.end());
        buffer.erase(std::unique(buffer.begin(), buffer.end()), buffer.end());
        return {buffer.data(), static_cast<std::int64_t>(buffer.size())};
    }

    bool contains(const Set& a, Node v) const {
        return a.bits != nullptr ? has_bit(a, v) : std::binary_search(a.begin(), a.end(), v);
    }
    bool has_arc(Node v, Side side, Node to) const { return contains(row(v, side), to); }

    // Calls f(x) for every member x with low < x < high until f returns false.
    template <class F>
    void each_between(const Set& a, Node low, Node high, F&& f) const {
        for (const Node* x = std::upper_bound(a.begin(), a.end(), low); x != a.end(); ++x)
            if (*x >= high || !f(*x)) return;
    }

    std::span<const Node> list(const Set& a) const {
        return {a.data, static_cast<std::size_t>(a.size)};
    }

  private:
    struct Index {
        std::vector<std::uint64_t> bits;
        std::vector<Node> members;  // whose bits are set
    };
    static constexpr std::int64_t kMuchLonger = 16;

    static std::uint64_t bit_of(Node x) { return std::uint64_t{1} << (x & 63); }
    static bool has_bit(const Set& a, Node x) { return (a.bits[x >> 6] >> (x & 63)) & 1u; }
    static bool probes(const Set& a, const Set& b) {
        return a.bits != nullptr && b.size <= a.size * kMuchLonger;
    }

    // Merging, or searching the longer list when the other is much shorter.
    template <class F>
    static void each_common(const Set& one, const Set& other, F&& f) {
        const Set& small = one.size <= other.size ? one : other;
        const Set& large = one.size <= other.size ? other : one;
        if (small.size * kMuchLonger < large.size) {
            const Node* from = large.begin();
            for (Node x : small) {
                from = std::lower_bound(from, large.end(), x);
                if (from == large.end()) return;
                if (*from == x) f(x);
            }
            return;
        }
        const Node* a = small.begin();
        const Node* b = large.begin();
        while (a != small.end() && b != large.end()) {
            const Node x = *a;
            const Node y = *b;
            if (x == y) f(x);
            a += x <= y;
            b += y <= x;
        }
    }

    Node* room(int slot, std::int64_t size) {
        auto& buffer = buffers_[slot];
        if (static_cast<std::int64_t>(buffer.size()) < size)
            buffer.resize(static_cast<std::size_t>(size));
        return buffer.data();
    }

    GraphView graph_;
    std::vector<std::vector<Node>> buffers_;
    std::vector<Index> indexes_;
};

}  // namespace grape
