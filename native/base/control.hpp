// How a long run is watched: one flag that stops every worker, and the budgets that raise it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace grape {

enum class StopReason : int { none = 0, interrupted, time, memory, instances, overflow };

struct Budget {
    double seconds = std::numeric_limits<double>::infinity();
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
    std::int64_t instances = std::numeric_limits<std::int64_t>::max();
};

class Control {
  public:
    explicit Control(Budget budget) : budget_(budget), start_(Clock::now()) {}

    // Cheap enough for inner loops.
    bool stopped() const { return reason_.load(std::memory_order_relaxed) != 0; }
    StopReason reason() const { return static_cast<StopReason>(reason_.load()); }

    // The first reason wins.
    void stop(StopReason reason) {
        int expected = 0;
        reason_.compare_exchange_strong(expected, static_cast<int>(reason));
    }

    // Handing the results over takes time too: one to two seconds per gigabyte were measured, the
    // more the busier the machine's memory is.
    void check_time() {
        constexpr double kSecondsPerByte = 2.5e-9;
        const double closing = kSecondsPerByte * static_cast<double>(result_bytes_.load());
        if (elapsed() + closing > budget_.seconds) stop(StopReason::time);
    }

    // Call it before memory is taken, and with a negative number when it is given back. False if
    // the run has to end.
    bool add_bytes(std::int64_t bytes) {
        if (bytes_.fetch_add(bytes) + bytes > budget_.bytes && bytes > 0) stop(StopReason::memory);
        return !stopped();
    }

    // The same for results.
    bool add_result(std::int64_t bytes) {
        result_bytes_.fetch_add(bytes);
        return add_bytes(bytes);
    }

    void finish_item() { done_.fetch_add(1, std::memory_order_relaxed); }

    const Budget& budget() const { return budget_; }
    std::int64_t done() const { return done_.load(std::memory_order_relaxed); }
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Budget budget_;
    Clock::time_point start_;
    std::atomic<int> reason_{0};
    std::atomic<std::int64_t> bytes_{0};
    std::atomic<std::int64_t> result_bytes_{0};
    std::atomic<std::int64_t> done_{0};
};

}  // namespace grape
