#include "matching/clique_support.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/account.hpp"

namespace grape {
namespace {

using Word = std::uint64_t;

// Arcs from every node to its neighbours of higher degree (ties by index).
struct Oriented {
    std::vector<Offset> ptr;
    std::vector<Node> idx;
    std::vector<Offset> slot;  // stored entry of the symmetric pattern -> arc

    // Stops half-way when the lookout says so.
    Oriented(const SparseRows<double>& graph, const Offset* reverse, Lookout& lookout)
        : ptr(static_cast<std::size_t>(graph.num_rows) + 1, 0),
          slot(static_cast<std::size_t>(graph.ptr[graph.num_rows])) {
        idx.reserve(slot.size() / 2);
        for (Node v = 0; v < graph.num_rows; ++v) {
            if (lookout.stopped(graph.size(v))) return;
            for (Offset e = graph.ptr[v]; e < graph.ptr[v + 1]; ++e) {
                const Node u = graph.idx[e];
                if (graph.size(v) < graph.size(u) || (graph.size(v) == graph.size(u) && v < u)) {
                    slot[e] = slot[reverse[e]] = static_cast<Offset>(idx.size());
                    idx.push_back(u);
                }
            }
            ptr[v + 1] = static_cast<Offset>(idx.size());
        }
    }
};

// The graph among the later neighbours of one node.
class Local {
  public:
    Local(Node num_nodes, Control& control)
        : control_(&control), account_(control), place_(static_cast<std::size_t>(num_nodes), -1) {}

    void count(const Oriented& arcs, Node v, int size, std::vector<std::uint64_t>& support) {
        const Offset begin = arcs.ptr[v];
        const auto members = static_cast<int>(arcs.ptr[v + 1] - begin);
        if (members < size - 1) return;
        words_ = (members + 63) / 64;
        rows_.assign(static_cast<std::size_t>(members) * words_, 0);
        pairs_.clear();
        for (int a = 0; a < members; ++a) place_[arcs.idx[begin + a]] = a;
        for (int a = 0; a < members; ++a) {
            const Node u = arcs.idx[begin + a];
            account_.make_room(pairs_, static_cast<std::size_t>(arcs.ptr[u + 1] - arcs.ptr[u]));
            for (Offset e = arcs.ptr[u]; e < arcs.ptr[u + 1]; ++e) {
                const int b = place_[arcs.idx[e]];
                if (b < 0) continue;
                rows_[a * words_ + b / 64] |= Word{1} << (b % 64);
                rows_[b * words_ + a / 64] |= Word{1} << (a % 64);
                pairs_.push_back({a, b, e});
            }
        }
        for (int a = 0; a < members; ++a) place_[arcs.idx[begin + a]] = -1;

        through_.assign(static_cast<std::size_t>(members), 0);
        common_.resize(static_cast<std::size_t>(size) * words_);
        int first = -1;
        for (const Pair& pair : pairs_) {
            if (pair.a != first && control_->stopped()) return;
            first = pair.a;
            for (int w = 0; w < words_; ++w) {
                common_[w] = rows_[pair.a * words_ + w] & rows_[pair.b * words_ + w];
            }
            const std::uint64_t cliques = inside(0, size - 3);
            if (cliques == 0) continue;
            add(support[pair.arc], cliques);
            through_[pair.a] += cliques;
            through_[pair.b] += cliques;
        }
        // A clique through (v, a) was seen once for each of its other local nodes.
        for (int a = 0; a < members; ++a) {
            if (through_[a] != 0) add(support[begin + a], through_[a] / (size - 2));
        }
    }

  private:
    struct Pair {
        int a, b;
        Offset arc;
    };

    // Other workers add to the same arcs; integer sums do not depend on their order.
    static void add(std::uint64_t& to, std::uint64_t amount) {
        std::atomic_ref<std::uint64_t>(to).fetch_add(amount, std::memory_order_relaxed);
    }

    // Cliques of `size` nodes inside the node set on level `level` of common_; fewer once the run
    // is to end, which on dense graphs must not wait for the end of a pair.
    std::uint64_t inside(int level, int size) {
        const Word* set = &common_[static_cast<std::size_t>(level) * words_];
        std::uint64_t total = 0;
        if (size == 0) return 1;
        if (size == 1) {
            for (int w = 0; w < words_; ++w) total += std::popcount(set[w]);
            return total;
        }
        if (control_->stopped()) return 0;
        Word* next = &common_[static_cast<std::size_t>(level + 1) * words_];
        for (int w = 0; w < words_; ++w) {
            for (Word left = set[w]; left != 0; left &= left - 1) {
                const int c = w * 64 + std::countr_zero(left);
                // Only later nodes, so that each clique is counted once.
                for (int x = 0; x < w; ++x) next[x] = 0;
                next[w] = (left & (left - 1)) & rows_[c * words_ + w];
                for (int x = w + 1; x < words_; ++x) next[x] = set[x] & rows_[c * words_ + x];
                total += inside(level + 1, size - 1);
            }
        }
        return total;
    }

    const Control* control_;
    Account account_;
    std::vector<int> place_;
    int words_ = 0;
    std::vector<Word> rows_, common_;
    GrowingArray<Pair> pairs_;
    std::vector<std::uint64_t> through_;
};

}  // namespace

std::int64_t clique_support_bytes(Node n, Offset entries, int threads) {
    // An arc, its place and its count, then a count, for every entry; a place per node.
    return entries * (2 + 8 + 4 + 8) + std::int64_t{n} * (8 + 4 * std::max(threads, 1));
}

std::vector<std::uint64_t> clique_support(const SparseRows<double>& graph, const Offset* reverse,
                                          int size, int threads, Control& control,
                                          const Watcher& watcher) {
    const Node n = graph.num_rows;
    if (!control.add_bytes(clique_support_bytes(n, graph.ptr[n], threads))) return {};
    Lookout lookout(n, control, watcher);
    const Oriented arcs(graph, reverse, lookout);
    if (control.stopped()) return {};
    std::vector<std::uint64_t> support(arcs.idx.size(), 0);
    std::vector<Local> locals;
    for (int worker = 0; worker < std::max(threads, 1); ++worker) locals.emplace_back(n, control);
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int worker, std::int64_t item) {
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node v = static_cast<Node>(item * kRowsPerItem); v < last; ++v) {
            if (control.stopped()) return;
            locals[worker].count(arcs, v, size, support);
        }
    });
    if (control.stopped()) return {};
    std::vector<std::uint64_t> out(arcs.slot.size());
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = support[arcs.slot[e]];
    return out;
}

}  // namespace grape
