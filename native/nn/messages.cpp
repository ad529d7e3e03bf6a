#include "nn/messages.hpp"

#include <algorithm>
#include <vector>

#include "base/lanes.hpp"
#include "base/parallel.hpp"

// No turn of the next loop needs what another writes, which cannot be told from its pointers.
#ifdef __clang__
#define GRAPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define GRAPE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace grape {
namespace {

constexpr Offset kInCache = 128;  // nodes whose messages are read twice in a row
constexpr Offset kAtOnce = 8192;  // nodes of one worker; also what a worker is started for

// Mean and sum of squared deviations of so many nodes, for every column.
struct Moments {
    double count = 0;
    std::vector<double> mean, spread;

    explicit Moments(std::size_t width) : mean(width), spread(width) {}

    // Chan, Golub and LeVeque (1979).
    template <class T>
    void join(double other, const T* other_mean, const T* other_spread) {
        const double all = count + other;
        for (std::size_t c = 0; c < mean.size(); ++c) {
            const double step = other_mean[c] - mean[c];
            mean[c] += step * (other / all);
            spread[c] += other_spread[c] + step * step * (count * other / all);
        }
        count = all;
    }
};

template <class T>
struct AddUp {
    const Messages<T>& x;
    Offset begin, end;
    T* mean;    // room for one block
    T* spread;  // likewise
    Moments& total;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        const Offset width = 2 * x.width();
        for (Offset first = begin; first < end; first += kInCache) {
            const Offset last = std::min(first + kInCache, end);
            std::fill_n(mean, width, T{0});
            std::fill_n(spread, width, T{0});
            for (Offset v = first; v < last; ++v) {
                for (int r = 0; r < x.roles; ++r) {
                    const T* const from = x.means + v * x.width() + r * x.columns;
                    const T log = x.logs[v * x.roles + r];
                    T* const plain = mean + 2 * r * x.columns;
                    T* const logged = plain + x.columns;
                    GRAPE_INDEPENDENT
                    for (Offset c = 0; c < x.columns; ++c) {
                        plain[c] += from[c];
                        logged[c] += log * from[c];
                    }
                }
            }
            for (Offset c = 0; c < width; ++c) mean[c] /= static_cast<T>(last - first);
            for (Offset v = first; v < last; ++v) {
                for (int r = 0; r < x.roles; ++r) {
                    const T* const from = x.means + v * x.width() + r * x.columns;
                    const T log = x.logs[v * x.roles + r];
                    const T* const plain = mean + 2 * r * x.columns;
                    T* const squares = spread + 2 * r * x.columns;
                    GRAPE_INDEPENDENT
                    for (Offset c = 0; c < x.columns; ++c) {
                        const T a = from[c] - plain[c], b = log * from[c] - plain[x.columns + c];
                        squares[c] += a * a;
                        squares[x.columns + c] += b * b;
                    }
                }
            }
            total.join(static_cast<double>(last - first), mean, spread);
        }
    }
};

template <class T>
struct Centre {
    const Messages<T>& x;
    const T* mean;
    T* out;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        for (Offset v = 0; v < x.nodes; ++v) {
            for (int r = 0; r < x.roles; ++r) {
                const T* const from = x.means + v * x.width() + r * x.columns;
                const T* const less = mean + 2 * r * x.columns;
                const T log = x.logs[v * x.roles + r];
                T* const to = out + 2 * (v * x.width() + r * x.columns);
                GRAPE_INDEPENDENT
                for (Offset c = 0; c < x.columns; ++c) {
                    to[c] = from[c] - less[c];
                    to[x.columns + c] = log * from[c] - less[x.columns + c];
                }
            }
        }
    }
};

template <class T>
struct Back {
    const Messages<T>& x;
    const T* mean;
    const T* shift;
    const T* turn;
    const T* by_messages;
    T* by_means;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        for (Offset v = 0; v < x.nodes; ++v) {
            for (int r = 0; r < x.roles; ++r) {
                const Offset at = v * x.width() + r * x.columns, all = 2 * r * x.columns;
                const T log = x.logs[v * x.roles + r];
                const T *const m = x.means + at, *const by = by_messages + 2 * at;
                const T *const less = mean + all, *const add = shift + all,
                               *const by_x = turn + all;
                T* const to = by_means + at;
                const Offset k = x.columns;
                GRAPE_INDEPENDENT
                for (Offset c = 0; c < k; ++c) {
                    const T plain = by[c] + add[c] + by_x[c] * (m[c] - less[c]);
                    const T logged =
                        by[k + c] + add[k + c] + by_x[k + c] * (log * m[c] - less[k + c]);
                    to[c] = plain + log * logged;
                }
            }
        }
    }
};

}  // namespace

template <class T>
void message_statistics(const Messages<T>& x, T* mean, T* variance, int threads) {
    const Offset items = (x.nodes + kAtOnce - 1) / kAtOnce;
    const auto width = static_cast<std::size_t>(2 * x.width());
    std::vector<Moments> parts(static_cast<std::size_t>(items), Moments(width));
    const auto add_up = [&](int, std::int64_t item) {
        std::vector<T> room(2 * width);
        const Offset begin = item * kAtOnce, end = std::min(begin + kAtOnce, x.nodes);
        run_with_lanes(AddUp<T>{x, begin, end, room.data(), room.data() + width,
                                parts[static_cast<std::size_t>(item)]});
    };
    if (threads <= 1 || items <= 1) {
        for (Offset item = 0; item < items; ++item) add_up(0, item);
    } else {
        Control control(Budget{});
        parallel_for(items, threads, control, Watcher{}, add_up);
    }
    Moments total(width);  // joined in order: the same with any number of threads
    for (const Moments& part : parts) total.join(part.count, part.mean.data(), part.spread.data());
    for (std::size_t c = 0; c < width; ++c) {
        mean[c] = static_cast<T>(total.mean[c]);
        variance[c] = static_cast<T>(total.spread[c] / std::max(total.count, 1.0));
    }
}

template <class T>
void centred_messages(const Messages<T>& x, const T* mean, T* out) {
    run_with_lanes(Centre<T>{x, mean, out});
}

template <class T>
void messages_backward(const Messages<T>& x, const T* mean, const T* shift, const T* turn,
                       const T* by_messages, T* by_means) {
    run_with_lanes(Back<T>{x, mean, shift, turn, by_messages, by_means});
}

#define GRAPE_INSTANTIATE(T)                                           \
    template void message_statistics(const Messages<T>&, T*, T*, int); \
    template void centred_messages(const Messages<T>&, const T*, T*);  \
    template void messages_backward(const Messages<T>&, const T*, const T*, const T*, const T*, T*);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
