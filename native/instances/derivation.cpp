#include "instances/derivation.hpp"

#include <algorithm>

#include "base/symmetry.hpp"

namespace grape {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

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

// Adds the child's order to the route; false if no stored instance can satisfy it.
bool add_order(const Pairs& child_less, const std::vector<std::vector<bool>>& parent_less,
               int fresh, Route& route) {
    for (const auto& [a, b] : child_less) {
        const int first = route.level[a], second = route.level[b];
        if (b == fresh) {
            route.extension.smaller.push_back(first);
        } else if (a == fresh) {
            route.extension.larger.push_back(second);
        } else if (parent_less[second][first]) {
            return false;
        } else if (!parent_less[first][second]) {
            if (first < second)
                route.filter[second].smaller.push_back(first);
            else
                route.filter[first].larger.push_back(second);
        }
    }
    return true;
}

// Adds the edges that the parent lacks.
void add_edges(const Template& parent, const Template& child, const std::vector<int>& image,
               int fresh, Route& route) {
    const auto tie = [](InstanceStep& step, int level, Side side) {
        step.ties.push_back({level, side});
    };
    for (int a = 0; a < child.size; ++a)
        for (int b = 0; b < child.size; ++b) {
            if (a == b || !child.has_arc(a, b) || (!child.directed && b < a)) continue;
            if (b == fresh)
                tie(route.extension, route.level[a], child.forth(a, b));
            else if (a == fresh)
                tie(route.extension, route.level[b], child.back(b, a));
            else if (!parent.has_arc(image[a], image[b])) {
                const int from = route.level[a], to = route.level[b];
                tie(route.filter[std::max(from, to)], std::min(from, to),
                    from < to ? child.forth(a, b) : child.back(b, a));
            }
        }
    std::ranges::stable_sort(route.extension.ties, {}, &Tie::position);
}

}  // namespace

Derivation::Derivation(const Template& parent, const Template& child, const std::vector<int>& image)
    : parent_levels(parent.size - 1), child_size(child.size) {
    for (int c = 0; c < child.size; ++c)
        if (image[c] < 0) fresh = c;
    const Pairs child_less = symmetry_breaking(stabiliser(child), natural_order(child.size));
    const auto parent_less = known_order(parent);
    for (const Permutation& g : stabiliser(parent)) {
        Route route;
        for (int c = 0; c < child.size; ++c) route.level[c] = c == fresh ? -1 : g[image[c]];
        if (!add_order(child_less, parent_less, fresh, route)) continue;
        add_edges(parent, child, image, fresh, route);
        if (fresh >= 0) {
            route.extension.label = child.label[fresh];
            for (int c = 0; c < child.size; ++c)
                if (c != fresh && !((child.neighbours(fresh) >> c) & 1u))
                    route.extension.apart.push_back(route.level[c]);
        }
        routes.push_back(std::move(route));
    }
}

bool Derivation::keeps_order() const {
    if (routes.empty()) return true;
    if (routes.size() > 1 || (fresh >= 0 && fresh != child_size - 1)) return false;
    const auto& level = routes[0].level;
    return std::is_sorted(level.begin(), level.begin() + parent_levels + 1);
}

DerivationWalk::DerivationWalk(const GraphView& graph, const EdgeTest& has_arc,
                               const Derivation& derivation)
    : has_arc_(&has_arc), plan_(&derivation) {
    if (derivation.fresh >= 0)
        for (const Route& route : derivation.routes)
            extensions_.emplace_back(graph, has_arc, route.extension);
}

void DerivationWalk::run(Node ego, const EgoTrie& parent, EgoSink& sink) {
    trie_ = &parent;
    sink_ = &sink;
    image_[0] = row_[0] = ego;
    for (route_ = 0; route_ < plan_->routes.size(); ++route_) descend(1, 0, parent.count(1));
}

namespace {

// The numbers from `first` to before `last`; clang before 16 does not compile std::views::iota.
struct Numbers {
    struct Iterator {
        std::uint32_t at;

        std::uint32_t operator*() const { return at; }
        Iterator& operator++() {
            ++at;
            return *this;
        }
        bool operator==(const Iterator&) const = default;
    };
    Iterator first, last;

    Iterator begin() const { return first; }
    Iterator end() const { return last; }
};

}  // namespace

// The entries [begin, end) of a level that satisfy the new edges, as a list.
std::span<const std::uint32_t> DerivationWalk::keep_tied(int level, std::uint32_t begin,
                                                         std::uint32_t end) {
    const Node* nodes = trie_->nodes(level);
    auto& kept = kept_[level];
    if (kept.size() < end - begin) kept.resize(end - begin);
    std::size_t count = 0;
    const auto node_of = [nodes](std::uint32_t i) { return nodes[i]; };
    const auto& ties = plan_->routes[route_].filter[level].ties;
    for (std::size_t k = 0; k < ties.size(); ++k) {
        const Node v = image_[ties[k].position];
        count = k == 0 ? has_arc_->keep_tied(v, ties[k].side, Numbers{{begin}, {end}}, node_of,
                                             kept.data())
                       : has_arc_->keep_tied(v, ties[k].side, std::span(kept.data(), count),
                                             node_of, kept.data());
    }
    return {kept.data(), count};
}

void DerivationWalk::descend(int level, std::uint32_t begin, std::uint32_t end) {
    if (sink_->stopped()) return;
    const Node* nodes = trie_->nodes(level);
    const InstanceStep& filter = plan_->routes[route_].filter[level];
    // Siblings are sorted, so an order between images is a range of entries.
    for (int p : filter.smaller)
        begin = static_cast<std::uint32_t>(std::upper_bound(nodes + begin, nodes + end, image_[p]) -
                                           nodes);
    for (int p : filter.larger)
        end = static_cast<std::uint32_t>(std::lower_bound(nodes + begin, nodes + end, image_[p]) -
                                         nodes);
    const bool last = level == plan_->parent_levels;
    if (filter.ties.empty()) {
        if (last) return finish({nodes + begin, nodes + end});
        for (std::uint32_t i = begin; i < end; ++i) {
            image_[level] = nodes[i];
            descend(level + 1, trie_->first(level)[i], trie_->first(level)[i + 1]);
        }
        return;
    }
    const auto kept = keep_tied(level, begin, end);
    if (last) {
        leaves_.clear();
        for (std::uint32_t i : kept) leaves_.push_back(nodes[i]);
        return finish(leaves_);
    }
    for (std::uint32_t i : kept) {
        image_[level] = nodes[i];
        descend(level + 1, trie_->first(level)[i], trie_->first(level)[i + 1]);
    }
}

// All levels but the last are matched; `leaves` are the nodes the last one may take.
void DerivationWalk::finish(std::span<const Node> leaves) {
    const Route& route = plan_->routes[route_];
    int leaf_place = 0;
    for (int c = 1; c < plan_->child_size; ++c) {
        if (c == plan_->fresh) continue;
        if (route.level[c] == plan_->parent_levels)
            leaf_place = c;
        else
            row_[c] = image_[route.level[c]];
    }
    if (plan_->fresh < 0) return sink_->add(&row_[1], leaf_place - 1, leaves);
    for (Node leaf : leaves) {
        row_[leaf_place] = image_[plan_->parent_levels] = leaf;
        sink_->add(&row_[1], plan_->fresh - 1, extensions_[route_].find(image_.data()));
    }
}

}  // namespace grape
