#include "nn/messages.hpp"

#include <algorithm>
#include <vector>

#include "base/lanes.hpp"
#include "base/parallel.hpp"
#include "nn/product.hpp"

// No turn of the next loop needs what another writes, which cannot be told from its pointers.
#ifdef __clang__
#define GRAPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define GRAPE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace grape {
namespace {

constexpr Offset kInCache = 128;  // nodes whose means are read twice in a row
constexpr Offset kMapped = 60;    // nodes whose messages are written, and then mapped
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

// out[nodes, roles, 2, columns] = the messages less their mean.
template <class T>
struct Centre {
    const Messages<T> x;
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

// by_means, from the derivative by the messages through the maps.
template <class T>
struct Back {
    const Messages<T> x;
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

// Runs each(nodes begin, end) for a few nodes after the other.
template <class Each>
[[gnu::always_inline]] inline void in_cache(Offset begin, Offset end, const Each& each) {
    for (Offset first = begin; first < end; first += kMapped)
        each(first, std::min(first + kMapped, end));
}

template <class T>
struct Map {
    const Messages<T>& x;
    const T* mean;
    const T* transposed;
    Offset outs;
    T* out;
    Offset begin, end;
    T* room;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes> lanes) const {
        const Offset width = 2 * x.width();
        in_cache(begin, end, [&](Offset first, Offset last) __attribute__((always_inline)) {
            Centre<T>{x.part(first, last), mean, room}(lanes);
            Product<T>{.left = room,
                       .left_row = width,
                       .left_column = 1,
                       .right = transposed,
                       .out = out + first * outs,
                       .rows = last - first,
                       .depth = width,
                       .columns = outs,
                       .add = false}(lanes);
        });
    }
};

template <class T>
struct ByMaps {
    const Messages<T>& x;
    const T* mean;
    const T* by_out;
    Offset outs;
    T* by_maps;
    Offset begin, end;
    T* room;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes> lanes) const {
        in_cache(begin, end, [&](Offset first, Offset last) __attribute__((always_inline)) {
            Centre<T>{x.part(first, last), mean, room}(lanes);
            Product<T>{.left = by_out + first * outs,
                       .left_row = 1,
                       .left_column = outs,
                       .right = room,
                       .out = by_maps,
                       .rows = outs,
                       .depth = last - first,
                       .columns = 2 * x.width(),
                       .add = true}(lanes);
        });
    }
};

template <class T>
struct ByMeans {
    const Messages<T>& x;
    const T* mean;
    const T* shift;
    const T* turn;
    const T* by_out;
    const T* maps;
    Offset outs;
    T* by_means;
    Offset begin, end;
    T* room;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes> lanes) const {
        in_cache(begin, end, [&](Offset first, Offset last) __attribute__((always_inline)) {
            Product<T>{.left = by_out + first * outs,
                       .left_row = outs,
                       .left_column = 1,
                       .right = maps,
                       .out = room,
                       .rows = last - first,
                       .depth = outs,
                       .columns = 2 * x.width(),
                       .add = false}(lanes);
            Back<T>{
                x.part(first, last), mean, shift, turn, room, by_means + first * x.width()}(lanes);
        });
    }
};

Offset num_items(Offset nodes) { return (nodes + kAtOnce - 1) / kAtOnce; }

// Runs work(item, nodes begin, end), where item i has kAtOnce nodes from i * kAtOnce on.
template <class Work>
void for_items(Offset nodes, int threads, const Work& work) {
    const Offset items = num_items(nodes);
    const auto run = [&](int, std::int64_t item) {
        work(static_cast<std::size_t>(item), item * kAtOnce,
             std::min<Offset>((item + 1) * kAtOnce, nodes));
    };
    if (threads <= 1 || items <= 1) {
        for (Offset item = 0; item < items; ++item) run(0, item);
        return;
    }
    Control control(Budget{});
    parallel_for(items, threads, control, Watcher{}, run);
}

// Room for the messages of some nodes.
template <class T>
std::vector<T> room_for(const Messages<T>& x) {
    return std::vector<T>(static_cast<std::size_t>(2 * x.width() * std::min(kMapped, x.nodes)));
}

}  // namespace

template <class T>
void message_statistics(const Messages<T>& x, T* mean, T* variance, int threads) {
    const auto width = static_cast<std::size_t>(2 * x.width());
    std::vector<Moments> parts(static_cast<std::size_t>(num_items(x.nodes)), Moments(width));
    for_items(x.nodes, threads, [&](std::size_t item, Offset begin, Offset end) {
        std::vector<T> room(2 * width);
        run_with_lanes(AddUp<T>{x, begin, end, room.data(), room.data() + width, parts[item]});
    });
    Moments total(width);  // joined in order: the same with any number of threads
    for (const Moments& part : parts) total.join(part.count, part.mean.data(), part.spread.data());
    for (std::size_t c = 0; c < width; ++c) {
        mean[c] = static_cast<T>(total.mean[c]);
        variance[c] = static_cast<T>(total.spread[c] / std::max(total.count, 1.0));
    }
}

template <class T>
void map_messages(const Messages<T>& x, const T* mean, const T* transposed_maps, Offset outs,
                  T* out, int threads) {
    for_items(x.nodes, threads, [&](std::size_t, Offset begin, Offset end) {
        std::vector<T> room = room_for(x);
        run_with_lanes(Map<T>{x, mean, transposed_maps, outs, out, begin, end, room.data()});
    });
}

template <class T>
void maps_backward(const Messages<T>& x, const T* mean, const T* by_out, Offset outs, T* by_maps,
                   int threads) {
    const auto size = static_cast<std::size_t>(outs * 2 * x.width());
    std::vector<std::vector<T>> parts(static_cast<std::size_t>(num_items(x.nodes)));
    for_items(x.nodes, threads, [&](std::size_t item, Offset begin, Offset end) {
        std::vector<T> room = room_for(x);
        parts[item].assign(size, T{0});
        run_with_lanes(
            ByMaps<T>{x, mean, by_out, outs, parts[item].data(), begin, end, room.data()});
    });
    std::fill_n(by_maps, size, T{0});
    for (const std::vector<T>& part : parts)
        for (std::size_t c = 0; c < size; ++c) by_maps[c] += part[c];
}

template <class T>
void messages_backward(const Messages<T>& x, const T* mean, const T* shift, const T* turn,
                       const T* by_out, const T* maps, Offset outs, T* by_means, int threads) {
    for_items(x.nodes, threads, [&](std::size_t, Offset begin, Offset end) {
        std::vector<T> room = room_for(x);
        run_with_lanes(ByMeans<T>{x, mean, shift, turn, by_out, maps, outs, by_means, begin, end,
                                  room.data()});
    });
}

#define GRAPE_INSTANTIATE(T)                                                                    \
    template void message_statistics(const Messages<T>&, T*, T*, int);                          \
    template void map_messages(const Messages<T>&, const T*, const T*, Offset, T*, int);        \
    template void maps_backward(const Messages<T>&, const T*, const T*, Offset, T*, int);       \
    template void messages_backward(const Messages<T>&, const T*, const T*, const T*, const T*, \
                                    const T*, Offset, T*, int);
GRAPE_INSTANTIATE(float)
GRAPE_INSTANTIATE(double)
#undef GRAPE_INSTANTIATE

}  // namespace grape
