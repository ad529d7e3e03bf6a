#include "algebra/dense_product.hpp"

#include <algorithm>
#include <cstring>

#include "base/lanes.hpp"

namespace grape {
namespace {

// Columns from `first` on, `parts` registers of them, their sums held in registers.
template <int bytes, int parts, class T>
[[gnu::always_inline]] inline void strip(const DenseProduct<T>& job, Node row, Offset first) {
    using Columns = typename LanesOf<T, bytes>::type;
    constexpr int size = bytes / static_cast<int>(sizeof(T));
    const SparseRows<T>& m = job.matrix;
    const bool weighted = m.val != nullptr || job.right != nullptr;
    const Offset end = m.ptr[row + 1];
    Columns sum[parts] = {};
    for (Offset e = m.ptr[row]; e < end; ++e) {
        const Node c = m.idx[e];
        T value{1};
        if (weighted) {
            value = m.value(e);
            if (job.right != nullptr) value *= job.right[c];
        }
        for (int p = 0; p < parts; ++p) {
            Columns columns;
            std::memcpy(&columns, job.dense + c * job.columns + first + p * size, bytes);
            if (weighted) {
                sum[p] += value * columns;
            } else {
                sum[p] += columns;
            }
        }
    }
    const Offset place = row * job.columns + first;
    for (int p = 0; p < parts; ++p) {
        if (job.left != nullptr) sum[p] *= job.left[row];
        Columns other;
        if (job.own != nullptr) {
            std::memcpy(&other, job.base + place + p * size, bytes);
            sum[p] += job.own[row] * other;
        }
        if (job.accumulate) {
            std::memcpy(&other, job.out + place + p * size, bytes);
            sum[p] += other;
        }
        std::memcpy(job.out + place + p * size, &sum[p], bytes);
    }
}

template <int bytes, class T>
[[gnu::always_inline]] inline void run_rows(const DenseProduct<T>& job, Node begin, Node end) {
    constexpr int size = bytes / static_cast<int>(sizeof(T));
    for (Node row = begin; row < end; ++row) {
        Offset first = 0;
        for (; first + 32 <= job.columns; first += 32) strip<bytes, 32 / size>(job, row, first);
        for (; first + size <= job.columns; first += size) strip<bytes, 1>(job, row, first);
        for (; first < job.columns; ++first) strip<sizeof(T), 1>(job, row, first);
    }
}

template <class T>
struct RowsOf {
    const DenseProduct<T>& job;
    Node begin, end;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        run_rows<bytes>(job, begin, end);
    }
};

}  // namespace

template <class T>
void dense_product(const DenseProduct<T>& job, int threads, Control& control,
                   const Watcher& watcher) {
    const Node n = job.matrix.num_rows;
    // Starting threads costs more than a small product.
    const Offset work = job.matrix.ptr[n] * job.columns;
    if (threads <= 1 || work < (Offset{1} << 21)) {
        run_with_lanes(RowsOf<T>{job, 0, n});
        return;
    }
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int, std::int64_t item) {
        const auto begin = static_cast<Node>(item * kRowsPerItem);
        run_with_lanes(RowsOf<T>{job, begin, std::min<Node>(begin + kRowsPerItem, n)});
    });
}

template void dense_product(const DenseProduct<double>&, int, Control&, const Watcher&);
template void dense_product(const DenseProduct<std::uint64_t>&, int, Control&, const Watcher&);

}  // namespace grape
