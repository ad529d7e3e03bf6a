#include "matching/plan.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "matching/plan_cost.hpp"

namespace grape {
namespace {

// A demand on the image of a template node, seen from a matched core level.
struct Constraint {
    bool drop;  // false: must be a neighbour; true: must not be (induced matching)
    int level;
    Side side;
    auto operator<=>(const Constraint&) const = default;
};

bool independent(const Template& t, NodeMask nodes) {
    for (int a = 0; a < t.size; ++a)
        if (((nodes >> a) & 1u) && (t.neighbours(a) & nodes)) return false;
    return true;
}

class PlanBuilder {
  public:
    PlanBuilder(const Template& t, const Group& group, bool induced, bool pairs)
        : t_(t), group_(group), induced_(induced), pairs_(pairs), role_(roles(t, group)) {}

    Plan build(const std::vector<int>& core) {
        plan_ = Plan{};
        known_.clear();
        plan_.core = core;
        NodeMask in_core = 0;
        for (int a : core) in_core |= static_cast<NodeMask>(1u << a);
        for (int a = 0; a < t_.size; ++a)
            if (!((in_core >> a) & 1u)) plan_.tail.push_back(a);
        plan_.num_roles = 1 + *std::max_element(role_.begin(), role_.begin() + t_.size);
        plan_.sets_at.resize(core.size());
        plan_.slots_at.resize(core.size());

        plan_.candidates.assign(1, kNoSet);
        for (int level = 1; level < static_cast<int>(core.size()); ++level)
            plan_.candidates.push_back(candidate_set(level));
        build_blocks();
        build_symmetry(in_core);
        mark_members();
        return plan_;
    }

