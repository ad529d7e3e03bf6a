#include "pattern_sum.hpp"

#include <array>
#include <memory>

#include "sparse_vector.hpp"
#include "template.hpp"

namespace grape {
namespace {

// The first entry at or after `from` whose column is not below `column`, by doubling steps.
template <class T>
Offset seek(const SparseRows<T>& rows, Offset from, Offset end, Node column) {
    Offset step = 1;
    while (from + step < end && rows.idx[from + step] < column) step *= 2;
    const Node* low = rows.idx + from;
    const Node* high = rows.idx + std::min(from + step + 1, end);
    return std::lower_bound(low, high, column) - rows.idx;
}

template <class T>
class Search {
  public:
    Search(const Pattern<T>& pattern, Node size, const Control& control)
        : pattern_(pattern), control_(control), row_(size) {}

    // Adds the sums of row r to a fresh row.
    SparseVector<T>& row(Node r) {
        row_.clear();
        image_[0] = r;
        const T* weight = pattern_.weights[0];
        place(1, weight == nullptr ? T{1} : weight[r]);
        return row_;
    }

  private:
    void place(std::size_t position, T product) {
        if (control_.stopped()) return;
        const bool is_last = position + 1 == pattern_.links.size();
        const bool is_target = static_cast<int>(position) == pattern_.target;
        T sum{0};
        for_candidates(position, [&](Node c, T value) {
            if (!is_last) {
                image_[position] = c;
                place(position + 1, product * value);
            } else if (is_target) {
                row_.add(c, product * value);
            } else {
                sum += value;
            }
        });
        if (is_last && !is_target && sum != T{0}) row_.add(image_[pattern_.target], product * sum);
    }

    // Walks the shortest of the rows the node must lie in and looks it up in the others.
    template <class Visit>
    void for_candidates(std::size_t position, Visit visit) {
        const auto& links = pattern_.links[position];
        std::array<Offset, kMaxTemplateNodes> at{}, end{};
        std::size_t walked = 0;
        for (std::size_t k = 0; k < links.size(); ++k) {
            at[k] = links[k].rows.ptr[image_[links[k].from]];
            end[k] = links[k].rows.ptr[image_[links[k].from] + 1];
            if (end[k] - at[k] < end[walked] - at[walked]) walked = k;
        }
        const T* weight = pattern_.weights[position];
        const SparseRows<T>& lead = links[walked].rows;
        for (Offset e = at[walked]; e < end[walked]; ++e) {
            const Node c = lead.idx[e];
            T value = lead.value(e);
            if (weight != nullptr) value *= weight[c];
            bool everywhere = true;
            for (std::size_t k = 0; k < links.size() && everywhere; ++k) {
                if (k == walked) continue;
                at[k] = seek(links[k].rows, at[k], end[k], c);
                if (at[k] == end[k]) return;
                everywhere = links[k].rows.idx[at[k]] == c;
                if (everywhere) value *= links[k].rows.value(at[k]);
            }
            if (everywhere && value != T{0}) visit(c, value);
        }
    }

    const Pattern<T>& pattern_;
    const Control& control_;
    SparseVector<T> row_;
    std::array<Node, kMaxTemplateNodes> image_{};
};

// Runs use(item, r, sums of row r) for every row.
template <class T, class Use>
void for_rows(Node n, const Pattern<T>& pattern, int threads, Control& control,
              const Watcher& watcher, Use use) {
    std::vector<std::unique_ptr<Search<T>>> searches(
        static_cast<std::size_t>(std::max(threads, 1)));
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int worker, std::int64_t item) {
        if (!searches[worker]) {
            searches[worker] = std::make_unique<Search<T>>(pattern, n, control);
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
FoundRows<T> pattern_rows(Node n, const Pattern<T>& pattern, int threads, Control& control,
                          const Watcher& watcher) {
    RowCollector<T> collector(n);
    for_rows(n, pattern, threads, control, watcher,
             [&](std::int64_t item, Node r, SparseVector<T>& row) {
                 row.sort();
                 const std::int64_t before = collector.bytes(item);
                 for (const Node c : row.touched()) collector.append(item, r, c, row[c]);
                 control.add_bytes(collector.bytes(item) - before);
             });
    if (control.stopped()) return {};
    return collector.join();
}

template <class T>
std::vector<T> masked_pattern(const SparseRows<double>& mask, const Pattern<T>& pattern,
                              int threads, Control& control, const Watcher& watcher) {
    std::vector<T> out(static_cast<std::size_t>(mask.ptr[mask.num_rows]), T{0});
    for_rows(mask.num_rows, pattern, threads, control, watcher,
             [&](std::int64_t, Node r, SparseVector<T>& row) {
                 for (Offset e = mask.ptr[r]; e < mask.ptr[r + 1]; ++e) out[e] = row[mask.idx[e]];
             });
    return out;
}

template FoundRows<double> pattern_rows(Node, const Pattern<double>&, int, Control&,
                                        const Watcher&);
template FoundRows<std::uint64_t> pattern_rows(Node, const Pattern<std::uint64_t>&, int, Control&,
                                               const Watcher&);
template std::vector<double> masked_pattern(const SparseRows<double>&, const Pattern<double>&, int,
                                            Control&, const Watcher&);
template std::vector<std::uint64_t> masked_pattern(const SparseRows<double>&,
                                                   const Pattern<std::uint64_t>&, int, Control&,
                                                   const Watcher&);

}  // namespace grape
