// Work shared among threads while the calling thread stays free to listen.
#pragma once

#include <cstdint>
#include <functional>

#include "base/control.hpp"

namespace grape {

// Called by the waiting thread about every 20 ms with (items done, items in all). It may stop
// the run through the control (a user's Ctrl-C) or throw; what it throws is rethrown after all
// workers have ended.
using Watcher = std::function<void(std::int64_t done, std::int64_t total)>;

// Watches a long loop of the calling thread itself, which asks at every step whether to go on.
class Lookout {
  public:
    // `total`: items of the run that the loop belongs to.
    Lookout(std::int64_t total, Control& control, const Watcher& watcher)
        : total_(total), control_(control), watcher_(watcher) {}

    bool stopped(std::int64_t steps = 1) {
        steps_ += steps;
        if (steps_ >= kSteps) {
            steps_ = 0;
            look();
        }
        return control_.stopped();
    }

  private:
    static constexpr std::int64_t kSteps = 4096;
    void look();

    std::int64_t total_;
    Control& control_;
    const Watcher& watcher_;
    std::int64_t steps_ = 0;
    double last_ = 0.0;
};

// Runs work(worker, item) for every item in [0, items) on `threads` threads. Items are handed
// out one by one in ascending order, so put the longest first. Workers stop between items once
// the control says so; a work function that can run for long must also ask the control itself.
// What a worker throws is rethrown here (std::bad_alloc becomes a memory stop).
void parallel_for(std::int64_t items, int threads, Control& control, const Watcher& watcher,
                  const std::function<void(int worker, std::int64_t item)>& work);

}  // namespace grape
