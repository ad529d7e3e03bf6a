#include "pattern_sum.hpp"

#include <memory>

namespace grape {
namespace {

// Runs use(item, r, sums of row r) for every row.
template <class T, class Use>
void for_rows(Node n, const MapPattern<T>& pattern, int threads, Control& control,
              const Watcher& watcher, Use use) {
    const LinkBits bits(n, pattern);
    std::vector<std::unique_ptr<PatternSearch<T>>> searches(
        static_cast<std::size_t>(std::max(threads, 1)));
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int worker, std::int64_t item) {
        if (!searches[worker]) {
            searches[worker] = std::make_unique<PatternSearch<T>>(pattern, bits, n, control);
        }
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            use(item, r, searches[worker]->row(r));
        }
    });
}

}  // namespace

template <class T>
FoundRows<T> pattern_rows(Node n, const MapPattern<T>& pattern, int threads, Control& control,
                          const Watcher& watcher) {
    RowGatherer<T> gatherer(n);
    for_rows(n, pattern, threads, control, watcher,
             [&](std::int64_t item, Node r, SparseVector<T>& row) {
                 row.sort();
                 const std::int64_t before = gatherer.bytes(item);
                 for (const Node c : row.touched()) gatherer.append(item, r, c, row[c]);
                 control.add_bytes(gatherer.bytes(item) - before);
             });
    if (control.stopped()) return {};
    return gatherer.join();
}

template <class T>
std::vector<T> masked_pattern(const SparseRows<double>& mask, const MapPattern<T>& pattern,
                              int threads, Control& control, const Watcher& watcher) {
    std::vector<T> out(static_cast<std::size_t>(mask.ptr[mask.num_rows]), T{0});
    for_rows(mask.num_rows, pattern, threads, control, watcher,
             [&](std::int64_t, Node r, SparseVector<T>& row) {
                 for (Offset e = mask.ptr[r]; e < mask.ptr[r + 1]; ++e) out[e] = row[mask.idx[e]];
             });
    return out;
}

template FoundRows<double> pattern_rows(Node, const MapPattern<double>&, int, Control&,
                                        const Watcher&);
template FoundRows<std::uint64_t> pattern_rows(Node, const MapPattern<std::uint64_t>&, int,
                                               Control&, const Watcher&);
template std::vector<double> masked_pattern(const SparseRows<double>&, const MapPattern<double>&,
                                            int, Control&, const Watcher&);
template std::vector<std::uint64_t> masked_pattern(const SparseRows<double>&,
                                                   const MapPattern<std::uint64_t>&, int, Control&,
                                                   const Watcher&);

}  // namespace grape
