#include "matching/enumerate.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "base/account.hpp"
#include "base/bit_sets.hpp"
#include "base/ego_order.hpp"
#include "base/sorted_sets.hpp"
#include "matching/clique_roles.hpp"
#include "matching/ego_counter.hpp"
#include "matching/plan_cost.hpp"

namespace grape {
namespace {

using Wide = __int128;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// Sums the totals of the egos in their processing order, as far as they are known, and stops the
// run when the sum passes the budget: which egos count does not depend on the threads.
class InstanceBudget {
  public:
    InstanceBudget(std::int64_t budget, std::size_t items)
        : budget_(budget), known_(budget == kLargest ? 0 : items) {}

    bool limited() const { return budget_ != kLargest; }

    // total: nullopt if this ego alone is beyond the budget.
    void report(std::size_t item, std::optional<std::int64_t> total, Control& control) {
        if (!limited()) return;
        const std::lock_guard lock(mutex_);
        known_[item] = total ? *total : kLargest;
        while (accepted_ < known_.size() && known_[accepted_]) {
            if (*known_[accepted_] > budget_ - sum_) {
                control.stop(StopReason::instances);
                return;
            }
            sum_ += *known_[accepted_++];
        }
    }

    // Number of leading items that fit.
    std::size_t accepted() const { return accepted_; }

  private:
    std::int64_t budget_;
    std::vector<std::optional<std::int64_t>> known_;
    std::size_t accepted_ = 0;
    std::int64_t sum_ = 0;
    std::mutex mutex_;
};

// Everything one thread needs.
template <class Sets>
class Worker {
  public:
    Worker(const GraphView& graph, const Template& t, const Plan& plan,
           const typename Sets::Shared& shared, const EnumerateOptions& options, Control& control)
        : graph_(graph),
          template_(t),
          plan_(plan),
          shared_(shared),
          options_(options),
          control_(control),
          account_(control),
          narrow_(plan, t, graph, shared, options.membership, control) {
        for (int role = 1; role < plan.num_roles; ++role) stores_.emplace_back(control);
    }

    // The ego's number of instances; nothing if it was stopped or is beyond `limit` instances.
    std::optional<std::int64_t> run(Node ego, std::int64_t limit) {
        const EgoOutcome outcome = narrow_.count(ego, visited_limit<std::int64_t>(limit));
        if (outcome != EgoOutcome::overflow) return close(narrow_, ego, outcome);
        clear(narrow_);
        if (!wide_) {
            account_.charge(EgoCounter<Sets, Wide>::bytes(plan_, graph_));
            wide_ = std::make_unique<EgoCounter<Sets, Wide>>(plan_, template_, graph_, shared_,
                                                             options_.membership, control_);
        }
        const EgoOutcome again = wide_->count(ego, visited_limit<Wide>(limit));
        return close(*wide_, ego, again);
    }

    std::vector<RowStore<std::int64_t>>& stores() { return stores_; }

  private:
    template <class Int>
    Int visited_limit(std::int64_t instances) const {
        if (instances == kLargest) return std::numeric_limits<Int>::max();  // no budget
        const Fraction& f = plan_.total_fraction;
        const Wide limit = Wide{instances} * f.over / f.times;
        return limit > std::numeric_limits<Int>::max() ? std::numeric_limits<Int>::max()
                                                       : static_cast<Int>(limit);
    }

    template <class Counter>
    std::optional<std::int64_t> close(Counter& counter, Node ego, EgoOutcome outcome) {
        const Wide total = plan_.total_fraction.of(counter.total());
        const bool beyond = outcome == EgoOutcome::overflow || total > kLargest;
        if (outcome == EgoOutcome::too_many || outcome == EgoOutcome::stopped ||
            (beyond && !options_.membership)) {
            clear(counter);
            if (beyond) control_.stop(StopReason::overflow);
            return std::nullopt;
        }
        if (counter.has_rows()) store(counter, ego);
        return beyond ? kLargest : static_cast<std::int64_t>(total);
    }

    template <class Counter>
    void store(Counter& counter, Node ego) {
        for (int role = 1; role < plan_.num_roles; ++role) {
            auto& row = counter.row(role);
            RowStore<std::int64_t>& rows = stores_[static_cast<std::size_t>(role) - 1];
            const Fraction& f = plan_.role_fraction[static_cast<std::size_t>(role)];
            rows.start_row(ego, static_cast<std::int64_t>(row.touched()));
            row.drain([&](Node u, auto visited) {
                rows.push(u, options_.membership ? 1 : static_cast<std::int64_t>(f.of(visited)));
            });
            rows.end_row();
        }
    }

