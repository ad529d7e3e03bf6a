#include "instances/incremental.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "base/edge_test.hpp"
#include "base/ego_order.hpp"
#include "base/symmetry.hpp"
#include "instances/derivation.hpp"
#include "instances/ego_sink.hpp"
#include "instances/instance_plan.hpp"

namespace grape {
namespace {

// Runs fill(worker, ego, sink) for every ego and packs what it added to the sink.
InstanceTable fill_table(const GraphView& graph, int template_size, bool ordered,
                         const TableRun& run, const std::function<void(int, Node, EgoSink&)>& fill,
                         const std::function<double(Node)>& parent_weight) {
    // A pointer, a flag and a weight per ego, and their order.
    run.control.add_bytes(graph.num_nodes * std::int64_t{run.sampling ? 25 : 17});
    InstanceTable table(template_size, graph.num_nodes);
    if (run.control.stopped()) return table;
    if (run.sampling) table.weight.assign(graph.num_nodes, 1.0);
    std::vector<Node> egos(graph.num_nodes);
    std::iota(egos.begin(), egos.end(), 0);
    egos = egos_by_degree(graph, egos, false);
    std::atomic<std::int64_t> found{0};
    std::vector<EgoSink> sinks;
    for (int worker = 0; worker < run.threads; ++worker)
        sinks.emplace_back(
            RowCollector(table.levels, graph.num_nodes, ordered, run.sampling, run.control),
            run.control, found);
    parallel_for(graph.num_nodes, run.threads, run.control, run.watcher,
                 [&](int worker, std::int64_t item) {
                     const Node ego = egos[item];
                     EgoSink& sink = sinks[worker];
                     sink.start(ego);
                     fill(worker, ego, sink);
                     auto finished = sink.finish();
                     if (run.control.stopped()) return;
                     table.block[ego] = std::move(finished.block);
                     table.complete[ego] = 1;
                     if (run.sampling) table.weight[ego] = finished.weight * parent_weight(ego);
                 });
    if (run.control.reason() == StopReason::memory) {
        // What does not fit serves nobody, and another way of counting needs the room.
        for (auto& block : table.block) block.reset();
        table.complete.assign(table.complete.size(), 0);
        release_free_memory();
    }
    return table;
}

// Enumerates the instances of one ego, in the order of the template's nodes.
class FreshWalk {
  public:
    FreshWalk(const GraphView& graph, const EdgeTest& has_arc, const Template& t) {
        for (auto& step : instance_plan(t, natural_order(t.size), false))
            finders_.emplace_back(graph, has_arc, std::move(step));
    }

    void run(Node ego, EgoSink& sink) {
        image_[0] = ego;
        if (finders_[0].label_fits(ego)) grow(1, sink);
    }

  private:
    void grow(std::size_t position, EgoSink& sink) {
        if (sink.stopped()) return;
        const auto candidates = finders_[position].find(image_.data());
        if (position + 1 == finders_.size())
            return sink.add(&image_[1], static_cast<int>(position) - 1, candidates);
        for (Node v : candidates) {
            image_[position] = v;
            grow(position + 1, sink);
        }
    }

    std::vector<CandidateFinder> finders_;
    std::array<Node, kMaxTemplateNodes> image_{};
};

}  // namespace

InstanceTable build_table(const GraphView& graph, const Template& t, const TableRun& run) {
    const std::int64_t for_edges = run.control.budget().bytes / 4;
    run.control.add_bytes(EdgeTest::bytes(graph, for_edges));
    const EdgeTest has_arc(graph, for_edges);
    std::vector<FreshWalk> walks(run.threads, FreshWalk(graph, has_arc, t));
    const auto fill = [&](int worker, Node ego, EgoSink& sink) { walks[worker].run(ego, sink); };
    return fill_table(graph, t.size, true, run, fill, [](Node) { return 1.0; });
}

InstanceTable derive_table(const GraphView& graph, const InstanceTable& parent,
                           const Template& parent_template, const Template& child,
                           const std::vector<int>& image, const TableRun& run) {
    const std::int64_t for_edges = run.control.budget().bytes / 4;
    run.control.add_bytes(EdgeTest::bytes(graph, for_edges));
    const EdgeTest has_arc(graph, for_edges);
    const Derivation derivation(parent_template, child, image);
    std::vector<DerivationWalk> walks(run.threads, DerivationWalk(graph, has_arc, derivation));
    const auto fill = [&](int worker, Node ego, EgoSink& sink) {
        if (!parent.empty(ego)) walks[worker].run(ego, parent.trie(ego), sink);
    };
    const auto weight = [&](Node ego) { return parent.weight.empty() ? 1.0 : parent.weight[ego]; };
    return fill_table(graph, child.size, derivation.keeps_order(), run, fill, weight);
}

double estimate_instances(const GraphView& graph, const Template& t, std::int64_t probes,
                          std::uint64_t seed) {
    if (graph.num_nodes == 0) return 0.0;
    const EdgeTest has_arc(graph);
    std::vector<CandidateFinder> finders;
    for (auto& step : instance_plan(t, natural_order(t.size), false))
        finders.emplace_back(graph, has_arc, std::move(step));
    std::mt19937_64 random(seed);
    // Around hubs a probe looks at very many candidates: fewer probes have to do there.
    constexpr std::int64_t kMostWork = 10'000'000;
    constexpr double kGolden = 0.6180339887498949;
    double sum = 0.0;
    std::int64_t probe = 0;
    const auto n = static_cast<double>(graph.num_nodes);
    for (std::int64_t work = 0; probe < probes && work < kMostWork; ++probe) {
        std::array<Node, kMaxTemplateNodes> image{};
        // Spread evenly over the egos, wherever it ends.
        const double turns = kGolden * (static_cast<double>(probe) + 0.5);
        image[0] =
            std::min(static_cast<Node>((turns - std::floor(turns)) * n), graph.num_nodes - 1);
        double leaves = finders[0].label_fits(image[0]) ? 1.0 : 0.0;
        for (int p = 1; p < t.size && leaves > 0.0; ++p) {
            const auto candidates = finders[p].find(image.data());
            work += std::ssize(candidates);
            leaves *= static_cast<double>(candidates.size());
            if (!candidates.empty()) image[p] = candidates[random() % candidates.size()];
        }
        sum += leaves;
    }
    return sum / static_cast<double>(probe) * n;
}

}  // namespace grape
