#include "nulls/rewire.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "nulls/pair_set.hpp"
#include "nulls/random.hpp"

namespace grape {
namespace {

struct Edge {
    Node tail;
    Node head;
};

// The edges of one pair of labels, which may be swapped with each other.
struct Block {
    std::int64_t first;
    std::int64_t size;
    bool turns;  // whether an edge has no direction: its two ends are of one kind
};

class Chain {
  public:
    Chain(const GraphView& graph, std::uint64_t seed, bool keep_labels)
        : graph_(graph), labelled_(keep_labels), random_(seed), present_(count_edges(graph)) {
        collect();
        divide();
        if (graph.directed) find_own();
    }

    std::int64_t size() const { return static_cast<std::int64_t>(edges_.size()); }

    // Whether the graph changed.
    bool step() {
        constexpr std::int64_t kOneIn = 8;
        return graph_.directed && random_.below(kOneIn) == 0 ? turn_triangle() : swap();
    }

    std::int64_t kept() const {
        return std::count_if(edges_.begin(), edges_.end(),
                             [&](const Edge& e) { return graph_.has_arc(e.tail, e.head); });
    }

    const std::vector<Edge>& edges() const { return edges_; }

  private:
    static std::int64_t count_edges(const GraphView& graph) {
        return graph.directed ? graph.num_entries() : graph.num_entries() / 2;
    }

    std::int32_t label(Node v) const { return labelled_ ? graph_.label[v] : 0; }

    // An undirected edge has the end with the smaller label first.
    void collect() {
        edges_.reserve(static_cast<std::size_t>(count_edges(graph_)));
        for (Node v = 0; v < graph_.num_nodes; ++v)
            for (const Node u : graph_.neighbours(v, Side::out)) {
                const bool once =
                    graph_.directed || label(v) < label(u) || (label(v) == label(u) && v < u);
                if (once) {
                    edges_.push_back({v, u});
                    insert(v, u);
                }
            }
        if (!labelled_) return;  // the rows are in order
        const auto kind = [&](const Edge& e) {
            return std::tuple(label(e.tail), label(e.head), e.tail, e.head);
        };
        std::sort(edges_.begin(), edges_.end(),
                  [&](const Edge& a, const Edge& b) { return kind(a) < kind(b); });
    }

    void divide() {
        block_of_.resize(edges_.size());
        for (std::int64_t e = 0; e < size(); ++e) {
            const Edge& now = edge(e);
            const bool same = !blocks_.empty() &&
                              label(now.tail) == label(edge(blocks_.back().first).tail) &&
                              label(now.head) == label(edge(blocks_.back().first).head);
            if (!same) {
                const bool turns = !graph_.directed && label(now.tail) == label(now.head);
                blocks_.push_back({e, 0, turns});
            }
            ++blocks_.back().size;
            block_of_[static_cast<std::size_t>(e)] = static_cast<std::int32_t>(blocks_.size() - 1);
        }
    }

    // Where the arcs from each node to nodes of its own label are: swaps leave tails in place.
    void find_own() {
        own_first_.assign(static_cast<std::size_t>(graph_.num_nodes), 0);
        own_size_.assign(static_cast<std::size_t>(graph_.num_nodes), 0);
        for (std::int64_t e = 0; e < size(); ++e) {
            const Edge& arc = edge(e);
            if (label(arc.tail) != label(arc.head)) continue;
            if (own_size_[static_cast<std::size_t>(arc.tail)]++ == 0)
                own_first_[static_cast<std::size_t>(arc.tail)] = e;
        }
    }

    Edge& edge(std::int64_t e) { return edges_[static_cast<std::size_t>(e)]; }

    std::pair<Node, Node> ordered(Node a, Node b) const {
        return graph_.directed || a < b ? std::pair(a, b) : std::pair(b, a);
    }
    bool has(Node a, Node b) const {
        const auto [low, high] = ordered(a, b);
        return present_.has(low, high);
    }
    void insert(Node a, Node b) {
        const auto [low, high] = ordered(a, b);
        present_.insert(low, high);
    }
    void erase(Node a, Node b) {
        const auto [low, high] = ordered(a, b);
        present_.erase(low, high);
    }

    bool swap() {
        const std::int64_t i = random_.below(size());
        const Block& block =
            blocks_[static_cast<std::size_t>(block_of_[static_cast<std::size_t>(i)])];
        const std::int64_t j = block.first + random_.below(block.size);
        const bool turned = block.turns && random_.coin();
        if (i == j) return false;
        Edge& one = edge(i);
        Edge& two = edge(j);
        Edge other = two;
        if (turned) std::swap(other.tail, other.head);
        if (one.tail == other.head || other.tail == one.head) return false;
        if (has(one.tail, other.head) || has(other.tail, one.head)) return false;
        erase(one.tail, one.head);
        erase(other.tail, other.head);
        std::swap(one.head, other.head);
        two = other;
        insert(one.tail, one.head);
        insert(two.tail, two.head);
        return true;
    }

    // a>b, b>c, c>a become a>c, c>b, b>a. Where the triangle was met from depends on degrees
    // only, which the turned one has too.
    bool turn_triangle() {
        const std::int64_t ab = random_.below(size());
        const Node a = edge(ab).tail;
        const Node b = edge(ab).head;
        const auto own = static_cast<std::size_t>(b);
        if (label(a) != label(b) || own_size_[own] == 0) return false;
        const std::int64_t bc = own_first_[own] + random_.below(own_size_[own]);
        const Node c = edge(bc).head;
        if (c == a || !has(c, a) || has(b, a) || has(c, b) || has(a, c)) return false;
        const std::int64_t ca = find(c, a);
        erase(a, b);
        erase(b, c);
        erase(c, a);
        edge(ab).head = c;
        edge(bc).head = a;
        edge(ca).head = b;
        insert(a, c);
        insert(b, a);
        insert(c, b);
        return true;
    }

    std::int64_t find(Node tail, Node head) {
        std::int64_t e = own_first_[static_cast<std::size_t>(tail)];
        while (edge(e).head != head) ++e;
        return e;
    }

    const GraphView& graph_;
    bool labelled_;
    Random random_;
    PairSet present_;
    std::vector<Edge> edges_;  // by label of the tail, label of the head, tail
    std::vector<Block> blocks_;
    std::vector<std::int32_t> block_of_;
    std::vector<std::int64_t> own_first_;
    std::vector<std::int64_t> own_size_;
};

}  // namespace

Rewired rewire(const GraphView& graph, std::uint64_t seed, std::int64_t steps, bool keep_labels,
               Control& control, const Watcher& watcher) {
    Chain chain(graph, seed, keep_labels);
    Rewired found;
    Lookout lookout(steps, control, watcher);
    if (chain.size() == 0) return found;
    for (std::int64_t step = 0; step < steps && !lookout.stopped(); ++step) {
        if (step == steps / 2) found.kept_half = chain.kept();
        found.accepted += chain.step();
    }
    found.kept = chain.kept();
    found.tails.reserve(chain.edges().size());
    found.heads.reserve(chain.edges().size());
    for (const Edge& e : chain.edges()) {
        found.tails.push_back(e.tail);
        found.heads.push_back(e.head);
    }
    return found;
}

}  // namespace grape
