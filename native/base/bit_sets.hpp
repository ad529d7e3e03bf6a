// Sets of graph nodes as bit vectors: the representation for small or dense graphs, where an
// intersection is a few dozen AND instructions. Only for templates whose edges ask for no type.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <vector>

#include "base/graph.hpp"
#include "base/template.hpp"

namespace grape {

using Word = std::uint64_t;

// Writes a & b (or a & ~b) to out and returns the number of ones; `out` may be null.
std::int64_t and_words(const Word* a, const Word* b, Word* out, std::int64_t words);
std::int64_t and_not_words(const Word* a, const Word* b, Word* out, std::int64_t words);

class BitSets {
  public:
    struct Set {
        const Word* words = nullptr;
        std::int64_t size = 0;
        const Node* list = nullptr;  // a whole row is also at hand as a list, faster to walk
    };

    // The adjacency matrix as bits, built once and shared by all workers.
    class Shared {
      public:
        explicit Shared(const GraphView& graph);
        static std::int64_t bytes(const GraphView& graph);
        static bool pays(const GraphView& graph, const Template& t);

        const Word* row(Node v, Side side) const {
            const auto& bits = side.way == Way::in && graph.directed ? in_ : out_;
            return bits.data() + static_cast<std::int64_t>(v) * words;
        }
        const Word* with_label(std::int32_t label) const;

        GraphView graph;
        std::int64_t words;

      private:
        std::vector<Word> out_;
        std::vector<Word> in_;
        std::map<std::int32_t, std::vector<Word>> by_label_;
        std::vector<Word> none_;
    };

    BitSets(const Shared& shared, int num_sets)
        : shared_(shared),
          buffers_(static_cast<std::size_t>(num_sets * shared.words)),
          decoded_(static_cast<std::size_t>(shared.graph.num_nodes) + 2) {}

    static std::int64_t bytes(int num_sets, Node num_nodes) {
        return std::int64_t{num_sets} * num_nodes / 8 + 4 * std::int64_t{num_nodes};
    }

    Set row(Node v, Side side) const {
        const auto list = shared_.graph.neighbours(v, side);
        return {shared_.row(v, side), static_cast<std::int64_t>(list.size()), list.data()};
    }

    Set intersect(int slot, Set a, Node v, Side side) {
        Word* out = room(slot);
        return {out, and_words(a.words, shared_.row(v, side), out, shared_.words), nullptr};
    }

    std::int64_t intersect_size(Set a, Node v, Side side) const {
        return and_words(a.words, shared_.row(v, side), nullptr, shared_.words);
    }

    Set subtract(int slot, Set a, Node v, Side side) {
        Word* out = room(slot);
        return {out, and_not_words(a.words, shared_.row(v, side), out, shared_.words), nullptr};
    }

    Set with_label(int slot, Set a, std::int32_t label) {
        Word* out = room(slot);
        return {out, and_words(a.words, shared_.with_label(label), out, shared_.words), nullptr};
    }

    // Everything two steps away, v itself among it.
    Set two_hops(int slot, Node v, Side first, Side second) {
        Word* out = room(slot);
        std::fill_n(out, shared_.words, Word{0});
        for (Node middle : shared_.graph.neighbours(v, first)) {
            const Word* next = shared_.row(middle, second);
            for (std::int64_t k = 0; k < shared_.words; ++k) out[k] |= next[k];
        }
        return {out, and_words(out, out, nullptr, shared_.words), nullptr};
    }

    void index(int, Set&) {}  // bits need no index

    bool contains(const Set& a, Node v) const { return (a.words[v >> 6] >> (v & 63)) & 1u; }
    bool has_arc(Node v, Side side, Node to) const {
        return (shared_.row(v, side)[to >> 6] >> (to & 63)) & 1u;
    }

    template <class F>
    void each_between(const Set& a, Node low, Node high, F&& f) const {
        if (a.list != nullptr) {
            for (const Node* x = std::upper_bound(a.list, a.list + a.size, low);
                 x != a.list + a.size; ++x)
                if (*x >= high || !f(*x)) return;
            return;
        }
        std::int64_t k = (low + 1) >> 6;
        if (k >= shared_.words) return;
        Word word = a.words[k] & (~Word{0} << ((low + 1) & 63));
        for (;;) {
            for (; word != 0; word &= word - 1) {
                const auto x = static_cast<Node>(k * 64 + std::countr_zero(word));
                if (x >= high || !f(x)) return;
            }
            if (++k == shared_.words) return;
            word = a.words[k];
        }
    }

    // The members as a list, valid until the next call.
    std::span<const Node> list(const Set& a) const {
        if (a.list != nullptr) return {a.list, static_cast<std::size_t>(a.size)};
        return {decoded_.data(), static_cast<std::size_t>(decode(a.words))};
    }

  private:
    // Lists the members of a set in decoded_. Most words hold at most two: those are written
    // without asking, and overwritten by the next word if they were not there.
    std::int64_t decode(const Word* words) const {
        Node* out = decoded_.data();
        for (std::int64_t k = 0; k < shared_.words; ++k) {
            Word word = words[k];
            const auto base = static_cast<Node>(k * 64);
            const int ones = std::popcount(word);
            out[0] = base + std::countr_zero(word);
            word &= word - 1;
            out[1] = base + std::countr_zero(word);
            word &= word - 1;
            for (int x = 2; x < ones; ++x, word &= word - 1) out[x] = base + std::countr_zero(word);
            out += ones;
        }
        return out - decoded_.data();
    }

    Word* room(int slot) { return buffers_.data() + slot * shared_.words; }

    const Shared& shared_;
    std::vector<Word> buffers_;
    mutable std::vector<Node> decoded_;
};

}  // namespace grape
