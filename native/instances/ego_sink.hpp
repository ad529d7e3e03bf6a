// Where a worker puts the instances of the ego at hand, while the budgets are kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "base/control.hpp"
#include "instances/row_collector.hpp"

namespace grape {

class EgoSink {
  public:
    EgoSink(RowCollector collector, Control& control, std::atomic<std::int64_t>& found)
        : collector_(std::move(collector)), control_(&control), found_(&found) {}

    void start(Node ego) {
        collector_.start(ego);
        reported_ = 0;
    }

    // One instance for every value that template node `place` + 1 may take; `row` has the rest.
    void add(Node* row, int place, std::span<const Node> values) {
        collector_.add(row, place, values);
        if (collector_.seen() - reported_ >= 4096) report();
    }

    bool stopped() const { return control_->stopped(); }

    RowCollector::Finished finish() {
        report();
        return collector_.finish();
    }

  private:
    void report() {
        const std::int64_t news = collector_.seen() - reported_;
        reported_ += news;
        if (found_->fetch_add(news, std::memory_order_relaxed) + news >
            control_->budget().instances)
            control_->stop(StopReason::instances);
    }

    RowCollector collector_;
    Control* control_;
    std::atomic<std::int64_t>* found_;
    std::int64_t reported_ = 0;
};

}  // namespace grape
