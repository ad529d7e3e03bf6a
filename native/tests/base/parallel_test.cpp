// The thread pool: every item once, stops on budgets, lets exceptions out.
#include "base/parallel.hpp"

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/account.hpp"
#include "tests/check.hpp"

using namespace grape;

namespace {

void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

void every_item_once(int threads) {
    Control control{Budget{}};
    std::vector<std::atomic<int>> visits(1000);
    std::atomic<bool> worker_in_range{true};
    parallel_for(1000, threads, control, nullptr, [&](int worker, std::int64_t item) {
        if (worker < 0 || worker >= threads) worker_in_range = false;
        ++visits[static_cast<std::size_t>(item)];
    });
    for (const auto& count : visits) CHECK(count == 1);
    CHECK(worker_in_range);
    CHECK(control.done() == 1000);
    CHECK(!control.stopped());
}

void no_items() {
    Control control{Budget{}};
    parallel_for(0, 2, control, nullptr, [](int, std::int64_t) { CHECK(false); });
    CHECK(control.done() == 0);
}

void time_budget_stops() {
    Budget budget;
    budget.seconds = 0.05;
    Control control{budget};
    parallel_for(1000, 2, control, nullptr, [](int, std::int64_t) { nap(5); });
    CHECK(control.reason() == StopReason::time);
    CHECK(control.done() < 1000);
}

void byte_budget_stops() {
    Budget budget;
    budget.bytes = 100;
    Control control{budget};
    control.add_bytes(60);
    control.add_bytes(-30);
    control.add_bytes(70);
    CHECK(!control.stopped());
    control.add_bytes(1);
    CHECK(control.reason() == StopReason::memory);
    control.stop(StopReason::time);
    CHECK(control.reason() == StopReason::memory);
}

void out_of_memory_is_a_stop() {
    Control control{Budget{}};
    parallel_for(100, 2, control, nullptr, [](int, std::int64_t item) {
        if (item == 10) throw std::bad_alloc();
    });
    CHECK(control.reason() == StopReason::memory);
}

template <class Run>
void expect_thrown(const char* text, Run run) {
    bool thrown = false;
    try {
        run();
    } catch (const std::runtime_error& error) {
        thrown = std::string(error.what()) == text;
    }
    CHECK(thrown);
}

void exceptions_come_out() {
    Control control{Budget{}};
    expect_thrown("worker", [&] {
        parallel_for(100, 2, control, nullptr, [](int, std::int64_t item) {
            if (item == 10) throw std::runtime_error("worker");
        });
    });
    Control other{Budget{}};
    const Watcher impatient = [](std::int64_t, std::int64_t) {
        throw std::runtime_error("watcher");
    };
    expect_thrown("watcher", [&] {
        parallel_for(10000, 2, other, impatient, [](int, std::int64_t) { nap(1); });
    });
    CHECK(other.reason() == StopReason::interrupted);
    CHECK(other.done() < 10000);
}

void watcher_sees_progress() {
    Control control{Budget{}};
    std::int64_t last = 0;
    int calls = 0;
    const Watcher watch = [&](std::int64_t done, std::int64_t total) {
        CHECK(total == 40);
        CHECK(done >= last && done <= total);
        last = done;
        ++calls;
    };
    parallel_for(40, 2, control, watch, [](int, std::int64_t) { nap(5); });
    CHECK(calls > 0);
}

void a_loop_of_the_calling_thread_is_watched() {
    Budget budget;
    budget.seconds = 0.05;
    Control control{budget};
    int looks = 0;
    const Watcher watcher = [&](std::int64_t, std::int64_t total) {
        CHECK(total == 7);
        ++looks;
    };
    Lookout lookout(7, control, watcher);
    while (!lookout.stopped()) {
    }
    CHECK(control.reason() == StopReason::time);
    CHECK(looks >= 1);
}

void arrays_are_charged_before_they_grow() {
    Budget budget;
    budget.bytes = 1000;
    Control control{budget};
    GrowingArray<std::int64_t> numbers;
    bool refused = false;
    {
        Account account(control);
        account.make_room(numbers, 40);
        CHECK(numbers.capacity() == 40);
        numbers.resize(40);
        try {
            account.make_room(numbers, 1);  // 80 numbers next to 40
        } catch (const std::bad_alloc&) {
            refused = true;
        }
    }
    CHECK(!refused);
    CHECK(numbers.capacity() == 80);
    Account account(control);
    numbers.resize(80);
    try {
        account.make_room(numbers, 80);
    } catch (const std::bad_alloc&) {
        refused = true;
    }
    CHECK(refused);
    CHECK(control.reason() == StopReason::memory);
}

}  // namespace

int main() {
    every_item_once(1);
    every_item_once(2);
    every_item_once(7);
    no_items();
    time_budget_stops();
    byte_budget_stops();
    out_of_memory_is_a_stop();
    exceptions_come_out();
    watcher_sees_progress();
    a_loop_of_the_calling_thread_is_watched();
    arrays_are_charged_before_they_grow();
    return 0;
}
