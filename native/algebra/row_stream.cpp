#include "algebra/row_stream.hpp"

#include <memory>
#include <new>

namespace grape {
namespace {

// What one worker computes rows with.
template <class T>
class RowMaker {
  public:
    RowMaker(const StreamedMatrix<T>& matrix, const std::vector<LinkBits>& bits,
             const Control& control)
        : matrix_(matrix), chain_(matrix.num_rows, control), row_(matrix.num_rows) {
        for (std::size_t k = 0; k < matrix.patterns.size(); ++k) {
            searches_.push_back(std::make_unique<PatternSearch<T>>(
                matrix.patterns[k].second, bits[k], matrix.num_rows, control));
        }
    }

    const SparseVector<T>& row(Node r) {
        bool first = true;
        row_.clear();
        for (const auto& [power, term] : matrix_.chains) {
            fold(chain_.row(term, r, term.factors.size()), power, first);
            first = false;
        }
        for (std::size_t k = 0; k < searches_.size(); ++k) {
            fold(searches_[k]->row(r), matrix_.patterns[k].first, first);
            first = false;
        }
        return row_;
    }

  private:
    void fold(const SparseVector<T>& factor, int power, bool first) {
        if (first) {
            for (const Node c : factor.touched()) row_.add(c, factor[c]);
            --power;
        }
        for (; power > 0; --power) row_.multiply(factor);
    }

    const StreamedMatrix<T>& matrix_;
    ChainRow<T> chain_;
    SparseVector<T> row_;
    std::vector<std::unique_ptr<PatternSearch<T>>> searches_;
};

}  // namespace

template <class T>
void stream_product(const StreamedMatrix<T>& matrix, const T* left, const T* right, const T* dense,
                    Offset columns, T* out, int threads, Control& control, const Watcher& watcher) {
    const Node n = matrix.num_rows;
    std::vector<LinkBits> bits;
    for (const auto& [power, pattern] : matrix.patterns) bits.emplace_back(n, pattern, control);
    std::vector<std::unique_ptr<RowMaker<T>>> makers(
        static_cast<std::size_t>(std::max(threads, 1)));
    parallel_for(items_of(n), threads, control, watcher, [&](int worker, std::int64_t item) {
        if (!makers[worker]) {
            const auto rows = static_cast<std::int64_t>(3 + matrix.patterns.size());
            if (!control.add_bytes(rows * SparseVector<T>::bytes(n))) throw std::bad_alloc();
            makers[worker] = std::make_unique<RowMaker<T>>(matrix, bits, control);
        }
        std::vector<T> sum(static_cast<std::size_t>(columns));
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            std::fill(sum.begin(), sum.end(), T{0});
            const SparseVector<T>& row = makers[worker]->row(r);
            for (const Node c : row.touched()) {
                const T value = right == nullptr ? row[c] : row[c] * right[c];
                const T* from = dense + c * columns;
                for (Offset k = 0; k < columns; ++k) sum[k] += value * from[k];
            }
            for (Offset k = 0; k < columns; ++k) {
                out[r * columns + k] += left == nullptr ? sum[k] : left[r] * sum[k];
            }
        }
    });
}

template void stream_product(const StreamedMatrix<double>&, const double*, const double*,
                             const double*, Offset, double*, int, Control&, const Watcher&);
template void stream_product(const StreamedMatrix<std::uint64_t>&, const std::uint64_t*,
                             const std::uint64_t*, const std::uint64_t*, Offset, std::uint64_t*,
                             int, Control&, const Watcher&);

}  // namespace grape
