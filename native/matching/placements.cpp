#include "matching/placements.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/symmetry.hpp"

namespace grape {
namespace {

bool key_has_arc(const SubgraphKey& key, int from, int to) {
    const int i = std::min(from, to), j = std::max(from, to);
    const int bit = 2 * (j * (j - 1) / 2 + i) + (from > to);
    return (key.arcs >> bit) & 1u;
}

}  // namespace

PlacementCache::PlacementCache(const Template& t, bool induced) : t_(t), induced_(induced) {
    const Group group = stabiliser(t);
    role_ = roles(t, group);
    num_roles_ = *std::max_element(role_.begin(), role_.begin() + t.size);
    for (const auto& [a, b] : symmetry_breaking(group, natural_order(t.size)))
        smaller_[b] |= static_cast<NodeMask>(1u << a);
    for (int a = 0; a < t.size; ++a)
        if (t.label[a] != kAnyLabel) labels_.push_back(t.label[a]);
    std::sort(labels_.begin(), labels_.end());
    labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
    for (const auto& row : t.type)
        for (const EdgeType type : row)
            if (type != kAnyType && std::ranges::find(types_, type) == types_.end())
                types_.push_back(type);
}

std::uint64_t PlacementCache::number_of(const TypeGrid& grid) {
    const auto [at, fresh] = numbers_.try_emplace(grid, grids_.size());
    if (fresh) grids_.push_back(grid);
    return at->second;
}

std::uint64_t PlacementCache::label_class(std::int32_t label) const {
    const auto at = std::lower_bound(labels_.begin(), labels_.end(), label);
    if (at == labels_.end() || *at != label) return 0;
    return static_cast<std::uint64_t>(at - labels_.begin()) + 1;
}

Placements& PlacementCache::of(const SubgraphKey& key) {
    const auto found = found_.find(key);
    if (found != found_.end()) return found->second;
    return found_.emplace(key, compute(key)).first->second;
}

Placements** PlacementCache::by_last_arcs(const SubgraphKey& set) {
    constexpr int kMostBits = 8;
    const int bits = 2 * (t_.size - 1);
    if (bits > kMostBits || !labels_.empty() || !types_.empty()) return nullptr;
    auto& list = by_last_arcs_[set];
    if (list.empty()) list.resize(std::size_t{1} << bits, nullptr);
    return list.data();
}

// Whether the arc that stands for the template's arc from -> to has the type it asks for.
bool PlacementCache::type_fits(const SubgraphKey& key, const Map& map, int from, int to) const {
    const EdgeType asked = t_.type[from][to];
    if (asked == kAnyType) return true;
    const auto place = std::ranges::find(types_, asked) - types_.begin();
    return grids_[key.types][kMaxTemplateNodes * map[from] + map[to]] == place + 1;
}

bool PlacementCache::fits(const SubgraphKey& key, const Map& map, int node) const {
    const int at = map[node];
    if (t_.label[node] != kAnyLabel &&
        label_class(t_.label[node]) != ((key.labels >> (4 * at)) & 15u))
        return false;
    for (int earlier = 0; earlier < node; ++earlier) {
        const bool forth = key_has_arc(key, map[earlier], at);
        const bool back = key_has_arc(key, at, map[earlier]);
        const bool needs_forth = t_.has_arc(earlier, node), needs_back = t_.has_arc(node, earlier);
        if ((needs_forth && !forth) || (needs_back && !back)) return false;
        if (induced_ && (needs_forth != forth || needs_back != back)) return false;
        if (needs_forth && !type_fits(key, map, earlier, node)) return false;
        if (needs_back && !type_fits(key, map, node, earlier)) return false;
        if (((smaller_[node] >> earlier) & 1u) && map[earlier] > at) return false;
    }
    return true;
}

void PlacementCache::place(const SubgraphKey& key, Map& map, int node, NodeMask used,
                           std::vector<Map>& found) const {
    if (node == t_.size) {
        found.push_back(map);
        return;
    }
    for (int at = 0; at < t_.size; ++at) {
        if ((used >> at) & 1u) continue;
        map[node] = at;
        if (fits(key, map, node))
            place(key, map, node + 1, static_cast<NodeMask>(used | (1u << at)), found);
    }
}

// Equal pairs are joined, so that a subgraph costs its pairs and not its instances.
Placements PlacementCache::compute(const SubgraphKey& key) const {
    std::vector<Map> found;
    Map map{};
    place(key, map, 0, 0, found);

    Placements out;
    out.any = !found.empty();
    const int last = t_.size - 1;
    std::map<std::tuple<int, int, int>, int> inside;
    std::map<int, std::vector<std::int64_t>> with_last;
    for (const Map& instance : found) {
        const int ego = instance[0];
        ++out.instances[ego];
        for (int node = 1; node < t_.size; ++node) {
            const int other = instance[node], role = role_[node] - 1;
            if (ego != last && other != last) {
                ++inside[{ego, other, role}];
                continue;
            }
            auto& counters = with_last[ego == last ? other : ego];
            counters.resize(2 * num_roles_, 0);
            ++counters[ego == last ? num_roles_ + role : role];
        }
    }
    for (const auto& [pair, count] : inside)
        out.inside.push_back({static_cast<std::uint8_t>(std::get<0>(pair)),
                              static_cast<std::uint8_t>(std::get<1>(pair)),
                              static_cast<std::uint8_t>(std::get<2>(pair)), count});
    for (const auto& [position, counters] : with_last) {
        out.partners.push_back(static_cast<std::uint8_t>(position));
        out.with_last.insert(out.with_last.end(), counters.begin(), counters.end());
    }
    return out;
}

}  // namespace grape
