#include "algebra/row_chain.hpp"

#include <memory>
#include <new>

#include "algebra/found_rows.hpp"
#include "algebra/meeting_row.hpp"

namespace grape {
namespace {

// The rows one worker needs; made when it first works.
template <class T>
struct Desk {
    ChainRow<T> chain;
    SparseVector<T> total;
    Desk(Node size, const Control& control) : chain(size, control), total(size) {}
};

// What a worker works at: made by itself, where its memory will be near.
template <class D, class... Arguments>
D& desk_of(std::vector<std::unique_ptr<D>>& desks, int worker, std::int64_t bytes, Control& control,
           const Arguments&... arguments) {
    if (!desks[worker]) {
        if (!control.add_bytes(bytes)) throw std::bad_alloc();
        desks[worker] = std::make_unique<D>(arguments..., control);
    }
    return *desks[worker];
}

// The factors behind the first `front`, from the last one on; the diagonal where the two halves
// meet stays with the front.
template <class T>
ChainTerm<T> read_backwards(const ChainTerm<T>& term, std::size_t front) {
    ChainTerm<T> back;
    for (std::size_t k = term.factors.size(); k > front; --k) {
        back.factors.push_back(term.factors[k - 1]);
        back.diagonals.push_back(term.diagonals[k]);
    }
    return back;
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
        Desk<T>& desk = desk_of(desks, worker, 3 * SparseVector<T>::bytes(n), control, n);
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
std::vector<T> masked_chain(const SparseRows<double>& mask, const ChainTerm<T>& term,
                            std::size_t front, int threads, Control& control,
                            const Watcher& watcher) {
    const Node n = mask.num_rows;
    if (!control.add_bytes(mask.ptr[n] * static_cast<std::int64_t>(sizeof(T)))) return {};
    std::vector<T> out(static_cast<std::size_t>(mask.ptr[n]), T{0});
    std::vector<std::unique_ptr<MeetingRow<T>>> desks(
        static_cast<std::size_t>(std::max(threads, 1)));
    const ChainTerm<T> back = read_backwards(term, front);
    parallel_for(items_of(n), threads, control, watcher, [&](int worker, std::int64_t item) {
        auto& row = desk_of(desks, worker, MeetingRow<T>::bytes(n), control, n, term, front, back);
        const auto last = static_cast<Node>(std::min<std::int64_t>((item + 1) * kRowsPerItem, n));
        for (Node r = static_cast<Node>(item * kRowsPerItem); r < last; ++r) {
            if (control.stopped()) return;
            if (mask.size(r) == 0) continue;
            row.start(r);
            for (Offset e = mask.ptr[r]; e < mask.ptr[r + 1]; ++e) out[e] = row.meet(mask.idx[e]);
            row.finish();
        }
    });
    return out;
}

template CsrOf<double> combine_rows(Node, const std::vector<ChainTerm<double>>&, std::int64_t, int,
                                    Control&, const Watcher&);
template CsrOf<std::uint64_t> combine_rows(Node, const std::vector<ChainTerm<std::uint64_t>>&,
                                           std::int64_t, int, Control&, const Watcher&);
template std::vector<double> masked_chain(const SparseRows<double>&, const ChainTerm<double>&,
                                          std::size_t, int, Control&, const Watcher&);
template std::vector<std::uint64_t> masked_chain(const SparseRows<double>&,
                                                 const ChainTerm<std::uint64_t>&, std::size_t, int,
                                                 Control&, const Watcher&);

}  // namespace grape
