// ESU (Wernicke 2006): every connected vertex set of the template's size once, then classified.
// The paper's baseline for subgraph matching.
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"
#include "base/template.hpp"

namespace grape {

struct EsuResult {
    std::vector<Csr> roles;            // of roles 1, 2, ...
    std::vector<std::int64_t> totals;  // instances per ego
};

// A directed graph is walked along arcs in either direction. When the control stops the run,
// some vertex sets were not visited and no row can be trusted to be complete: all are empty.
EsuResult esu_roles(const GraphView& graph, const Template& t, bool induced, int threads,
                    Control& control, const Watcher& watcher);

}  // namespace grape
