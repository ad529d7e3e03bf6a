#include "algebra/single_product.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/lanes.hpp"

namespace grape {
namespace {

constexpr std::size_t kCacheLine = 64;

enum class Terms { plain, weighted, less_own, both };

// Sums over `count` entries of a row, `parts` registers of columns from `first` on. With `both`,
// the weighted sums are followed by as many plain ones.
template <int bytes, int parts, Terms terms, int count>
[[gnu::always_inline]] inline void sum_block(const SingleProduct& job, Offset entry, Offset first,
                                             const typename LanesOf<float, bytes>::type* own,
                                             typename LanesOf<float, bytes>::type* sum) {
    using Columns = typename LanesOf<float, bytes>::type;
    constexpr int size = bytes / static_cast<int>(sizeof(float));
    const Node* const members = job.matrix.idx + entry;
    for (int e = 0; e < count; ++e) {
        const float* const from = job.dense + members[e] * job.columns + first;
        for (int p = 0; p < parts; ++p) {
            Columns term;
            std::memcpy(&term, from + p * size, bytes);
            if constexpr (terms == Terms::both) {
                sum[parts + p] = e == 0 ? term : sum[parts + p] + term;
                term *= job.weight[members[e]];
            } else if constexpr (terms == Terms::weighted) {
                term *= static_cast<float>(job.matrix.val[entry + e]);
            } else if constexpr (terms == Terms::less_own) {
                term -= own[p];
            }
            sum[p] = e == 0 ? term : sum[p] + term;
        }
    }
}

// `parts` registers of columns from `first` on, all sums held in registers.
template <int bytes, int parts, Terms terms, std::size_t... lane>
[[gnu::always_inline]] inline void strip(const SingleProduct& job, Node row, Offset first,
                                         std::index_sequence<lane...>) {
    using Columns = typename LanesOf<float, bytes>::type;
    using Wide = typename LanesOf<double, bytes>::type;
    using Twice = typename LanesOf<double, 2 * bytes>::type;
    using Half = typename LanesOf<float, bytes / 2>::type;
    constexpr int size = bytes / static_cast<int>(sizeof(float));
    constexpr int half = size / 2;
    constexpr int sums = terms == Terms::both ? 2 * parts : parts;
    const Offset place = row * job.columns + first;
    const Offset end = job.matrix.ptr[row + 1];
    Columns own[parts] = {};
    if constexpr (terms == Terms::less_own) {
        for (int p = 0; p < parts; ++p) std::memcpy(&own[p], job.minus + place + p * size, bytes);
    }
    Wide sum[2 * sums] = {};
    for (Offset e = job.matrix.ptr[row]; e < end;) {
        Columns block[sums] = {};
        Columns next[sums];
        if (e + 2 * kSingleBlock <= end) {
            sum_block<bytes, parts, terms, kSingleBlock>(job, e, first, own, block);
            sum_block<bytes, parts, terms, kSingleBlock>(job, e + kSingleBlock, first, own, next);
            for (int p = 0; p < sums; ++p) block[p] += next[p];
            e += 2 * kSingleBlock;
        } else if (e + kSingleBlock <= end) {
            sum_block<bytes, parts, terms, kSingleBlock>(job, e, first, own, block);
            e += kSingleBlock;
        } else {
            for (; e < end; ++e) {
                sum_block<bytes, parts, terms, 1>(job, e, first, own, next);
                for (int p = 0; p < sums; ++p) block[p] += next[p];
            }
        }
        for (int p = 0; p < sums; ++p) {
            // All lanes at once: GCC takes ten instructions to widen the halves one by one.
            const auto wide = __builtin_convertvector(block[p], Twice);
            sum[2 * p] += __builtin_shufflevector(wide, wide, lane...);
            sum[2 * p + 1] += __builtin_shufflevector(wide, wide, (half + lane)...);
        }
    }
    const double scale = job.left == nullptr ? 1.0 : job.left[row];
    for (int p = 0; p < 2 * parts; ++p) {
        sum[p] = scale * sum[p] / job.divisor;
        const Half result = __builtin_convertvector(sum[p], Half);
        std::memcpy(job.out + place + p * half, &result, sizeof result);
    }
    if constexpr (terms == Terms::both) {
        for (int p = 0; p < 2 * parts; ++p) {
            const Half result = __builtin_convertvector(sum[2 * parts + p], Half);
            std::memcpy(job.plain + place + p * half, &result, sizeof result);
        }
    }
}

// The few columns that fill no register.
template <Terms terms>
inline void strip_of_one(const SingleProduct& job, Node row, Offset column) {
    const Offset place = row * job.columns + column;
    const double own = terms == Terms::less_own ? job.minus[place] : 0.0;
    double sum = 0, plain = 0;
    for (Offset e = job.matrix.ptr[row]; e < job.matrix.ptr[row + 1]; ++e) {
        const Node member = job.matrix.idx[e];
        const double feature = job.dense[member * job.columns + column] - own;
        if constexpr (terms == Terms::both) {
            sum += job.right[member] * feature;
            plain += feature;
        } else {
            sum += job.matrix.value(e) * feature;
        }
    }
    const double scale = job.left == nullptr ? 1.0 : job.left[row];
    job.out[place] = static_cast<float>(scale * sum / job.divisor);
    if constexpr (terms == Terms::both) job.plain[place] = static_cast<float>(plain);
}

template <int bytes, Terms terms>
[[gnu::always_inline]] inline void run_all(const SingleProduct& job, Node begin, Node end) {
    constexpr int size = bytes / static_cast<int>(sizeof(float));
    constexpr std::make_index_sequence<size / 2> lanes{};
    constexpr std::make_index_sequence<2> two{};
    // Twice as many sums have to fit into the sixteen registers of narrower processors.
    constexpr int strip_columns = terms == Terms::both && bytes < 64 ? 16 : 32;
    for (Node row = begin; row < end; ++row) {
        Offset at = 0;
        for (; at + strip_columns <= job.columns; at += strip_columns)
            strip<bytes, strip_columns / size, terms>(job, row, at, lanes);
        for (; at + size <= job.columns; at += size) strip<bytes, 1, terms>(job, row, at, lanes);
        for (; at + 4 <= job.columns; at += 4) strip<16, 1, terms>(job, row, at, two);
        for (; at < job.columns; ++at) strip_of_one<terms>(job, row, at);
    }
}

template <int bytes>
[[gnu::always_inline]] inline void run_rows(const SingleProduct& job, Node begin, Node end) {
    if (job.plain != nullptr) {
        run_all<bytes, Terms::both>(job, begin, end);
    } else if (job.minus != nullptr) {
        run_all<bytes, Terms::less_own>(job, begin, end);
    } else if (job.matrix.val != nullptr) {
        run_all<bytes, Terms::weighted>(job, begin, end);
    } else {
        run_all<bytes, Terms::plain>(job, begin, end);
    }
}

struct SingleRows {
    const SingleProduct& job;
    Node begin, end;

