// Exact number of triangles of an undirected graph.
#pragma once

#include <cstdint>

#include "base/control.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"

namespace grape {

// Time O(m^1.5) and memory O(m), whatever the degrees. The watcher may stop the count by
// throwing.
std::int64_t count_triangles(const GraphView& graph, const Watcher& watcher);

}  // namespace grape
