#include "nn/feature_product.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "nn/gather.hpp"

namespace grape {
namespace {

template <class T>
struct Rows {
    const SparseRows<T>& x;
    int groups;
    Offset columns;
    Blocks<const T> in;
    Blocks<T> out;
    Node begin;
    Node end;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        for (Node row = begin; row < end; ++row) {
            Offset first = 0;
            for (; first + kStrip<T> <= columns; first += kStrip<T>)
                strip<kStrip<T>, bytes>(row, first);
            for (; first + 8 <= columns; first += 8) strip<8, bytes>(row, first);
            for (; first < columns; ++first) strip<1, bytes>(row, first);
        }
    }

    template <int width, int bytes>
    [[gnu::always_inline]] inline void strip(Node row, Offset first) const {
        using L = Lanes<T, width, bytes>;
        int g = 0;
        for (; g + kBlock<bytes> <= groups; g += kBlock<bytes>)
            block<L, kBlock<bytes>>(row, first, g);
        for (; g < groups; ++g) block<L, 1>(row, first, g);
    }

    template <class L, int size>
    [[gnu::always_inline]] inline void block(Node row, Offset first, int g) const {
        Source<T, size> from{in.data, in.row, {}, {}};
        for (int b = 0; b < size; ++b) {
            from.start[b] = (g + b) * in.group + first;
            from.weight[b] = x.val + x.ptr[row];
        }
        typename L::Vector sum[size][L::count];
        gather<L, size, false>(x.row(row), from, sum);
        unroll<size>([&](auto b) __attribute__((always_inline)) {
            L::store(out.data + row * out.row + (g + b) * out.group + first, sum[b]);
        });
    }
};

}  // namespace

template <class T>
void feature_product(const SparseRows<T>& x, int groups, Offset columns, Blocks<const T> in,
                     Blocks<T> out, int threads) {
    const Node n = x.num_rows;
    // Starting threads costs more than a small product.
    if (threads <= 1 || x.ptr[n] * columns * groups < (Offset{1} << 23)) {
        run_with_lanes(Rows<T>{x, groups, columns, in, out, 0, n});
        return;
    }
    Control control(Budget{});
    parallel_for((n + kRowsPerItem - 1) / kRowsPerItem, threads, control, Watcher{},
                 [&](int, std::int64_t item) {
                     const auto begin = static_cast<Node>(item * kRowsPerItem);
                     const Node end = std::min<Node>(begin + kRowsPerItem, n);
                     run_with_lanes(Rows<T>{x, groups, columns, in, out, begin, end});
                 });
}

template void feature_product(const SparseRows<float>&, int, Offset, Blocks<const float>,
                              Blocks<float>, int);
template void feature_product(const SparseRows<double>&, int, Offset, Blocks<const double>,
                              Blocks<double>, int);

}  // namespace grape
