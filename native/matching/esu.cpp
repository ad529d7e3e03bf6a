#include "matching/esu.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>

#include "matching/pair_counts.hpp"
#include "matching/placements.hpp"

namespace grape {
namespace {

// How a node is joined to the current vertex set: two bits per position as in SubgraphKey.
using Joints = std::uint16_t;
constexpr Joints kMember = 0x8000;  // the node itself is in the set

// One thread's walk. The set grows vertex by vertex; the last vertex is never added but only
// classified, because by then its joints are known.
class EsuWalk {
  public:
    EsuWalk(const GraphView& graph, const Template& t, bool induced, bool dense, Control& control,
            std::atomic<std::int64_t>& found)
        : graph_(graph),
          size_(t.size),
          control_(control),
          found_(found),
          cache_(t, induced),
          counts_(graph.num_nodes, cache_.num_roles(), dense, control),
          totals_(graph.num_nodes, 0),
          joints_(graph.num_nodes, 0) {
        if (graph.label != nullptr) {
            label_class_.resize(graph.num_nodes);
            for (Node v = 0; v < graph.num_nodes; ++v)
                label_class_[v] = static_cast<std::uint8_t>(cache_.label_class(graph.label[v]));
        }
    }

    void run(Node root) {
        root_ = root;
        extension_.clear();
        add(root, 0);
        extend(1, 0, extension_.size());
        remove(root, 0);
        account();
    }

    PairCounts& counts() { return counts_; }
    const std::vector<std::int64_t>& totals() const { return totals_; }

  private:
    // Puts v at a position of the set; its exclusive neighbours go to the end of the extension.
    void add(Node v, int position) {
        key_[position + 1] = key_[position];
        key_[position + 1].arcs |= static_cast<std::uint64_t>(joints_[v])
                                   << (position * (position - 1));
        key_[position + 1].labels |= label_class(v) << (4 * position);
        member_[position] = v;
        joints_[v] |= kMember;
        join(after_root(v, Side::out), static_cast<Joints>(arc_out_ << (2 * position)));
        if (graph_.directed)
            join(after_root(v, Side::in), static_cast<Joints>(2u << (2 * position)));
    }

    // The neighbours that may be in a set with this root: vertices before it have had their turn.
    std::span<const Node> after_root(Node v, Side side) const {
        const auto row = graph_.neighbours(v, side);
        return {std::upper_bound(row.begin(), row.end(), root_), row.end()};
    }

    void join(std::span<const Node> neighbours, Joints bits) {
        for (Node u : neighbours) {
            if (joints_[u] == 0) extension_.push_back(u);
            joints_[u] |= bits;
        }
    }

    void remove(Node v, int position) {
        const auto keep = static_cast<Joints>(~(3u << (2 * position)));
        for (Node u : after_root(v, Side::out)) joints_[u] &= keep;
        if (graph_.directed)
            for (Node u : after_root(v, Side::in)) joints_[u] &= keep;
        joints_[v] &= static_cast<Joints>(~kMember);
    }

    // The set has `members` vertices and extension_[begin, end) may follow.
    void extend(int members, std::size_t begin, std::size_t end) {
        if (members + 1 == size_) {
            classify(begin, end);
            return;
        }
        while (end > begin && !control_.stopped()) {
            const Node v = extension_[--end];
            if (members + 2 == size_) {
                // The walk ends at the next vertex and leaves this list alone: no copy needed.
                extension_.resize(end);
                add(v, members);
                classify(begin, extension_.size());
                remove(v, members);
            } else {
                const std::size_t top = extension_.size();
                for (std::size_t i = begin; i < end; ++i) extension_.push_back(extension_[i]);
                add(v, members);
                extend(members + 1, top, extension_.size());
                remove(v, members);
                extension_.resize(top);
            }
        }
    }

    // Every vertex of the extension completes the set: count the instances this makes.
    void classify(std::size_t begin, std::size_t end) {
        const int last = size_ - 1;
        const int stride = counts_.stride();
        const int shift = last * (last - 1);
        const SubgraphKey set = key_[last];
        std::array<std::int64_t*, kMaxTemplateNodes> row{};
        if (counts_.dense())
            for (int a = 0; a < last; ++a) row[a] = counts_.row(member_[a]);
        Placements** by_arcs = cache_.by_last_arcs(set);
        pending_.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const Node v = extension_[i];
            Placements* known = by_arcs == nullptr ? nullptr : by_arcs[joints_[v]];
            if (known == nullptr) {
                SubgraphKey key = set;
                key.arcs |= static_cast<std::uint64_t>(joints_[v]) << shift;
                key.labels |= label_class(v) << (4 * last);
                if (!cache_.types().empty()) key.types = types_with(v);
                known = &cache_.of(key);
                if (by_arcs != nullptr) by_arcs[joints_[v]] = known;
            }
            Placements& placements = *known;
            if (!placements.any) continue;
            if (placements.pending++ == 0) pending_.push_back(&placements);
            totals_[v] += placements.instances[last];
            const std::int64_t* more = placements.with_last.data();
            for (const int a : placements.partners) {
                std::int64_t* counters = counts_.dense()
                                             ? row[a] + static_cast<std::int64_t>(v) * stride
                                             : counts_.at(member_[a], v);
                for (int j = 0; j < stride; ++j) counters[j] += more[j];
                more += stride;
            }
        }
        for (Placements* placements : pending_) settle(*placements);
        if (++classified_ % 1024 == 0) account();
    }

