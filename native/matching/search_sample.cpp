#include "matching/search_sample.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/bit_sets.hpp"
#include "base/sorted_sets.hpp"

namespace grape {
namespace {

constexpr int kFewestDescents = 16;
constexpr int kMostDescents = 4096;
constexpr double kGoldenRatio = 0.6180339887498949;

double degree(const GraphView& graph, Node v) {
    const auto out = static_cast<double>(graph.degree(v, Side::out));
    return graph.directed ? out + static_cast<double>(graph.degree(v, Side::in)) : out;
}

// Egos in proportion to their degrees. Multiples of the golden ratio are spread evenly however
// many are taken.
class EgoSequence {
  public:
    explicit EgoSequence(const GraphView& graph) : graph_(graph) {}

    Node next() {
        const Offset* ptr = graph_.directed && (++count_ & 1) ? graph_.in_ptr : graph_.out_ptr;
        at_ = std::fmod(at_ + kGoldenRatio, 1.0);
        const auto entry = static_cast<Offset>(at_ * static_cast<double>(graph_.num_entries()));
        return static_cast<Node>(std::upper_bound(ptr, ptr + graph_.num_nodes + 1, entry) - ptr -
                                 1);
    }

    // One over the probability of an ego.
    double weight(Node ego) const {
        const auto entries = static_cast<double>(graph_.num_entries());
        return (graph_.directed ? 2 : 1) * entries / degree(graph_, ego);
    }

  private:
    const GraphView& graph_;
    double at_ = 0.5;
    unsigned count_ = 0;
};

class Random {
  public:
    double below(double end) {  // splitmix64
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return end * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }

  private:
    std::uint64_t state_ = 0;
};

template <class Sets>
class Descent {
    static constexpr bool kBits = std::is_same_v<Sets, BitSets>;
    using Set = typename Sets::Set;

  public:
    Descent(const GraphView& graph, const Template& t, const Plan& plan,
            const typename Sets::Shared& shared, SearchWork& work)
        : graph_(graph),
          plan_(plan),
          anchor_label_(t.label[0]),
          ops_(shared, static_cast<int>(plan.sets.size())),
          set_(plan.sets.size()),
          image_(plan.core.size(), 0),
          words_(static_cast<double>((graph.num_nodes + 63) / 64)),
          work_(work) {
        work_.additions.assign(static_cast<std::size_t>(plan.num_roles), 0);
    }

    // One path from an ego to the bottom, or to where it ends before.
    void go(Node ego, double weight) {
        weight_ = weight;
        count(work_.bound, 1);
        if (anchor_label_ != kAnyLabel && graph_.label[ego] != anchor_label_) return;
        image_[0] = ego;
        for (std::size_t level = 0; derive_sets(level); ++level) {
            const bool last = level + 1 == plan_.core.size();
            if (last) count(work_.finished, static_cast<double>(plan_.block_set.size()));
            if (last && !can_be_completed()) return;
            hand_over(level);
            if (last) {
                for (const auto& [_, role] : plan_.core_share) work_.additions[role] += weight_;
                return;
            }
            if (!choose(level + 1)) return;
        }
    }

    // Steps of the descents themselves.
    double spent() const { return spent_; }

  private:
    void count(double& kind, double steps) {
        kind += weight_ * steps;
        spent_ += steps;
    }

    bool derive_sets(std::size_t level) {
        for (int id : plan_.sets_at[level]) {
            const SetStep& step = plan_.sets[id];
            const Node v = image_[step.level];
            count_derivation(step, v);
            switch (step.kind) {
                case SetStep::Kind::row:
                    set_[id] = ops_.row(v, step.side);
                    break;
                case SetStep::Kind::two_hops:
                    set_[id] = ops_.two_hops(id, v, step.side, step.second_side);
                    break;
                case SetStep::Kind::intersect:
                    set_[id] = ops_.intersect(id, set_[step.source], v, step.side);
                    break;
                case SetStep::Kind::subtract:
                    set_[id] = ops_.subtract(id, set_[step.source], v, step.side);
                    break;
                case SetStep::Kind::label:
                    set_[id] = ops_.with_label(id, set_[step.source], step.label);
                    break;
            }
            if (step.required && set_[id].size == 0) return false;
            if (step.probed && !kBits) {
                count(work_.walked, static_cast<double>(set_[id].size));
                ops_.index(id, set_[id]);
            }
        }
        return true;
    }

    void count_derivation(const SetStep& step, Node v) {
        if (step.kind == SetStep::Kind::row) return;
        count(kBits ? work_.combined : work_.derived, 1);
        if (step.kind == SetStep::Kind::two_hops) {
            double ends = 0;
            for (Node u : graph_.neighbours(v, step.side))
                ends += kBits ? words_ : static_cast<double>(graph_.degree(u, step.second_side));
            count(kBits ? work_.words : work_.gathered, ends);
        } else if constexpr (kBits) {
            count(work_.words, words_);
        } else {
            const auto have = static_cast<double>(set_[step.source].size);
            const auto row = static_cast<double>(graph_.degree(v, step.side));
            const bool indexed = set_[step.source].bits != nullptr && row <= 16 * have;
            const double few = std::min(have, row), many = std::max(have, row);
            const double searched = 2 * few * std::log2(2 + many / (1 + few));
            count(work_.walked, step.kind == SetStep::Kind::label ? have
                                : indexed                         ? row
                                : step.kind == SetStep::Kind::intersect
                                    ? std::min(have + row, searched)
                                    : have + row);
        }
    }

