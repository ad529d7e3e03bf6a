// How much work the search of a plan does on a graph, estimated from a few random descents.
//
// Knuth's method ("Estimating the efficiency of backtrack programs", 1975): go down the search
// tree from an ego, at every level to one candidate drawn at random, and count what is done there
// divided by the probability of getting there. The mean over descents is the work of the whole
// search. Egos and candidates are drawn in proportion to their degrees, since that is how the work
// below them grows: hubs are seen as often as they matter.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "matching/plan.hpp"

namespace grape {

// Elementary steps of a whole search, by kind.
struct SearchWork {
    double bound = 0;               // nodes of the core bound to an image
    double derived = 0;             // sorted lists derived from others
    double walked = 0;              // their members merged or looked up
    double gathered = 0;            // ends of 2-walks collected and sorted
    double combined = 0;            // bit sets derived from others
    double words = 0;               // their words
    double decoded = 0;             // words of bit sets turned into lists
    double handed = 0;              // members of a set given a weight
    double finished = 0;            // sizes looked at when the core is complete
    std::vector<double> additions;  // per role: to some entry of the role's matrix
};

// Stops after about `allowance` steps of its own, though not before a few descents. The result is
// the same for the same input.
SearchWork sample_search(const GraphView& graph, const Template& t, const Plan& plan, bool bits,
                         double allowance, Control& control, const Watcher& watcher);

}  // namespace grape
