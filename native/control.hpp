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

    void check_time() {
        if (elapsed() > budget_.seconds) stop(StopReason::time);
    }

    void add_bytes(std::int64_t bytes) {
        if (bytes_.fetch_add(bytes) + bytes > budget_.bytes) stop(StopReason::memory);
    }

    void finish_item() { done_.fetch_add(1, std::memory_order_relaxed); }

    const Budget& budget() const { return budget_; }
    std::int64_t bytes() const { return bytes_.load(); }
    std::int64_t done() const { return done_.load(std::memory_order_relaxed); }
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Budget budget_;
    Clock::time_point start_;
    std::atomic<int> reason_{0};
    std::atomic<std::int64_t> bytes_{0};
    std::atomic<std::int64_t> done_{0};
};

}  // namespace grape