  private:
    std::vector<Constraint> constraints(const std::vector<int>& nodes, int levels) const {
        std::vector<Constraint> found;
        for (int node : nodes)
            for (int level = 0; level < levels; ++level) {
                const int a = plan_.core[level];
                const auto add = [&](bool arc, Side side) {
                    if (arc || induced_) found.push_back({!arc, level, side});
                };
                add(t_.has_arc(a, node), t_.forth(a, node));
                if (t_.directed) add(t_.has_arc(node, a), t_.back(a, node));
            }
        std::sort(found.begin(), found.end());  // neighbour demands first, then by level
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    int derive(SetStep step) {
        const auto key =
            std::tuple(step.kind, step.source, step.level, step.side, step.second_side, step.label);
        const auto [at, fresh] = known_.try_emplace(key, static_cast<int>(plan_.sets.size()));
        if (fresh) {
            plan_.sets_at[step.ready].push_back(at->second);
            plan_.sets.push_back(std::move(step));
        }
        return at->second;
    }

    // Continues a chain of derived sets by the demands of all the given template nodes at once.
    int common_set(const std::vector<int>& nodes, int levels, int set = kNoSet) {
        std::int32_t label = kAnyLabel;
        for (int node : nodes) {
            if (t_.label[node] == kAnyLabel) continue;
            if (label != kAnyLabel && label != t_.label[node]) return kNoSet;
            label = t_.label[node];
        }
        int ready = set == kNoSet ? 0 : plan_.sets[set].ready;
        NodeMask neighbours = 0;
        for (const auto& [drop, level, side] : constraints(nodes, levels)) {
            ready = std::max(ready, level);
            if (!drop) neighbours |= static_cast<NodeMask>(1u << level);
            const auto kind = set == kNoSet ? SetStep::Kind::row
                              : drop        ? SetStep::Kind::subtract
                                            : SetStep::Kind::intersect;
            set = derive({kind, set, level, side, Side::out, kAnyLabel, ready, false, false, false,
                          possible_members(neighbours)});
        }
        if (label != kAnyLabel)
            set = derive({SetStep::Kind::label, set, 0, Side::out, Side::out, label, ready, false,
                          false, false, possible_members(neighbours)});
        return set;
    }

    int candidate_set(int level) {
        const int node = plan_.core[level];
        NodeMask earlier = 0;
        for (int k = 0; k < level; ++k) earlier |= static_cast<NodeMask>(1u << plan_.core[k]);
        const int start = t_.neighbours(node) & earlier ? kNoSet : two_hop_set(node, level);
        const int set = common_set({node}, level, start);
        plan_.sets[set].required = true;
        return set;
    }

    // Nodes that share a possible image of some node in the middle with an earlier core node.
    int two_hop_set(int node, int levels) {
        for (int level = 0; level < levels; ++level) {
            const int from = plan_.core[level];
            const auto shared = static_cast<NodeMask>(t_.neighbours(node) & t_.neighbours(from));
            if (shared == 0) continue;
            const int middle = std::countr_zero(shared);
            const Side first =
                t_.has_arc(from, middle) ? t_.forth(from, middle) : t_.back(from, middle);
            const Side second =
                t_.has_arc(middle, node) ? t_.forth(middle, node) : t_.back(middle, node);
            return derive({SetStep::Kind::two_hops, kNoSet, level, first, second, kAnyLabel, level,
                           false, false, false, possible_members(0)});
        }
        return kNoSet;
    }

    // A node is never its own neighbour, so only the other core levels can lie in a set.
    std::vector<int> possible_members(NodeMask neighbours) const {
        std::vector<int> levels;
        for (int level = 0; level < static_cast<int>(plan_.core.size()); ++level)
            if (!((neighbours >> level) & 1u)) levels.push_back(level);
        return levels;
    }

    void build_blocks() {
        const int size = static_cast<int>(plan_.tail.size());
        const int levels = static_cast<int>(plan_.core.size());
        plan_.block_set.assign(std::size_t{1} << size, kNoSet);
        for (unsigned mask = 1; mask < plan_.block_set.size(); ++mask) {
            std::vector<int> nodes;
            for (int k = 0; k < size; ++k)
                if ((mask >> k) & 1u) nodes.push_back(plan_.tail[k]);
            const int set = common_set(nodes, levels);
            plan_.block_set[mask] = set;
            if (nodes.size() == 1) plan_.sets[set].required = true;
            if (set != kNoSet && std::ranges::find(plan_.tail_sets, set) == plan_.tail_sets.end())
                plan_.tail_sets.push_back(set);
        }
    }

    void build_symmetry(NodeMask in_core) {
        Group keeps_tail;
        Group on_core;
        for (const auto& g : group_) {
            NodeMask image = 0;
            for (int a : plan_.core) image |= static_cast<NodeMask>(1u << g[a]);
            if (image != in_core) continue;
            keeps_tail.push_back(g);
            Permutation restricted = g;
            for (int a : plan_.tail) restricted[a] = static_cast<std::int8_t>(a);
            if (std::ranges::find(on_core, restricted) == on_core.end())
                on_core.push_back(restricted);
        }
        plan_.above.resize(plan_.core.size());
        plan_.below.resize(plan_.core.size());
        for (const auto& [a, b] : symmetry_breaking(on_core, plan_.core)) {
            const int low = level_of(a);
            const int high = level_of(b);
            if (low < high)
                plan_.above[high].push_back(low);
            else
                plan_.below[low].push_back(high);
        }
        const auto visited = static_cast<std::int64_t>(on_core.size());
        const auto all = static_cast<std::int64_t>(group_.size());
        plan_.total_fraction = Fraction(visited, all);
        plan_.role_fraction.assign(plan_.num_roles, Fraction{});
        if (!pairs_) return;
        for (int role = 1; role < plan_.num_roles; ++role) share_role(role, keeps_tail);
    }

    // One representative per role is enough; a core node costs less than a tail node.
    void share_role(int role, const Group& keeps_tail) {
        int chosen = -1;
        for (int a : plan_.core)
            if (role_[a] == role && chosen < 0) chosen = a;
        for (int a : plan_.tail)
            if (role_[a] == role && chosen < 0) chosen = a;
        NodeMask orbit = 0;
        for (const auto& g : keeps_tail) orbit |= static_cast<NodeMask>(1u << g[chosen]);
        for (int level = 0; level < static_cast<int>(plan_.core.size()); ++level)
            if ((orbit >> plan_.core[level]) & 1u) plan_.core_share.emplace_back(level, role);
        for (int k = 0; k < static_cast<int>(plan_.tail.size()); ++k)
            if ((orbit >> plan_.tail[k]) & 1u) plan_.tail_share.push_back(share_of(k, role));
        const auto members = std::count(role_.begin(), role_.begin() + t_.size, role);
        plan_.role_fraction[role] = Fraction(members * plan_.total_fraction.times,
                                             plan_.total_fraction.over * std::popcount(orbit));
    }

    TailShare share_of(int bit, int role) {
        TailShare share{bit, role, std::vector<int>(plan_.block_set.size(), -1)};
        for (unsigned mask = 1; mask < plan_.block_set.size(); ++mask) {
            const int set = plan_.block_set[mask];
            if (!((mask >> bit) & 1u) || set == kNoSet) continue;
            const auto same = [&](const Slot& s) { return s.set == set && s.role == role; };
            auto at = std::ranges::find_if(plan_.slots, same);
            if (at == plan_.slots.end()) {
                plan_.slots_at[plan_.sets[set].ready].push_back(
                    static_cast<int>(plan_.slots.size()));
                plan_.slots.push_back({set, role});
                at = plan_.slots.end() - 1;
            }
            share.slot[mask] = static_cast<int>(at - plan_.slots.begin());
        }
        return share;
    }

    void mark_members() {
        for (int set : plan_.candidates)
            if (set != kNoSet) plan_.sets[set].members = true;
        for (const Slot& slot : plan_.slots) plan_.sets[slot.set].members = true;
        for (const SetStep& step : plan_.sets) {
            if (step.source == kNoSet) continue;
            SetStep& source = plan_.sets[step.source];
            source.members = true;
            source.probed |= step.kind == SetStep::Kind::intersect && step.ready > source.ready;
        }
    }

    int level_of(int node) const {
        return static_cast<int>(std::ranges::find(plan_.core, node) - plan_.core.begin());
    }

    const Template& t_;
    const Group& group_;
    bool induced_;
    bool pairs_;
    std::array<int, kMaxTemplateNodes> role_;
    Plan plan_;
    std::map<std::tuple<SetStep::Kind, int, int, Side, Side, std::int32_t>, int> known_;
};

// True if the core has a neighbour of `node`, or a neighbour of a neighbour outside the core.
bool reachable(const Template& t, NodeMask in_core, int node, bool in_two_hops) {
    if (t.neighbours(node) & in_core) return true;
    if (!in_two_hops) return false;
    for (int middle = 1; middle < t.size; ++middle)
        if (((t.neighbours(node) >> middle) & 1u) && (t.neighbours(middle) & in_core)) return true;
    return false;
}

// True if a symmetry that fixes the core maps `node` to a smaller one: the plans are the same.
bool has_smaller_twin(const Group& group, const std::vector<int>& core, int node) {
    return std::ranges::any_of(group, [&](const Permutation& g) {
        return g[node] < node && std::ranges::all_of(core, [&](int a) { return g[a] == a; });
    });
}

}  // namespace

Plan make_plan(const Template& t, bool induced, bool pairs, const GraphShape& shape) {
    const Group group = stabiliser(t);
    PlanBuilder builder(t, group, induced, pairs);
    Plan best;
    std::vector<int> core{0};
    const auto explore = [&](const auto& self, NodeMask in_core) -> void {
        const auto rest = static_cast<NodeMask>(t.all_nodes() & ~in_core);
        // Induced tail nodes would have to avoid each other's neighbours: only one is free.
        const bool tail_fits = induced ? std::popcount(rest) <= 1 : independent(t, rest);
        if (tail_fits) {
            Plan plan = builder.build(core);
            plan.cost = expected_cost(plan, shape);
            if (best.core.empty() || plan.cost < best.cost) best = std::move(plan);
        }
        for (int a = 1; a < t.size; ++a) {
            if (((in_core >> a) & 1u) || !reachable(t, in_core, a, !induced)) continue;
            if (has_smaller_twin(group, core, a)) continue;
            core.push_back(a);
            self(self, static_cast<NodeMask>(in_core | (1u << a)));
            core.pop_back();
        }
    };
    explore(explore, 1u);
    return best;
}

std::string describe(const Plan& plan) {
    std::string text = "visit template nodes";
    for (int a : plan.core) text += ' ' + std::to_string(a);
    if (plan.tail.empty()) return text;
    text += "; count the choices of";
    for (int a : plan.tail) text += ' ' + std::to_string(a);
    return text + " without visiting them";
}

}  // namespace grape