    // What the earlier vertices owe to all last vertices of one kind, at once.
    void settle(Placements& placements) {
        const std::int64_t times = placements.pending;
        placements.pending = 0;
        for (const auto& p : placements.inside)
            counts_.at(member_[p.a], member_[p.b])[p.role] += times * p.count;
        for (int a = 0; a < size_; ++a) {
            if (a + 1 < size_) totals_[member_[a]] += times * placements.instances[a];
            found_here_ += times * placements.instances[a];
        }
    }

    // The types of all arcs among the members and the last vertex, as a number.
    std::uint64_t types_with(Node last) {
        member_[size_ - 1] = last;
        TypeGrid grid{};
        for (int a = 0; a < size_; ++a)
            for (int b = 0; b < size_; ++b)
                for (std::size_t k = 0; a != b && k < cache_.types().size(); ++k)
                    if (graph_.has_arc(member_[a], member_[b], cache_.types()[k]))
                        grid[kMaxTemplateNodes * a + b] = static_cast<std::uint8_t>(k + 1);
        return cache_.number_of(grid);
    }

    std::uint64_t label_class(Node v) const { return label_class_.empty() ? 0 : label_class_[v]; }

    void account() {
        const std::int64_t all = found_.fetch_add(found_here_, std::memory_order_relaxed);
        if (all + found_here_ > control_.budget().instances) control_.stop(StopReason::instances);
        found_here_ = 0;
    }

    GraphView graph_;
    int size_;
    Control& control_;
    std::atomic<std::int64_t>& found_;
    PlacementCache cache_;
    PairCounts counts_;
    std::vector<std::int64_t> totals_;
    std::vector<Joints> joints_;
    std::vector<std::uint8_t> label_class_;
    std::vector<Node> extension_;
    std::array<Node, kMaxTemplateNodes> member_{};
    std::array<SubgraphKey, kMaxTemplateNodes + 1> key_{};
    // An undirected edge is an arc each way.
    Joints arc_out_ = graph_.directed ? 1 : 3;
    Node root_ = 0;
    std::vector<Placements*> pending_;
    std::uint64_t classified_ = 0;
    std::int64_t found_here_ = 0;
};

// Adds up what the workers have found.
void join(std::vector<std::unique_ptr<EsuWalk>>& walks, Lookout& lookout, EsuResult& out) {
    std::unique_ptr<EsuWalk> sum;
    for (auto& walk : walks) {
        if (!walk || lookout.stopped()) continue;
        out.totals.resize(walk->totals().size(), 0);
        for (std::size_t v = 0; v < out.totals.size(); ++v) out.totals[v] += walk->totals()[v];
        if (sum)
            sum->counts().merge(walk->counts(), lookout);
        else
            sum = std::move(walk);
        walk.reset();
    }
    if (sum && !lookout.stopped()) out.roles = sum->counts().matrices(lookout);
}

}  // namespace

EsuResult esu_roles(const GraphView& graph, const Template& t, bool induced, int threads,
                    Control& control, const Watcher& watcher) {
    const int num_roles = PlacementCache(t, induced).num_roles();
    const Node n = graph.num_nodes;
    // All pairs in one array where that leaves the budget half free; small enough for any machine.
    const std::int64_t allowed =
        std::min<std::int64_t>(std::int64_t{1} << 30, control.budget().bytes / 2);
    const bool dense = threads * PairCounts::dense_bytes(n, num_roles) <= allowed;
    std::atomic<std::int64_t> found{0};
    std::vector<std::unique_ptr<EsuWalk>> walks(threads);
    // Totals, joints and label classes of every worker, the sum of the totals, the row starts.
    control.add_bytes(std::int64_t{n} * (11 * threads + 8 + 16 * num_roles));
    parallel_for(n, threads, control, watcher, [&](int worker, std::int64_t root) {
        auto& walk = walks[worker];
        if (!walk) walk = std::make_unique<EsuWalk>(graph, t, induced, dense, control, found);
        walk->run(static_cast<Node>(root));
    });
    EsuResult out;
    Lookout lookout(n, control, watcher);
    try {
        join(walks, lookout, out);
    } catch (const std::bad_alloc&) {
        control.stop(StopReason::memory);
    }
    if (control.stopped() || out.roles.empty()) {
        // A set counts for all its members, so no row is known to be complete.
        std::vector<RowStore<std::int64_t>> none;
        out.totals.assign(n, 0);
        out.roles.clear();
        for (int role = 0; role < num_roles; ++role)
            out.roles.push_back(assemble(n, none, std::vector<std::uint8_t>(n, 0)));
    }
    return out;
}

}  // namespace grape
