// How a template will be searched around an ego: the compiled form of one template.
//
// The template's nodes are split into a *core*, which holds the anchor and is matched node by
// node (each core node is adjacent to an earlier one, or two steps away), and a *tail* of pairwise
// non-adjacent nodes, which are never visited one by one: once the core is matched, the possible
// images of each tail node form a set, and the number of injective choices from these sets follows
// from their intersections (see completions.hpp).
//
// Let G be the anchor's stabiliser, and H the subgroup that maps the tail onto itself. Core maps
// that differ by an element of H have equally many completions, so only one of them is visited
// (`less` restrictions). What is missing is put back at the end by one exact fraction per role.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/graph.hpp"
#include "base/symmetry.hpp"
#include "base/template.hpp"

namespace grape {

constexpr int kNoSet = -1;

// One set of graph nodes, derived from another when the core node at `level` has been matched.
struct SetStep {
    enum class Kind : std::uint8_t { row, two_hops, intersect, subtract, label };

    Kind kind;
    int source;                 // the set it is derived from; kNoSet for the first of a chain
    int level;                  // core level whose neighbours are meant; unused for `label`
    Side side;                  // which of its neighbours
    Side second_side;           // for Kind::two_hops: which neighbours of those
    std::int32_t label;         // for Kind::label: the label to keep
    int ready;                  // the level after which the set is known
    bool members;               // false: only its size is asked for
    bool required;              // empty means that there is no match below
    bool probed;                // intersected many times before it changes
    std::vector<int> may_hold;  // core levels whose image could be a member
};

// A weight added to every member of a set, for one role, when `set.ready` is left.
struct Slot {
    int set;
    int role;
};

// Tail node `bit` contributes to `role`; slot[mask] is where its share from block `mask` goes.
struct TailShare {
    int bit;
    int role;
    std::vector<int> slot;
};

// A role's visited count times `times` divided by `over` is its true count.
struct Fraction {
    std::int64_t times;
    std::int64_t over;

    Fraction() : Fraction(1, 1) {}
    Fraction(std::int64_t numerator, std::int64_t denominator)
        : times(numerator / std::gcd(numerator, denominator)),
          over(denominator / std::gcd(numerator, denominator)) {}

    // Divisions of 128-bit numbers are slow, and most fractions are one.
    __int128 of(__int128 visited) const { return times == over ? visited : visited * times / over; }
};

struct Plan {
    std::vector<int> core;  // template node at each level; core[0] is the anchor
    std::vector<int> tail;
    int num_roles = 0;

    std::vector<SetStep> sets;
    std::vector<std::vector<int>> sets_at;        // sets to derive after each level
    std::vector<int> candidates;                  // set for each level; level 0 has none
    std::vector<std::vector<int>> above;          // earlier levels that must be smaller
    std::vector<std::vector<int>> below;          // earlier levels that must be larger
    std::vector<int> block_set;                   // by mask of tail nodes; kNoSet: empty
    std::vector<int> tail_sets;                   // the distinct sets among block_set
    std::vector<std::pair<int, int>> core_share;  // (level, role)
    std::vector<TailShare> tail_share;
    std::vector<Slot> slots;
    std::vector<std::vector<int>> slots_at;  // slots to flush when a level is left
    std::vector<Fraction> role_fraction;     // by role
    Fraction total_fraction;                 // for the number of instances
    double cost = 0;                         // expected elementary steps per ego
};

struct GraphShape;

// The cheapest plan by estimate. `pairs` is false when only totals per ego are wanted.
Plan make_plan(const Template& t, bool induced, bool pairs, const GraphShape& shape);

// One paragraph in plain words, for EXPLAIN-like output.
std::string describe(const Plan& plan);

}  // namespace grape
