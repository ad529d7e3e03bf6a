#include "pattern_sum.hpp"

#include <array>
#include <bit>
#include <map>
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

using Word = std::uint64_t;

// Rows as bit sets, for graphs small enough: whole rows are intersected a word at a time.
class BitRows {
  public:
    static constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;

    template <class T>
    explicit BitRows(const SparseRows<T>& rows)
        : words_((rows.num_rows + 63) / 64),
          bits_(static_cast<std::size_t>(rows.num_rows) * words_, 0) {
        for (Node r = 0; r < rows.num_rows; ++r) {
            for (const Node c : rows.row(r)) bits_[r * words_ + c / 64] |= Word{1} << (c % 64);
        }
    }

    static bool fits(Node n) { return std::int64_t{n} * ((n + 63) / 64) * 8 <= kMostBytes; }
    const Word* row(Node r) const { return &bits_[static_cast<std::size_t>(r) * words_]; }
    int words() const { return words_; }

  private:
    int words_;
    std::vector<Word> bits_;
};

// Per position and link, the bit rows of the link's pattern; empty when the graph is too large.
using LinkBits = std::vector<std::vector<const BitRows*>>;

template <class T>
class Search {
  public:
    Search(const MapPattern<T>& pattern, const LinkBits& bits, Node size, const Control& control)
        : pattern_(pattern), bits_(bits), control_(control), row_(size) {}

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

    template <class Visit>
    void for_candidates(std::size_t position, Visit visit) {
        if (!bits_.empty() && pattern_.links[position].size() > 1) {
            intersect_bits(position, visit);
        } else {
            intersect_lists(position, visit);
        }
    }

    template <class Visit>
    void intersect_bits(std::size_t position, Visit visit) {
        const auto& links = pattern_.links[position];
        const auto& bits = bits_[position];
        std::array<const Word*, kMaxTemplateNodes> rows{};
        for (std::size_t k = 0; k < links.size(); ++k) {
            rows[k] = bits[k]->row(image_[links[k].from]);
        }
        const T* weight = pattern_.weights[position];
        for (int w = 0; w < bits[0]->words(); ++w) {
            Word common = rows[0][w] & rows[1][w];
            for (std::size_t k = 2; k < links.size(); ++k) common &= rows[k][w];
            for (; common != 0; common &= common - 1) {
                const Node c = w * 64 + std::countr_zero(common);
                T value = weight == nullptr ? T{1} : weight[c];
                for (const PatternLink<T>& link : links) {
                    if (link.rows.val == nullptr) continue;
                    const Node from = image_[link.from];
                    const Offset at =
                        seek(link.rows, link.rows.ptr[from], link.rows.ptr[from + 1], c);
                    value *= link.rows.val[at];
                }
                if (value != T{0}) visit(c, value);
            }
        }
    }

    // Walks the shortest of the rows the node must lie in and looks it up in the others.
    template <class Visit>
    void intersect_lists(std::size_t position, Visit visit) {
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

    const MapPattern<T>& pattern_;
    const LinkBits& bits_;
    const Control& control_;
    SparseVector<T> row_;
    std::array<Node, kMaxTemplateNodes> image_{};
};

// Runs use(item, r, sums of row r) for every row.
template <class T, class Use>
void for_rows(Node n, const MapPattern<T>& pattern, int threads, Control& control,
              const Watcher& watcher, Use use) {
    // Links on one pattern share their bits.
    std::map<const Node*, BitRows> known;
    LinkBits bits;
    for (const auto& position : pattern.links) {
        if (!BitRows::fits(n)) break;
        bits.emplace_back();
        for (const PatternLink<T>& link : position) {
            bits.back().push_back(&known.try_emplace(link.rows.idx, link.rows).first->second);
        }
    }
    std::vector<std::unique_ptr<Search<T>>> searches(
        static_cast<std::size_t>(std::max(threads, 1)));
    const std::int64_t items = (n + kRowsPerItem - 1) / kRowsPerItem;
    parallel_for(items, threads, control, watcher, [&](int worker, std::int64_t item) {
        if (!searches[worker]) {
            searches[worker] = std::make_unique<Search<T>>(pattern, bits, n, control);
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
