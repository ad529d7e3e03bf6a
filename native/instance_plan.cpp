#include "instance_plan.hpp"

#include <algorithm>

#include "symmetry.hpp"

namespace grape {
namespace {

void tie_to_earlier(const Template& t, const std::vector<int>& order, bool induced, int position,
                    InstanceStep& step) {
    for (int earlier = 0; earlier < position; ++earlier) {
        const int other = order[earlier];
        const bool forth = t.has_arc(other, step.node);
        const bool back = t.directed && t.has_arc(step.node, other);
        if (forth) step.ties.push_back({earlier, Side::out});
        if (back) step.ties.push_back({earlier, Side::in});
        if (!forth && !back) step.apart.push_back(earlier);
        if (induced && !forth) step.gaps.push_back({earlier, Side::out});
        if (induced && t.directed && !back) step.gaps.push_back({earlier, Side::in});
    }
}

}  // namespace

std::vector<InstanceStep> instance_plan(const Template& t, const std::vector<int>& order,
                                        bool induced) {
    std::array<int, kMaxTemplateNodes> position{};
    for (int p = 0; p < t.size; ++p) position[order[p]] = p;

    std::vector<InstanceStep> plan(t.size);
    for (int p = 0; p < t.size; ++p) {
        plan[p].node = order[p];
        plan[p].label = t.label[order[p]];
        tie_to_earlier(t, order, induced, p, plan[p]);
    }
    for (const auto& [a, b] : symmetry_breaking(stabiliser(t), order))
        plan[position[b]].smaller.push_back(position[a]);
    return plan;
}

std::span<const Node> CandidateFinder::intersect(std::span<const Node> candidates, Tie tie,
                                                 Node image, Node* out) const {
    std::size_t kept = 0;
    const auto row = graph_.neighbours(image, tie.side);
    if (has_arc_.dense()) {
        for (Node c : candidates) {
            out[kept] = c;
            kept += tie.side == Side::out ? has_arc_(image, c) : has_arc_(c, image);
        }
    } else if (row.size() > 16 * candidates.size()) {
        auto from = row.begin();
        for (Node c : candidates) {
            from = std::lower_bound(from, row.end(), c);
            if (from == row.end()) break;
            if (*from == c) out[kept++] = c;
        }
    } else {
        auto from = row.begin();
        for (Node c : candidates) {
            while (from != row.end() && *from < c) ++from;
            if (from == row.end()) break;
            if (*from == c) out[kept++] = c;
        }
    }
    return {out, kept};
}

std::span<const Node> CandidateFinder::find(int position, const Node* image) {
    const InstanceStep& step = plan_[position];
    std::size_t shortest = 0;
    std::span<const Node> found;
    for (std::size_t k = 0; k < step.ties.size(); ++k) {
        const auto row = graph_.neighbours(image[step.ties[k].position], step.ties[k].side);
        if (k == 0 || row.size() < found.size()) {
            found = row;
            shortest = k;
        }
    }
    Node above = -1;
    for (int p : step.smaller) above = std::max(above, image[p]);
    if (above >= 0) {
        const auto start = std::upper_bound(found.begin(), found.end(), above);
        found = found.subspan(static_cast<std::size_t>(start - found.begin()));
    }
    const bool plain = step.apart.empty() && step.gaps.empty() && step.label == kAnyLabel;
    if (plain && step.ties.size() == 1) return found;

    auto& buffer = buffer_[position];
    if (buffer.size() < found.size()) buffer.resize(found.size());
    for (std::size_t k = 0; k < step.ties.size(); ++k)
        if (k != shortest)
            found = intersect(found, step.ties[k], image[step.ties[k].position], buffer.data());
    if (plain) return found;

    std::size_t kept = 0;
    for (Node c : found) {
        bool fits = step.label == kAnyLabel || label_fits(step, c);
        for (int p : step.apart) fits &= image[p] != c;
        for (const Tie& gap : step.gaps)
            fits = fits && !(gap.side == Side::out ? has_arc_(image[gap.position], c)
                                                   : has_arc_(c, image[gap.position]));
        buffer[kept] = c;
        kept += fits;
    }
    return {buffer.data(), kept};
}

}  // namespace grape
