// Search for all maps of a small weighted pattern from one image of its first node.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <vector>

#include "base/control.hpp"
#include "base/sparse_rows.hpp"
#include "base/sparse_vector.hpp"
#include "base/template.hpp"

namespace grape {

// A link from an earlier node of the search order to the one being placed.
template <class T>
struct PatternLink {
    int from = 0;  // position in the order
    SparseRows<T> rows;
};

// The nodes of a pattern in search order; position 0 is the row terminal.
template <class T>
struct MapPattern {
    std::vector<std::vector<PatternLink<T>>> links;  // per position, at least one from 1 on
    std::vector<const T*> weights;                   // per position, null: ones
    int target = 1;                                  // position of the column terminal
};

// The first entry at or after `from` whose column is not below `column`, by doubling steps.
template <class T>
Offset seek(const SparseRows<T>& rows, Offset from, Offset end, Node column) {
    Offset step = 1;
    while (from + step < end && rows.idx[from + step] < column) step *= 2;
    const Node* low = rows.idx + from;
    const Node* high = rows.idx + std::min(from + step + 1, end);
    return std::lower_bound(low, high, column) - rows.idx;
}

// Rows as bit sets, for graphs small enough: whole rows are intersected a word at a time.
class BitRows {
  public:
    static constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;

    template <class T>
    explicit BitRows(const SparseRows<T>& rows)
        : words_((rows.num_rows + 63) / 64),
          bits_(static_cast<std::size_t>(rows.num_rows) * words_, 0) {
        for (Node r = 0; r < rows.num_rows; ++r) {
            for (const Node c : rows.row(r))
                bits_[r * words_ + c / 64] |= std::uint64_t{1} << (c % 64);
        }
    }

    static std::int64_t bytes(Node n) { return std::int64_t{n} * ((n + 63) / 64) * 8; }
    // Whether the bits are small, and a small part of a memory budget.
    static bool fits(Node n, const Control& control) {
        return bytes(n) <= std::min(kMostBytes, control.budget().bytes / 8);
    }
    const std::uint64_t* row(Node r) const { return &bits_[static_cast<std::size_t>(r) * words_]; }
    int words() const { return words_; }

  private:
    int words_;
    std::vector<std::uint64_t> bits_;
};

// Per position and link, the bit rows of the link's pattern; empty when the graph is too large.
class LinkBits {
  public:
    template <class T>
    LinkBits(Node n, const MapPattern<T>& pattern, Control& control) {
        for (const auto& position : pattern.links) {
            if (!BitRows::fits(n, control)) break;
            rows_.emplace_back();
            for (const PatternLink<T>& link : position) {
                // Links on one pattern share their bits.
                const auto [at, added] = known_.try_emplace(link.rows.idx, link.rows);
                if (added) control.add_bytes(BitRows::bytes(n));
                rows_.back().push_back(&at->second);
            }
        }
    }

    LinkBits(LinkBits&&) = default;  // a copy would point into the original

    bool empty() const { return rows_.empty(); }
    const std::vector<const BitRows*>& operator[](std::size_t position) const {
        return rows_[position];
    }

  private:
    std::map<const Node*, BitRows> known_;
    std::vector<std::vector<const BitRows*>> rows_;
};

template <class T>
class PatternSearch {
    // Looking an entry up in another row takes as long as intersecting this many words.
    static constexpr Offset kWordsPerEntry = 16;

  public:
    PatternSearch(const MapPattern<T>& pattern, const LinkBits& bits, Node size,
                  const Control& control)
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
        const auto& links = pattern_.links[position];
        if (!bits_.empty() && links.size() > 1 &&
            bits_[position][0]->words() <= kWordsPerEntry * shortest(links)) {
            intersect_bits(position, visit);
        } else {
            intersect_lists(position, visit);
        }
    }

    // Entries of the shortest row that a candidate must lie in.
    Offset shortest(const std::vector<PatternLink<T>>& links) const {
        Offset least = links[0].rows.size(image_[links[0].from]);
        for (const PatternLink<T>& link : links)
            least = std::min(least, link.rows.size(image_[link.from]));
        return least;
    }

    template <class Visit>
    void intersect_bits(std::size_t position, Visit visit) {
        const auto& links = pattern_.links[position];
        const auto& bits = bits_[position];
        std::array<const std::uint64_t*, kMaxTemplateNodes> rows{};
        for (std::size_t k = 0; k < links.size(); ++k) {
            rows[k] = bits[k]->row(image_[links[k].from]);
        }
        // Where a link's row stands at the current word: the column's place in the row is the
        // number of bits before it, which spares a search per candidate.
        std::array<Offset, kMaxTemplateNodes> place{};
        for (std::size_t k = 0; k < links.size(); ++k) {
            if (links[k].rows.val != nullptr) place[k] = links[k].rows.ptr[image_[links[k].from]];
        }
        const T* weight = pattern_.weights[position];
        for (int w = 0; w < bits[0]->words(); ++w) {
            std::uint64_t common = rows[0][w] & rows[1][w];
            for (std::size_t k = 2; k < links.size(); ++k) common &= rows[k][w];
            for (; common != 0; common &= common - 1) {
                const Node c = w * 64 + std::countr_zero(common);
                const std::uint64_t before = (common & -common) - 1;
                T value = weight == nullptr ? T{1} : weight[c];
                for (std::size_t k = 0; k < links.size(); ++k) {
                    if (links[k].rows.val == nullptr) continue;
                    value *= links[k].rows.val[place[k] + std::popcount(rows[k][w] & before)];
                }
                if (value != T{0}) visit(c, value);
            }
            for (std::size_t k = 0; k < links.size(); ++k) {
                if (links[k].rows.val != nullptr) place[k] += std::popcount(rows[k][w]);
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

}  // namespace grape
