#include "algebra/row_chain.hpp"

#include <memory>
#include <new>

#include "algebra/found_rows.hpp"

namespace grape {
namespace {

// The rows one worker needs; made when it first works.
template <class T>
struct Desk {
    ChainRow<T> chain;
    SparseVector<T> total;
    Desk(Node size, const Control& control) : chain(size, control), total(size) {}
};

template <class T>
Desk<T>& desk_of(std::vector<std::unique_ptr<Desk<T>>>& desks, int worker, Node size,
                 Control& control) {
    if (!desks[worker]) {
        if (!control.add_bytes(3 * SparseVector<T>::bytes(size))) throw std::bad_alloc();
        desks[worker] = std::make_unique<Desk<T>>(size, control);
    }
    return *desks[worker];
}

double divided(double value, std::int64_t divisor) { return value / static_cast<double>(divisor); }
std::uint64_t divided(std::uint64_t value, std::int64_t divisor) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value) / divisor);
}

}  // namespace

template <class T>
CsrOf<T> combine_rows(Node n, const std::vector<ChainTerm<T>>& terms, std::int64_t divisor,
                      int threads, Control& control, const Watcher& watcher) {
    FoundRows<T> found(n, threads, control);
    std::vector<std::unique_ptr<Desk<T>>> desks(static_cast<std::size_t>(std::max(threads, 1)));
    parallel_for(items_of(n), threads, control, watcher, [&](int worker, std::int64_t item) {
        Desk<T>& desk = desk_of(desks, worker, n, control);
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            desk.total.clear();
            for (const ChainTerm<T>& term : terms) {
                const SparseVector<T>& row = desk.chain.row(term, r, term.factors.size());
                for (const Node c : row.touched()) desk.total.add(c, row[c]);
            }
            desk.total.sort();
            found.add(worker, r, desk.total, [&](T value) { return divided(value, divisor); });
        }
    });
    return found.join(control);
}

template <class T>
std::vector<T> masked_chain(const SparseRows<double>& mask, const ChainTerm<T>& term, int threads,
                            Control& control, const Watcher& watcher) {
    const Node n = mask.num_rows;
    if (!control.add_bytes(mask.ptr[n] * static_cast<std::int64_t>(sizeof(T)))) return {};
    std::vector<T> out(static_cast<std::size_t>(mask.ptr[n]), T{0});
    std::vector<std::unique_ptr<Desk<T>>> desks(static_cast<std::size_t>(std::max(threads, 1)));
    const SparseRows<T>& columns = term.factors.back();
    const T* scale = term.diagonals.back();
    parallel_for(items_of(n), threads, control, watcher, [&](int worker, std::int64_t item) {
        Desk<T>& desk = desk_of(desks, worker, n, control);
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            if (mask.size(r) == 0) continue;
            const SparseVector<T>& row = desk.chain.row(term, r, term.factors.size() - 1);
            for (Offset e = mask.ptr[r]; e < mask.ptr[r + 1]; ++e) {
                if (control.stopped()) return;
                const Node t = mask.idx[e];
                T sum{0};
                for (Offset k = columns.ptr[t]; k < columns.ptr[t + 1]; ++k) {
                    sum += row[columns.idx[k]] * columns.value(k);
                }
                out[e] = scale == nullptr ? sum : sum * scale[t];
            }
        }
    });
    return out;
}

template CsrOf<double> combine_rows(Node, const std::vector<ChainTerm<double>>&, std::int64_t, int,
                                    Control&, const Watcher&);
template CsrOf<std::uint64_t> combine_rows(Node, const std::vector<ChainTerm<std::uint64_t>>&,
                                           std::int64_t, int, Control&, const Watcher&);
template std::vector<double> masked_chain(const SparseRows<double>&, const ChainTerm<double>&, int,
                                          Control&, const Watcher&);
template std::vector<std::uint64_t> masked_chain(const SparseRows<double>&,
                                                 const ChainTerm<std::uint64_t>&, int, Control&,
                                                 const Watcher&);

}  // namespace grape
