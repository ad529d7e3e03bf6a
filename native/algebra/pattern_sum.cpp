#include "algebra/pattern_sum.hpp"

#include <memory>
#include <new>

#include "algebra/found_rows.hpp"

namespace grape {
namespace {

// Runs use(worker, r, sums of row r) for every row.
template <class T, class Use>
void for_rows(Node n, const MapPattern<T>& pattern, int threads, Control& control,
              const Watcher& watcher, Use use) {
    const LinkBits bits(n, pattern, control);
    std::vector<std::unique_ptr<PatternSearch<T>>> searches(
        static_cast<std::size_t>(std::max(threads, 1)));
    parallel_for(items_of(n), threads, control, watcher, [&](int worker, std::int64_t item) {
        if (!searches[worker]) {
            if (!control.add_bytes(SparseVector<T>::bytes(n))) throw std::bad_alloc();
            searches[worker] = std::make_unique<PatternSearch<T>>(pattern, bits, n, control);
        }
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            use(worker, r, searches[worker]->row(r));
        }
    });
}

}  // namespace

template <class T>
CsrOf<T> pattern_rows(Node n, const MapPattern<T>& pattern, int threads, Control& control,
                      const Watcher& watcher) {
    FoundRows<T> found(n, threads, control);
    for_rows(n, pattern, threads, control, watcher, [&](int worker, Node r, SparseVector<T>& row) {
        row.sort();
        found.add(worker, r, row, [](T value) { return value; });
    });
    return found.join(control);
}

template <class T>
std::vector<T> masked_pattern(const SparseRows<double>& mask, const MapPattern<T>& pattern,
                              int threads, Control& control, const Watcher& watcher) {
    const Offset places = mask.ptr[mask.num_rows];
    if (!control.add_bytes(places * static_cast<std::int64_t>(sizeof(T)))) return {};
    std::vector<T> out(static_cast<std::size_t>(places), T{0});
    for_rows(mask.num_rows, pattern, threads, control, watcher,
             [&](int, Node r, SparseVector<T>& row) {
                 for (Offset e = mask.ptr[r]; e < mask.ptr[r + 1]; ++e) out[e] = row[mask.idx[e]];
             });
    return out;
}

template CsrOf<double> pattern_rows(Node, const MapPattern<double>&, int, Control&, const Watcher&);
template CsrOf<std::uint64_t> pattern_rows(Node, const MapPattern<std::uint64_t>&, int, Control&,
                                           const Watcher&);
template std::vector<double> masked_pattern(const SparseRows<double>&, const MapPattern<double>&,
                                            int, Control&, const Watcher&);
template std::vector<std::uint64_t> masked_pattern(const SparseRows<double>&,
                                                   const MapPattern<std::uint64_t>&, int, Control&,
                                                   const Watcher&);

}  // namespace grape
