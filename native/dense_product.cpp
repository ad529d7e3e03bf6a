#include "dense_product.hpp"

#include <algorithm>

namespace grape {
namespace {

template <class T>
struct Job {
    const SparseRows<T>& matrix;
    const T* left;
    const T* right;
    const T* dense;
    Offset columns;
    bool accumulate;
    T* out;
};

// `width` columns from `first` on, their sums held in registers.
template <int width, class T>
[[gnu::always_inline]] inline void strip(const Job<T>& job, Node row, Offset first) {
    T sum[width] = {};
    const SparseRows<T>& m = job.matrix;
    for (Offset e = m.ptr[row]; e < m.ptr[row + 1]; ++e) {
        const Node c = m.idx[e];
        const T* from = job.dense + c * job.columns + first;
        if (m.val == nullptr && job.right == nullptr) {
            for (int k = 0; k < width; ++k) sum[k] += from[k];
        } else {
            T value = m.value(e);
            if (job.right != nullptr) value *= job.right[c];
            for (int k = 0; k < width; ++k) sum[k] += value * from[k];
        }
    }
    const T scale = job.left == nullptr ? T{1} : job.left[row];
    T* to = job.out + row * job.columns + first;
    if (job.accumulate) {
        for (int k = 0; k < width; ++k) to[k] += scale * sum[k];
    } else {
        for (int k = 0; k < width; ++k) to[k] = scale * sum[k];
    }
}

template <class T>
[[gnu::always_inline]] inline void run_rows(const Job<T>& job, Node begin, Node end) {
    for (Node row = begin; row < end; ++row) {
        Offset first = 0;
        for (; first + 32 <= job.columns; first += 32) strip<32>(job, row, first);
        for (; first + 8 <= job.columns; first += 8) strip<8>(job, row, first);
        for (; first < job.columns; ++first) strip<1>(job, row, first);
    }
}

// One body per instruction set, chosen when the library is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GRAPE_WIDE [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define GRAPE_WIDE
#endif
GRAPE_WIDE void rows_of(const Job<double>& job, Node begin, Node end) { run_rows(job, begin, end); }
GRAPE_WIDE void rows_of(const Job<std::uint64_t>& job, Node begin, Node end) {
    run_rows(job, begin, end);
}
#undef GRAPE_WIDE

}  // namespace

template <class T>
void dense_product(const SparseRows<T>& matrix, const T* left, const T* right, const T* dense,
                   Offset columns, bool accumulate, T* out, int threads, Control& control,
                   const Watcher& watcher) {
    const Job<T> job{matrix, left, right, dense, columns, accumulate, out};
    const Node n = matrix.num_rows;
    // Starting threads costs more than a small product.
    const Offset work = matrix.ptr[n] * columns;
    if (threads <= 1 || work < (Offset{1} << 21)) {
        rows_of(job, 0, n);
        return;
    }
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int, std::int64_t item) {
        const auto begin = static_cast<Node>(item * kRowsPerItem);
        rows_of(job, begin, std::min<Node>(begin + kRowsPerItem, n));
    });
}

template void dense_product(const SparseRows<double>&, const double*, const double*, const double*,
                            Offset, bool, double*, int, Control&, const Watcher&);
template void dense_product(const SparseRows<std::uint64_t>&, const std::uint64_t*,
                            const std::uint64_t*, const std::uint64_t*, Offset, bool,
                            std::uint64_t*, int, Control&, const Watcher&);

}  // namespace grape
