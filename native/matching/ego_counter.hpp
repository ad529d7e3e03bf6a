// Runs a plan around one ego after another and counts its roles.
#pragma once

#include <limits>
#include <vector>

#include "base/accumulator.hpp"
#include "base/control.hpp"
#include "matching/completions.hpp"
#include "matching/plan.hpp"

namespace grape {

enum class EgoOutcome { counted, too_many, overflow, stopped };

// Sets: SortedSets or BitSets. Int: std::int64_t, or __int128 for the rare ego whose visited
// maps, before division by the symmetries, do not fit into 64 bits.
template <class Sets, class Int>
class EgoCounter {
  public:
    using Set = typename Sets::Set;

    // `membership`: the question is only who occurs at all (weighting "set"), so large candidate
    // sets need not be multiplied out and nothing can overflow but the total.
    EgoCounter(const Plan& plan, const Template& t, const GraphView& graph,
               const typename Sets::Shared& shared, bool membership, const Control& control)
        : plan_(plan),
          graph_(graph),
          anchor_label_(t.label[0]),
          membership_(membership),
          control_(control),
          ops_(shared, static_cast<int>(plan.sets.size())),
          set_(plan.sets.size()),
          image_(plan.core.size(), 0),
          pending_(plan.slots.size(), 0),
          set_size_(plan.sets.size(), 0),
          block_size_(plan.block_set.size(), 0),
          completions_(static_cast<int>(plan.tail.size())),
          small_completions_(static_cast<int>(plan.tail.size())),
          whole_tail_(static_cast<unsigned>(plan.block_set.size()) - 1) {
        const bool pairs = !plan.core_share.empty() || !plan.tail_share.empty();
        for (int role = 1; pairs && role < plan.num_roles; ++role)
            rows_.emplace_back(graph.num_nodes);
    }

    // Bytes of one counter, all but the short lists.
    static std::int64_t bytes(const Plan& plan, const GraphView& graph) {
        const bool pairs = !plan.core_share.empty() || !plan.tail_share.empty();
        return (pairs ? plan.num_roles - 1 : 0) * Accumulator<Int>::bytes(graph.num_nodes) +
               Sets::bytes(static_cast<int>(plan.sets.size()), graph.num_nodes);
    }

    // Counts around `ego`, at most `limit` visited maps. The rows must be drained afterwards,
    // whatever the outcome.
    EgoOutcome count(Node ego, Int limit) {
        total_ = 0;
        math_.overflow = false;
        too_many_ = false;
        limit_ = limit;
        if (anchor_label_ != kAnyLabel && graph_.label[ego] != anchor_label_)
            return EgoOutcome::counted;
        match(0, ego);
        if (control_.stopped()) return EgoOutcome::stopped;
        // A total that went beyond the integers says nothing about the limit.
        if (math_.overflow) return EgoOutcome::overflow;
        if (too_many_) return EgoOutcome::too_many;
        // A role's visited count is at most the number of template nodes times the total.
        constexpr Int kSafe = std::numeric_limits<Int>::max() / kMaxTemplateNodes;
        if (!membership_ && total_ > kSafe) return EgoOutcome::overflow;
        return EgoOutcome::counted;
    }

    Int total() const { return total_; }
    Accumulator<Int>& row(int role) { return rows_[static_cast<std::size_t>(role) - 1]; }
    bool has_rows() const { return !rows_.empty(); }

  private:
    bool finished() const { return too_many_ || control_.stopped(); }

    // Binds the core node at `level` to v, derives the sets that follow, and goes deeper.
    void match(std::size_t level, Node v) {
        image_[level] = v;
        if (!derive_sets(level)) return;
        if (level + 1 == plan_.core.size())
            complete();
        else
            extend(level + 1);
        flush(level);
    }

    void extend(std::size_t level) {
        const int candidates = plan_.candidates[level];
        Node low = -1;
        Node high = std::numeric_limits<Node>::max();
        for (int earlier : plan_.above[level]) low = std::max(low, image_[earlier]);
        for (int earlier : plan_.below[level]) high = std::min(high, image_[earlier]);
        ops_.each_between(set_[candidates], low, high, [&](Node v) {
            for (int earlier : plan_.sets[candidates].may_hold) {
                if (earlier >= static_cast<int>(level)) break;
                if (image_[earlier] == v) return true;
            }
            match(level, v);
            return !finished();
        });
    }

