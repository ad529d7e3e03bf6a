// Engine 1: exact role counts by enumeration, parallel over egos (plan, symmetry
// breaking, counting of last vertices).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"
#include "base/template.hpp"

namespace grape {

struct EnumerateOptions {
    bool membership = false;  // weighting "set": 1 where a count is positive
    bool induced = false;
    bool pairs = true;     // false: only the totals per ego
    bool partial = false;  // a stopped run returns the egos it has completed
    int threads = 1;
};

// What every engine returns. Rows of egos that were not completed are empty.
struct RoleCounts {
    std::vector<Csr> roles;              // roles 1, 2, ...
    std::vector<std::int64_t> totals;    // instances per ego
    std::vector<std::uint8_t> complete;  // by ego
};

// Counts around the given egos. After a stop the control tells the reason, and with
// `options.partial` the result holds the egos completed before it. With an instance budget the egos
// are taken in ascending order of degree, and exactly the longest prefix that fits the budget is
// complete, for any number of threads.
RoleCounts enumerate_roles(const GraphView& graph, const Template& t, std::span<const Node> egos,
                           const EnumerateOptions& options, Control& control,
                           const Watcher& watcher);

}  // namespace grape
