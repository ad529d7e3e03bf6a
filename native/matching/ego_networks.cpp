#include "matching/ego_networks.hpp"

#include <atomic>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/account.hpp"
#include "base/ego_order.hpp"

namespace grape {
namespace {

constexpr std::int64_t kMuchLonger = 16;  // a row that is searched rather than read

std::int64_t pairs(std::int64_t p) { return p * (p - 1) / 2; }

// One ego network after the other, and the numbers p of one of its nodes.
class Worker {
  public:
    Worker(const GraphView& graph, EgoNetworkCounts& counts, Control& control)
        : graph_(graph), counts_(counts), control_(control), account_(control) {
        account_.charge(std::int64_t{sizeof(Node)} * graph.num_nodes);
        place_.assign(graph.num_nodes, -1);
    }

    void count(Node h) {
        enter(h);
        for (Node a = 0; a < size() && !control_.stopped(); ++a) {
            find_common(a);
            weigh(a);
            for (const Node c : touched_) common_[c] = 0;
        }
        for (const Node x : members_) place_[x] = -1;
    }

  private:
    Node size() const { return static_cast<Node>(members_.size()); }
    std::span<const Node> row(Node a) const {
        return {idx_.data() + ptr_[a], static_cast<std::size_t>(ptr_[a + 1] - ptr_[a])};
    }

    // Writes down who knows whom among the neighbours of h, by their places among these.
    void enter(Node h) {
        first_ = graph_.out_ptr[h];
        members_ = graph_.neighbours(h, Side::out);
        for (Node a = 0; a < size(); ++a) place_[members_[a]] = a;
        idx_.clear();
        entry_.clear();
        ptr_.assign(1, 0);
        for (Node a = 0; a < size() && !control_.stopped(); ++a) {
            const Node v = members_[a];
            const Node* const begin = graph_.out_idx + graph_.out_ptr[v];
            const Node* const end = graph_.out_idx + graph_.out_ptr[v + 1];
            const auto keep = [&](const Node* at) {
                account_.make_room(idx_, 1);
                account_.make_room(entry_, 1);
                idx_.push_back(place_[*at]);
                entry_.push_back(at - graph_.out_idx);
            };
            if (size() * kMuchLonger < end - begin) {
                const Node* at = begin;
                for (const Node x : members_) {
                    at = std::lower_bound(at, end, x);
                    if (at == end) break;
                    if (*at == x) keep(at);
                }
            } else {
                for (const Node* at = begin; at != end; ++at)
                    if (place_[*at] >= 0) keep(at);
            }
            ptr_.push_back(static_cast<Offset>(idx_.size()));
        }
        common_.resize(members_.size(), 0);
        near_.assign(members_.size(), -1);
    }

    // p(a, c) for all c; those that are not zero are `touched_`.
    void find_common(Node a) {
        touched_.clear();
        for (const Node b : row(a)) {
            if (control_.stopped()) return;
            near_[b] = a;
            for (const Node c : row(b)) {
                if (common_[c]++ == 0) touched_.push_back(c);
            }
        }
    }

    void weigh(Node a) {
        std::int64_t spoke = 0, full = 0, sum = 0, largest = 0;
        for (const Node c : touched_) {
            sum += common_[c];
            largest = std::max<std::int64_t>(largest, common_[c]);
            if (c != a) spoke += pairs(common_[c]);
        }
        // Bounds every number that this node adds to.
        if (static_cast<double>(sum) * static_cast<double>(largest) > 0x1p60)
            control_.stop(StopReason::overflow);
        for (const Node b : row(a)) full += pairs(common_[b]);
        counts_.spoke[first_ + a] = spoke;
        counts_.full[first_ + a] = full;
        for (Offset e = ptr_[a]; e < ptr_[a + 1] && !control_.stopped(); ++e) {
            const Node b = idx_[e];
            if (counts_.rim.size() > 0) add_rim(a, b, entry_[e]);
            if (b > a && common_[b] > 1) add_open(a, b);
        }
    }

    // Two neighbours on the rim, by the node c that comes after the second.
    void add_rim(Node a, Node b, Offset entry) {
        std::int64_t found = 0;
        for (const Node c : row(b)) found += c == a ? 0 : common_[c] - 1;
        // Other workers meet the same edge in other ego networks.
        std::atomic_ref(counts_.rim[entry]).fetch_add(found, std::memory_order_relaxed);
    }

    // The triangle of h, a and b, for each node c that is joined to all three.
    void add_open(Node a, Node b) {
        const std::int64_t others = common_[b] - 1;
        for (const Node c : row(b))
            if (near_[c] == a) counts_.open[first_ + c] += others;
    }

    const GraphView& graph_;
    EgoNetworkCounts& counts_;
    Control& control_;
    Account account_;
    std::vector<Node> place_;  // of a node in the ego network, or -1
    Offset first_ = 0;         // entry of h's first neighbour
    std::span<const Node> members_;
    std::vector<Offset> ptr_;
    GrowingArray<Node> idx_;
    GrowingArray<Offset> entry_;  // the same edges in the whole graph
    std::vector<Node> common_;    // p(a, c)
    std::vector<Node> near_;      // the last a that the node is a neighbour of
    std::vector<Node> touched_;
};

}  // namespace

EgoNetworkCounts ego_network_counts(const GraphView& graph, bool rim, int threads, Control& control,
                                    const Watcher& watcher) {
    const Offset entries = graph.num_entries();
    EgoNetworkCounts counts;
    if (!control.add_result((rim ? 4 : 3) * 8 * entries)) return {};
    for (auto* numbers : {&counts.spoke, &counts.full, &counts.open})
        *numbers = Buffer<std::int64_t>(entries);
    if (rim) counts.rim = Buffer<std::int64_t>(entries);
    std::fill_n(counts.open.data(), entries, 0);
    std::fill_n(counts.rim.data(), counts.rim.size(), 0);
    std::vector<Node> all(graph.num_nodes);
    std::iota(all.begin(), all.end(), 0);
    const std::vector<Node> order = egos_by_degree(graph, all, false);
    std::vector<std::unique_ptr<Worker>> workers(threads);
    parallel_for(graph.num_nodes, threads, control, watcher, [&](int w, std::int64_t item) {
        if (!workers[w]) workers[w] = std::make_unique<Worker>(graph, counts, control);
        workers[w]->count(order[item]);
    });
    if (control.stopped()) return {};
    return counts;
}

}  // namespace grape