    // Whether every set has as many members as nodes of the tail are to be found in it.
    bool can_be_completed() const {
        for (std::size_t k = 0; k < plan_.tail.size(); ++k) {
            const int set = plan_.block_set[std::size_t{1} << k];
            std::int64_t wanted = 0;
            for (std::size_t other = 0; other < plan_.tail.size(); ++other)
                wanted += plan_.block_set[std::size_t{1} << other] == set;
            if (free_members(set, plan_.core.size()) < wanted) return false;
        }
        return true;
    }

    // Members of a set that are no images of core nodes bound so far.
    std::int64_t free_members(int set, std::size_t levels) const {
        std::int64_t size = set_[set].size;
        for (int level : plan_.sets[set].may_hold)
            if (static_cast<std::size_t>(level) < levels)
                size -= ops_.contains(set_[set], image_[level]);
        return size;
    }

    // The weights that pile up below a level go to the members of the sets known there.
    void hand_over(std::size_t level) {
        for (int id : plan_.slots_at[level]) {
            const auto& [set, role] = plan_.slots[id];
            const auto size = static_cast<double>(set_[set].size);
            count(work_.handed, size);
            work_.additions[role] += weight_ * static_cast<double>(free_members(set, level + 1));
            if constexpr (kBits)
                if (set_[set].list == nullptr) count(work_.decoded, words_);
        }
    }

    // Draws an image for the node at `level`.
    bool choose(std::size_t level) {
        double all = 0, candidates = 0;
        each_candidate(level, [&](Node v) {
            all += degree(graph_, v);
            ++candidates;
            return true;
        });
        count(work_.bound, candidates);
        double left = random_.below(all);
        Node chosen = -1;
        each_candidate(level, [&](Node v) {
            chosen = v;
            return (left -= degree(graph_, v)) > 0;
        });
        if (chosen < 0) return false;
        weight_ *= all / degree(graph_, chosen);
        image_[level] = chosen;
        return true;
    }

    template <class F>
    void each_candidate(std::size_t level, F&& f) {
        const int candidates = plan_.candidates[level];
        Node low = -1;
        Node high = std::numeric_limits<Node>::max();
        for (int earlier : plan_.above[level]) low = std::max(low, image_[earlier]);
        for (int earlier : plan_.below[level]) high = std::min(high, image_[earlier]);
        ops_.each_between(set_[candidates], low, high, [&](Node v) {
            for (std::size_t earlier = 0; earlier < level; ++earlier)
                if (image_[earlier] == v) return true;
            return f(v);
        });
    }

    const GraphView& graph_;
    const Plan& plan_;
    std::int32_t anchor_label_;
    Sets ops_;
    std::vector<Set> set_;
    std::vector<Node> image_;
    double words_;
    double weight_ = 0;
    double spent_ = 0;
    Random random_;
    SearchWork& work_;
};

template <class Sets>
SearchWork run(const GraphView& graph, const Template& t, const Plan& plan, double allowance,
               Control& control, const Watcher& watcher) {
    SearchWork work;
    const typename Sets::Shared shared(graph);
    Descent<Sets> descent(graph, t, plan, shared, work);
    EgoSequence egos(graph);
    constexpr double kPause = 0.02;  // seconds between two looks at the clock's keepers
    double looked = 0;
    int done = 0;
    while (done < kFewestDescents || (done < kMostDescents && descent.spent() < allowance)) {
        const Node ego = egos.next();
        descent.go(ego, egos.weight(ego));
        ++done;
        control.check_time();
        if (control.stopped()) break;
        if (control.elapsed() - looked < kPause) continue;
        looked = control.elapsed();
        watcher(0, 1);
    }
    for (double* kind : {&work.bound, &work.derived, &work.walked, &work.gathered, &work.combined,
                         &work.words, &work.decoded, &work.handed, &work.finished})
        *kind /= done;
    for (double& additions : work.additions) additions /= done;
    return work;
}

}  // namespace

SearchWork sample_search(const GraphView& graph, const Template& t, const Plan& plan, bool bits,
                         double allowance, Control& control, const Watcher& watcher) {
    SearchWork none;
    none.additions.assign(static_cast<std::size_t>(plan.num_roles), 0);
    if (graph.num_entries() == 0) return none;
    const auto n = static_cast<std::int64_t>(graph.num_nodes);
    if (bits) control.add_bytes((graph.directed ? 2 : 1) * n * ((n + 63) / 64) * 8);
    if (control.stopped()) return none;
    return bits ? run<BitSets>(graph, t, plan, allowance, control, watcher)
                : run<SortedSets>(graph, t, plan, allowance, control, watcher);
}

}  // namespace grape