    // False if a set that must not be empty is.
    bool derive_sets(std::size_t level) {
        for (int id : plan_.sets_at[level]) {
            const SetStep& step = plan_.sets[id];
            Set& set = set_[id];
            const Node v = image_[step.level];
            switch (step.kind) {
                case SetStep::Kind::row:
                    set = ops_.row(v, step.side);
                    break;
                case SetStep::Kind::two_hops:
                    set = ops_.two_hops(id, v, step.side, step.second_side);
                    break;
                case SetStep::Kind::intersect:
                    if (step.members)
                        set = ops_.intersect(id, set_[step.source], v, step.side);
                    else
                        set.size = ops_.intersect_size(set_[step.source], v, step.side);
                    break;
                case SetStep::Kind::subtract:
                    set = ops_.subtract(id, set_[step.source], v, step.side);
                    break;
                case SetStep::Kind::label:
                    set = ops_.with_label(id, set_[step.source], step.label);
                    break;
            }
            if (step.required && set.size == 0) return false;
            if (step.probed) ops_.index(id, set);
        }
        return true;
    }

    bool holds(int id, Node v) const {
        const SetStep& step = plan_.sets[id];
        if (step.kind == SetStep::Kind::intersect && !step.members)
            return holds(step.source, v) && ops_.has_arc(image_[step.level], step.side, v);
        return ops_.contains(set_[id], v);
    }

    // The core is matched: count how it can be finished, and by whom.
    void complete() {
        for (int id : plan_.tail_sets) {
            std::int64_t size = set_[id].size;
            for (int level : plan_.sets[id].may_hold) size -= holds(id, image_[level]);
            set_size_[id] = size;
        }
        for (unsigned block = 1; block <= whole_tail_; ++block)
            block_size_[block] =
                plan_.block_set[block] == kNoSet ? 0 : set_size_[plan_.block_set[block]];
        completions_.update(block_size_, math_);
        const Int ways = completions_.of(whole_tail_);
        if (ways == 0 && !math_.overflow) return;
        total_ = math_.plus(total_, ways);
        if (total_ > limit_) too_many_ = true;
        if (membership_)
            share_membership();
        else
            share(ways, completions_, whole_tail_);
    }

    void share(Int ways, const Completions<Int>& completions, unsigned tail) {
        for (const auto& [level, role] : plan_.core_share) row(role).add(image_[level], ways);
        for (const TailShare& tail_node : plan_.tail_share)
            share_tail(tail_node, completions, tail);
    }

    // A tail node with more candidates than the tail has nodes can always be placed last: for
    // the question of existence only the small candidate sets compete.
    void share_membership() {
        Checked<Int> never_overflows;
        unsigned small = 0;
        for (std::size_t k = 0; k < plan_.tail.size(); ++k)
            if (block_size_[1u << k] <= static_cast<std::int64_t>(plan_.tail.size()))
                small |= 1u << k;
        small_completions_.update_within(small, block_size_, never_overflows);
        const Int ways = small_completions_.of(small);
        if (ways == 0) return;
        for (const auto& [level, role] : plan_.core_share) row(role).add(image_[level], 1);
        for (const TailShare& tail_node : plan_.tail_share)
            share_tail(tail_node, small_completions_, small | 1u << tail_node.bit);
    }

    // Adds to every candidate c of a tail node the number of completions that choose c.
    void share_tail(const TailShare& tail_node, const Completions<Int>& completions,
                    unsigned tail) {
        const unsigned self = 1u << tail_node.bit;
        const unsigned others = tail & ~self;
        for (unsigned joined = others;; joined = (joined - 1) & others) {
            const unsigned block = joined | self;
            const int slot = tail_node.slot[block];
            const Int weight = completions.of(others & ~joined) * moebius(block);
            if (slot >= 0 && weight != 0) {
                const int id = plan_.slots[slot].set;
                pending_[slot] += weight;
                // The weight will go to all members: take it back from the core's own images.
                for (int level : plan_.sets[id].may_hold)
                    if (holds(id, image_[level])) row(tail_node.role).add(image_[level], -weight);
            }
            if (joined == 0) break;
        }
    }

    // Hands the weights that piled up below `level` to the members of the sets known there.
    void flush(std::size_t level) {
        for (int id : plan_.slots_at[level]) {
            const Int weight = pending_[id];
            if (weight == 0) continue;
            pending_[id] = 0;
            const Set& members = set_[plan_.slots[id].set];
            row(plan_.slots[id].role).add_each(ops_.list(members), weight);
        }
    }

    const Plan& plan_;
    GraphView graph_;
    std::int32_t anchor_label_;
    bool membership_;
    const Control& control_;
    Sets ops_;
    std::vector<Set> set_;
    std::vector<Node> image_;
    std::vector<Int> pending_;
    std::vector<std::int64_t> set_size_;
    std::vector<std::int64_t> block_size_;
    Completions<Int> completions_;
    Completions<Int> small_completions_;
    unsigned whole_tail_;
    std::vector<Accumulator<Int>> rows_;
    Checked<Int> math_;
    Int total_ = 0;
    Int limit_ = 0;
    bool too_many_ = false;
};

}  // namespace grape
