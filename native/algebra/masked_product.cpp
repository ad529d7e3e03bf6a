#include "algebra/masked_product.hpp"

#include <algorithm>

#include "algebra/pattern_search.hpp"
#include "base/bit_sets.hpp"

namespace grape {
namespace {

// One side of the work: `fixed` rows are spread out densely, `walked` rows are summed over.
template <class T, class Dense>
class HalfProduct {
  public:
    HalfProduct(const SparseRows<T>& fixed, const SparseRows<T>& walked, const T* w)
        : fixed_(fixed), walked_(walked), w_(w) {}

    // Calls put(entry, value) for the entries of `places` in row r that `mine` claims.
    template <class Mine, class Put>
    void row(Node r, const SparseRows<double>& places, std::vector<Dense>& dense, Mine mine,
             Put put) const {
        if (fixed_.size(r) == 0 || places.size(r) == 0) {
            for (Offset e = places.ptr[r]; e < places.ptr[r + 1]; ++e) {
                if (mine(r, places.idx[e])) put(e, T{0});
            }
            return;
        }
        if (dense.empty()) dense.assign(static_cast<std::size_t>(fixed_.num_rows), Dense{0});
        for (Offset k = fixed_.ptr[r]; k < fixed_.ptr[r + 1]; ++k) {
            const Node c = fixed_.idx[k];
            T value = fixed_.value(k);
            if (w_ != nullptr) value *= w_[c];
            dense[c] = static_cast<Dense>(value);
        }
        for (Offset e = places.ptr[r]; e < places.ptr[r + 1]; ++e) {
            const Node other = places.idx[e];
            if (!mine(r, other)) continue;
            T sum{0};
            for (Offset k = walked_.ptr[other]; k < walked_.ptr[other + 1]; ++k) {
                sum += static_cast<T>(dense[walked_.idx[k]]) * walked_.value(k);
            }
            put(e, sum);
        }
        for (const Node c : fixed_.row(r)) dense[c] = Dense{0};
    }

  private:
    const SparseRows<T>& fixed_;
    const SparseRows<T>& walked_;
    const T* w_;
};

template <class T, class Dense>
std::vector<T> run(const Mask& mask, const SparseRows<T>& x, const SparseRows<T>& y, const T* w,
                   bool symmetric, int threads, Control& control, const Watcher& watcher) {
    const Node n = mask.rows.num_rows;
    const auto workers = static_cast<std::size_t>(std::max(threads, 1));
    if (!control.add_bytes(mask.rows.ptr[n] * static_cast<std::int64_t>(sizeof(T)) +
                           static_cast<std::int64_t>(workers * sizeof(Dense)) * n))
        return {};
    std::vector<T> out(static_cast<std::size_t>(mask.rows.ptr[n]));
    std::vector<std::vector<Dense>> dense(workers);
    const HalfProduct<T, Dense> by_row(x, y, w);
    const HalfProduct<T, Dense> by_column(y, x, w);

    parallel_for(items_of(n), threads, control, watcher, [&](int worker, std::int64_t item) {
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            if (symmetric) {
                by_row.row(
                    r, mask.rows, dense[worker],
                    [&](Node s, Node t) {
                        return y.size(t) < x.size(s) || (y.size(t) == x.size(s) && t <= s);
                    },
                    [&](Offset e, T value) { out[e] = out[mask.origin[e]] = value; });
                continue;
            }
            by_row.row(
                r, mask.rows, dense[worker], [&](Node s, Node t) { return y.size(t) <= x.size(s); },
                [&](Offset e, T value) { out[e] = value; });
            by_column.row(
                r, mask.columns, dense[worker],
                [&](Node t, Node s) { return x.size(s) < y.size(t); },
                [&](Offset e, T value) { out[mask.origin[e]] = value; });
        }
    });
    return out;
}

// Whether a whole row of bits is fewer words than a typical row has entries.
template <class T>
bool bits_pay(const SparseRows<T>& rows, const Control& control) {
    return BitRows::fits(rows.num_rows, control) &&
           rows.ptr[rows.num_rows] > Offset{rows.num_rows} * (rows.num_rows / 64);
}

// Common neighbours of dense rows, a word at a time.
template <class T>
std::vector<T> count_bits(const Mask& mask, const SparseRows<T>& x, const SparseRows<T>& y,
                          bool symmetric, int threads, Control& control, const Watcher& watcher) {
    const Node n = mask.rows.num_rows;
    if (!control.add_bytes(mask.rows.ptr[n] * static_cast<std::int64_t>(sizeof(T)) +
                           (symmetric ? 1 : 2) * BitRows::bytes(n)))
        return {};
    const BitRows x_bits(x);
    const BitRows other(symmetric ? SparseRows<T>{} : y);
    const BitRows& y_bits = symmetric ? x_bits : other;
    std::vector<T> out(static_cast<std::size_t>(mask.rows.ptr[n]));
    parallel_for(items_of(n), threads, control, watcher, [&](int, std::int64_t item) {
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            for (Offset e = mask.rows.ptr[r]; e < mask.rows.ptr[r + 1]; ++e) {
                const Node c = mask.rows.idx[e];
                if (symmetric && c > r) break;  // the other half is the mirror image
                out[e] = static_cast<T>(
                    and_words(x_bits.row(r), y_bits.row(c), nullptr, x_bits.words()));
                if (symmetric) out[mask.origin[e]] = out[e];
            }
        }
    });
    return out;
}

}  // namespace

template <class T>
std::vector<T> masked_product(const Mask& mask, const SparseRows<T>& x, const SparseRows<T>& y,
                              const T* w, bool symmetric, int threads, Control& control,
                              const Watcher& watcher) {
    const bool plain = w == nullptr && x.val == nullptr && y.val == nullptr;
    if (plain && bits_pay(x, control)) {
        return count_bits<T>(mask, x, y, symmetric, threads, control, watcher);
    }
    // Plain adjacency rows need one byte a node, which keeps the dense row in cache.
    if (plain) {
        return run<T, std::uint8_t>(mask, x, y, w, symmetric, threads, control, watcher);
    }
    return run<T, T>(mask, x, y, w, symmetric, threads, control, watcher);
}

template std::vector<double> masked_product(const Mask&, const SparseRows<double>&,
                                            const SparseRows<double>&, const double*, bool, int,
                                            Control&, const Watcher&);
template std::vector<std::uint64_t> masked_product(const Mask&, const SparseRows<std::uint64_t>&,
                                                   const SparseRows<std::uint64_t>&,
                                                   const std::uint64_t*, bool, int, Control&,
                                                   const Watcher&);

}  // namespace grape