    template <int bytes>
    [[gnu::always_inline]] inline void operator()(Bytes<bytes>) const {
        run_rows<bytes>(job, begin, end);
    }
};

struct Release {
    void operator()(float* p) const { ::operator delete[](p, std::align_val_t{kCacheLine}); }
};

// The features, times the right diagonal unless they are also summed without it, each row
// beginning with a cache line where it can.
std::unique_ptr<float[], Release> scaled(const SingleProduct& job) {
    const auto rows = static_cast<std::size_t>(job.matrix.num_rows);
    const auto columns = static_cast<std::size_t>(job.columns);
    std::unique_ptr<float[], Release> copy(
        new (std::align_val_t{kCacheLine}) float[rows * columns + 1]);
    if (job.right == nullptr || job.plain != nullptr) {
        std::copy_n(job.dense, rows * columns, copy.get());
        return copy;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        const double weight = job.right[row];
        for (std::size_t k = row * columns; k < (row + 1) * columns; ++k)
            copy[k] = static_cast<float>(weight * job.dense[k]);
    }
    return copy;
}

}  // namespace

void single_product(SingleProduct job, int threads, Control& control, const Watcher& watcher) {
    const Node n = job.matrix.num_rows;
    // A copy costs as much as reading one entry per row; rows across cache lines cost double.
    const bool crosses = reinterpret_cast<std::uintptr_t>(job.dense) % kCacheLine != 0;
    std::unique_ptr<float[], Release> copy;
    if (crosses || (job.right != nullptr && job.plain == nullptr)) {
        copy = scaled(job);
        job.dense = copy.get();
    }
    std::vector<float> weight;
    if (job.plain != nullptr) {
        weight.assign(job.right, job.right + n);
        job.weight = weight.data();
    }
    // Starting threads costs more than a small product.
    const Offset work = job.matrix.ptr[n] * job.columns;
    if (threads <= 1 || work < (Offset{1} << 21)) {
        run_with_lanes(SingleRows{job, 0, n});
        return;
    }
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int, std::int64_t item) {
        const auto begin = static_cast<Node>(item * kRowsPerItem);
        run_with_lanes(SingleRows{job, begin, std::min<Node>(begin + kRowsPerItem, n)});
    });
}

}  // namespace grape
