#include "derivation.hpp"

#include <algorithm>
#include <limits>

#include "symmetry.hpp"

namespace grape {
namespace {

// less[a][b]: every stored instance has image(a) < image(b); transitively closed.
std::vector<std::vector<bool>> known_order(const Template& t) {
    std::vector<std::vector<bool>> less(t.size, std::vector<bool>(t.size, false));
    for (const auto& [a, b] : symmetry_breaking(stabiliser(t), natural_order(t.size)))
        less[a][b] = true;
    for (int k = 0; k < t.size; ++k)
        for (int a = 0; a < t.size; ++a)
            for (int b = 0; b < t.size; ++b)
                if (less[a][k] && less[k][b]) less[a][b] = true;
    return less;
}

}  // namespace

std::unique_ptr<std::uint32_t[]> EgoSink::finish(double& weight) {
    account(collector_.bytes());
    std::int64_t packed = 0;
    auto block = collector_.finish(weight, packed);
    account(packed);
    return block;
}

void EgoSink::account(std::int64_t bytes) {
    control_->add_bytes(bytes - charged_);
    charged_ = bytes;
    const std::int64_t news = collector_.seen() - reported_;
    reported_ += news;
    if (found_->fetch_add(news, std::memory_order_relaxed) + news > control_->budget().instances)
        control_->stop(StopReason::instances);
}

Derivation::Derivation(const Template& parent, const Template& child_template,
                       const std::vector<int>& image)
    : parent_levels(parent.size - 1), child(child_template) {
    const auto order_of_child = symmetry_breaking(stabiliser(child), natural_order(child.size));
    for (int c = 0; c < child.size; ++c)
        if (image[c] < 0) fresh = c;
    if (fresh >= 0) {
        for (int c = 0; c < child.size; ++c) {
            if (c == fresh) continue;
            const bool forth = child.has_arc(c, fresh);
            const bool back = child.directed && child.has_arc(fresh, c);
            if (forth) ties.push_back({c, Side::out});
            if (back) ties.push_back({c, Side::in});
            if (!forth && !back) apart.push_back(c);
        }
        for (const auto& [a, b] : order_of_child) {
            if (b == fresh) smaller.push_back(a);
            if (a == fresh) larger.push_back(b);
        }
    }
    const auto parent_less = known_order(parent);
    for (const Permutation& g : stabiliser(parent)) {
        Route route;
        for (int c = 0; c < child.size; ++c) route.level[c] = c == fresh ? -1 : g[image[c]];
        if (add_checks(parent, image, order_of_child, parent_less, route)) routes.push_back(route);
    }
}

// False if no instance can satisfy the child's order along this route.
bool Derivation::add_checks(const Template& parent, const std::vector<int>& image,
                            const std::vector<std::pair<int, int>>& order_of_child,
                            const std::vector<std::vector<bool>>& parent_less, Route& route) const {
    for (const auto& [a, b] : order_of_child) {
        if (a == fresh || b == fresh) continue;
        const int first = route.level[a], second = route.level[b];
        if (parent_less[second][first]) return false;
        if (!parent_less[first][second])
            route.less[std::max(first, second)].emplace_back(first, second);
    }
    for (int a = 0; a < child.size; ++a)
        for (int b = 0; b < child.size; ++b) {
            if (a == fresh || b == fresh || !child.has_arc(a, b)) continue;
            if (!child.directed && b < a) continue;
            if (parent.has_arc(image[a], image[b])) continue;
            const int first = route.level[a], second = route.level[b];
            route.arcs[std::max(first, second)].emplace_back(first, second);
        }
    return true;
}

bool Derivation::keeps_order() const {
    if (routes.empty()) return true;
    if (routes.size() > 1 || (fresh >= 0 && fresh != child.size - 1)) return false;
    const auto& level = routes[0].level;
    return std::is_sorted(level.begin(), level.begin() + parent_levels + 1);
}

void DerivationWalk::run(Node ego, const EgoTrie& parent, EgoSink& sink) {
    trie_ = &parent;
    sink_ = &sink;
    image_[0] = ego;
    for (const Route& route : plan_.routes) {
        route_ = &route;
        descend(1, 0, parent.count(1));
    }
}

void DerivationWalk::descend(int level, std::uint32_t begin, std::uint32_t end) {
    if (sink_->stopped()) return;
    const Node* nodes = trie_->nodes(level);
    const auto& less = route_->less[level];
    const auto& arcs = route_->arcs[level];
    for (std::uint32_t i = begin; i < end; ++i) {
        image_[level] = nodes[i];
        bool fits = true;
        for (const auto& [a, b] : less) fits &= image_[a] < image_[b];
        for (const auto& [a, b] : arcs) fits = fits && has_arc_(image_[a], image_[b]);
        if (!fits) continue;
        if (level < plan_.parent_levels)
            descend(level + 1, trie_->first(level)[i], trie_->first(level)[i + 1]);
        else
            emit();
    }
}

void DerivationWalk::emit() {
    for (int c = 1; c < plan_.child.size; ++c)
        if (c != plan_.fresh) row_[c] = image_[route_->level[c]];
    if (plan_.fresh < 0)
        sink_->add(&row_[1]);
    else
        extend();
}

// Tries every neighbour of the attachment nodes as the image of the new node.
void DerivationWalk::extend() {
    row_[0] = image_[0];
    std::size_t shortest = 0;
    std::span<const Node> candidates;
    for (std::size_t k = 0; k < plan_.ties.size(); ++k) {
        const auto row = graph_.neighbours(row_[plan_.ties[k].position], plan_.ties[k].side);
        if (k == 0 || row.size() < candidates.size()) {
            candidates = row;
            shortest = k;
        }
    }
    Node above = -1, below = std::numeric_limits<Node>::max();
    for (int c : plan_.smaller) above = std::max(above, row_[c]);
    for (int c : plan_.larger) below = std::min(below, row_[c]);
    auto from = std::upper_bound(candidates.begin(), candidates.end(), above);
    const std::int32_t label = plan_.child.label[plan_.fresh];
    for (; from != candidates.end() && *from < below; ++from) {
        const Node v = *from;
        bool fits = label == kAnyLabel || (graph_.label != nullptr && graph_.label[v] == label);
        for (int c : plan_.apart) fits &= row_[c] != v;
        for (std::size_t k = 0; k < plan_.ties.size() && fits; ++k) {
            if (k == shortest) continue;
            const Node other = row_[plan_.ties[k].position];
            fits = plan_.ties[k].side == Side::out ? has_arc_(other, v) : has_arc_(v, other);
        }
        if (!fits) continue;
        row_[plan_.fresh] = v;
        sink_->add(&row_[1]);
    }
}

}  // namespace grape
