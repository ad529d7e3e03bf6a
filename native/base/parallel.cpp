#include "base/parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace grape {
namespace {

// A thread that is waited for; clang's library has std::jthread from version 20 on only.
class JoiningThread {
  public:
    explicit JoiningThread(std::thread thread) : thread_(std::move(thread)) {}
    JoiningThread(JoiningThread&&) = default;
    ~JoiningThread() {
        if (thread_.joinable()) thread_.join();
    }

  private:
    std::thread thread_;
};
constexpr std::chrono::milliseconds kGlance{20};

// Counts the workers still running and carries the first exception out of them.
class Crew {
  public:
    explicit Crew(int workers) : running_(workers) {}

    void leave(std::exception_ptr problem) {
        const std::lock_guard lock(mutex_);
        if (problem && !problem_) problem_ = problem;
        if (--running_ == 0) all_left_.notify_all();
    }

    // True once every worker has left.
    bool wait_briefly() {
        std::unique_lock lock(mutex_);
        return all_left_.wait_for(lock, kGlance, [this] { return running_ == 0; });
    }

    std::exception_ptr problem() const { return problem_; }

  private:
    std::mutex mutex_;
    std::condition_variable all_left_;
    int running_;
    std::exception_ptr problem_;
};

}  // namespace

void Lookout::look() {
    control_.check_time();
    const double now = control_.elapsed();
    if (!watcher_ || now - last_ < std::chrono::duration<double>(kGlance).count()) return;
    last_ = now;
    watcher_(control_.done(), total_);
}

void parallel_for(std::int64_t items, int threads, Control& control, const Watcher& watcher,
                  const std::function<void(int, std::int64_t)>& work) {
    const int workers =
        static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(items, 1)));
    Crew crew(workers);
    std::atomic<std::int64_t> next{0};
    const auto run = [&](int worker) {
        std::exception_ptr problem;
        try {
            while (!control.stopped()) {
                const std::int64_t item = next.fetch_add(1, std::memory_order_relaxed);
                if (item >= items) break;
                work(worker, item);
                control.finish_item();
            }
        } catch (const std::bad_alloc&) {
            control.stop(StopReason::memory);
        } catch (...) {
            problem = std::current_exception();
            control.stop(StopReason::interrupted);
        }
        crew.leave(problem);
    };

    std::vector<JoiningThread> pool;
    pool.reserve(static_cast<std::size_t>(workers));
    for (int worker = 0; worker < workers; ++worker) pool.emplace_back(std::thread(run, worker));

    std::exception_ptr from_watcher;
    while (!crew.wait_briefly()) {
        control.check_time();
        if (!watcher || from_watcher) continue;
        try {
            watcher(control.done(), items);
        } catch (...) {
            from_watcher = std::current_exception();
            control.stop(StopReason::interrupted);
        }
    }
    pool.clear();
    if (from_watcher) std::rethrow_exception(from_watcher);
    if (crew.problem()) std::rethrow_exception(crew.problem());
}

}  // namespace grape
