#include "instances/instance_plan.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/symmetry.hpp"

namespace grape {
namespace {

void tie_to_earlier(const Template& t, const std::vector<int>& order, bool induced, int position,
                    InstanceStep& step) {
    for (int earlier = 0; earlier < position; ++earlier) {
        const int other = order[earlier];
        const bool forth = t.has_arc(other, step.node);
        const bool back = t.directed && t.has_arc(step.node, other);
        if (forth) step.ties.push_back({earlier, t.forth(other, step.node)});
        if (back) step.ties.push_back({earlier, t.back(other, step.node)});
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

// The part of a sorted list that the symmetry-breaking order allows.
std::span<const Node> CandidateFinder::between(std::span<const Node> found,
                                               const Node* image) const {
    if (!step_.smaller.empty()) {
        Node above = -1;
        for (int p : step_.smaller) above = std::max(above, image[p]);
        found = {std::upper_bound(found.begin(), found.end(), above), found.end()};
    }
    if (!step_.larger.empty()) {
        Node below = std::numeric_limits<Node>::max();
        for (int p : step_.larger) below = std::min(below, image[p]);
        found = {found.begin(), std::lower_bound(found.begin(), found.end(), below)};
    }
    return found;
}

std::span<const Node> CandidateFinder::keep_tied(std::span<const Node> candidates, std::size_t tie,
                                                 const Node* image, std::vector<Node>& out) const {
    if (out.size() < candidates.size()) out.resize(candidates.size());
    if (has_arc_->dense() && step_.ties[tie].side.type == kAnyType) {
        const auto self = [](Node v) { return v; };
        return {out.data(),
                has_arc_->keep_tied(image[step_.ties[tie].position], step_.ties[tie].side,
                                    candidates, self, out.data())};
    }
    std::size_t kept = 0;
    const auto other = row(tie, image);
    const bool search = other.size() > 16 * candidates.size();
    auto from = other.begin();
    for (Node c : candidates) {
        if (search)
            from = std::lower_bound(from, other.end(), c);
        else
            while (from != other.end() && *from < c) ++from;
        if (from == other.end()) break;
        if (*from == c) out[kept++] = c;
    }
    return {out.data(), kept};
}

// Nodes that satisfy the first `ties` ties.
std::span<const Node> CandidateFinder::common(std::size_t ties, const Node* image) {
    if (ties == 1) return row(0, image);
    bool same = shared_images_.size() == ties;
    for (std::size_t k = 0; k < ties && same; ++k)
        same = shared_images_[k] == image[step_.ties[k].position];
    if (same) return shared_;
    shared_images_.clear();
    for (std::size_t k = 0; k < ties; ++k) shared_images_.push_back(image[step_.ties[k].position]);
    std::size_t shortest = 0;
    for (std::size_t k = 1; k < ties; ++k)
        if (row(k, image).size() < row(shortest, image).size()) shortest = k;
    auto found = row(shortest, image);
    for (std::size_t k = 0; k < ties; ++k)
        if (k != shortest) found = keep_tied(found, k, image, shared_);
    shared_.resize(found.size());
    return shared_;
}

std::span<const Node> CandidateFinder::keep_fitting(std::span<const Node> candidates,
                                                    const Node* image) {
    if (buffer_.size() < candidates.size()) buffer_.resize(candidates.size());
    std::size_t kept = 0;
    for (Node c : candidates) {
        bool fits = label_fits(c);
        for (int p : step_.apart) fits &= image[p] != c;
        for (const Tie& gap : step_.gaps) {
            const Node v = image[gap.position];
            fits = fits && !(gap.side.way == Way::out ? (*has_arc_)(v, c) : (*has_arc_)(c, v));
        }
        buffer_[kept] = c;
        kept += fits;
    }
    return {buffer_.data(), kept};
}

std::span<const Node> CandidateFinder::find(const Node* image) {
    const std::size_t last = step_.ties.size() - 1;
    std::span<const Node> found;
    if (last == 0) {
        found = between(row(0, image), image);
    } else {
        const auto shared = common(last, image);
        const auto own = row(last, image);
        if (last == 1 && own.size() < shared.size())
            found = keep_tied(between(own, image), 0, image, buffer_);
        else
            found = keep_tied(between(shared, image), last, image, buffer_);
    }
    if (step_.apart.empty() && step_.gaps.empty() && step_.label == kAnyLabel) return found;
    return keep_fitting(found, image);
}

}  // namespace grape