    template <class Counter>
    void clear(Counter& counter) {
        if (!counter.has_rows()) return;
        for (int role = 1; role < plan_.num_roles; ++role)
            counter.row(role).drain([](Node, auto) {});
    }

    GraphView graph_;
    const Template& template_;
    const Plan& plan_;
    const typename Sets::Shared& shared_;
    EnumerateOptions options_;
    Control& control_;
    Account account_;
    EgoCounter<Sets, std::int64_t> narrow_;
    std::unique_ptr<EgoCounter<Sets, Wide>> wide_;
    std::vector<RowStore<std::int64_t>> stores_;
};

template <class Sets>
RoleCounts run(const GraphView& graph, const Template& t, std::span<const Node> egos,
               const EnumerateOptions& options, Control& control, const Watcher& watcher) {
    constexpr bool kBits = std::is_same_v<Sets, BitSets>;
    const Plan plan = make_plan(t, options.induced, options.pairs, shape_of(graph, kBits));
    // Waking a second thread costs more than a small run.
    constexpr double kSmallRun = 2e6;
    const double expected = plan.cost * static_cast<double>(egos.size());
    const int threads = expected < kSmallRun ? 1 : options.threads;

    RoleCounts result;
    const auto n = static_cast<std::size_t>(graph.num_nodes);
    result.totals.assign(n, 0);
    result.complete.assign(n, 0);
    InstanceBudget budget(control.budget().instances, egos.size());
    // The order, totals, what is known of an instance budget, and the rows of every matrix.
    const std::int64_t per_node =
        4 + 9 + (budget.limited() ? 16 : 0) + (options.pairs ? 16 + 8 * (plan.num_roles - 1) : 0);
    control.add_bytes(Sets::Shared::bytes(graph) + per_node * graph.num_nodes +
                      threads * EgoCounter<Sets, std::int64_t>::bytes(plan, graph));
    std::optional<typename Sets::Shared> shared;
    std::vector<Node> order;
    std::vector<std::unique_ptr<Worker<Sets>>> workers;
    if (!control.stopped()) {
        shared.emplace(graph);
        order = egos_by_degree(graph, egos, budget.limited());
        for (int k = 0; k < threads; ++k)
            workers.push_back(
                std::make_unique<Worker<Sets>>(graph, t, plan, *shared, options, control));
    }
    parallel_for(static_cast<std::int64_t>(order.size()), threads, control, watcher,
                 [&](int worker, std::int64_t item) {
                     const Node ego = order[static_cast<std::size_t>(item)];
                     const auto total = workers[static_cast<std::size_t>(worker)]->run(
                         ego, control.budget().instances);
                     if (total || !control.stopped())
                         budget.report(static_cast<std::size_t>(item), total, control);
                     if (!total) return;
                     result.totals[static_cast<std::size_t>(ego)] = *total;
                     result.complete[static_cast<std::size_t>(ego)] = 1;
                 });
    if (control.stopped() && !options.partial) return result;
    if (budget.limited())
        for (std::size_t item = budget.accepted(); item < order.size(); ++item) {
            result.complete[static_cast<std::size_t>(order[item])] = 0;
            result.totals[static_cast<std::size_t>(order[item])] = 0;
        }
    for (int role = 0; options.pairs && role + 1 < plan.num_roles; ++role) {
        std::vector<RowStore<std::int64_t>> stores;
        for (auto& worker : workers)
            stores.push_back(std::move(worker->stores()[static_cast<std::size_t>(role)]));
        result.roles.push_back(assemble(graph.num_nodes, stores, result.complete));
    }
    return result;
}

}  // namespace

RoleCounts enumerate_roles(const GraphView& graph, const Template& t, std::span<const Node> egos,
                           const EnumerateOptions& options, Control& control,
                           const Watcher& watcher) {
    // A bit matrix of the whole graph is worth building only when many egos will use it.
    const bool bits = BitSets::Shared::pays(graph, t) &&
                      BitSets::Shared::bytes(graph) <= control.budget().bytes / 2 &&
                      static_cast<std::int64_t>(egos.size()) * 8 >= graph.num_nodes;
    // The clique kernel goes over edges, not egos: it knows nothing of partial results and of
    // single instances, and it takes more memory.
    const bool all = egos.size() == static_cast<std::size_t>(graph.num_nodes);
    const bool at_once = !options.partial && control.budget().instances == kLargest &&
                         clique_roles_bytes(graph, options.threads) <= control.budget().bytes;
    if (is_clique(t) && t.size >= (bits ? 4 : 3) && all && at_once)
        return clique_roles(graph, t.size, options, control, watcher);
    return bits ? run<BitSets>(graph, t, egos, options, control, watcher)
                : run<SortedSets>(graph, t, egos, options, control, watcher);
}

}  // namespace grape
