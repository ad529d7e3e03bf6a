#include "algebra/weighted_sum.hpp"

#include <algorithm>

namespace grape {

template <class T>
std::vector<T> weighted_sum(const SparseRows<double>& pattern,
                            const std::vector<WeightedPiece<T>>& pieces, int threads,
                            Control& control, const Watcher& watcher) {
    const Node n = pattern.num_rows;
    if (!control.add_bytes(pattern.ptr[n] * static_cast<std::int64_t>(sizeof(T)))) return {};
    std::vector<T> out(static_cast<std::size_t>(pattern.ptr[n]));
    constexpr Node kRows = 64 * kRowsPerItem;  // a row is little work here
    parallel_for((n + kRows - 1) / kRows, threads, control, watcher, [&](int, std::int64_t item) {
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRows, n));
        for (Node r = static_cast<Node>(item * kRows); r < last; ++r) {
            if (control.stopped()) return;
            for (const WeightedPiece<T>& piece : pieces) {
                const T scale =
                    piece.left == nullptr ? piece.coefficient : piece.coefficient * piece.left[r];
                for (Offset e = pattern.ptr[r]; e < pattern.ptr[r + 1]; ++e) {
                    T value = scale;
                    if (piece.value != nullptr) value *= piece.value[e];
                    if (piece.right != nullptr) value *= piece.right[pattern.idx[e]];
                    out[e] += value;
                }
            }
        }
    });
    return out;
}

template std::vector<double> weighted_sum(const SparseRows<double>&,
                                          const std::vector<WeightedPiece<double>>&, int, Control&,
                                          const Watcher&);
template std::vector<std::uint64_t> weighted_sum(const SparseRows<double>&,
                                                 const std::vector<WeightedPiece<std::uint64_t>>&,
                                                 int, Control&, const Watcher&);

}  // namespace grape
