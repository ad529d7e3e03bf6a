// Role matrices from stored instances: C_j[ego, u] counts the instances with u in role j.
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"
#include "instances/instance_table.hpp"

namespace grape {

// `role_of[p]` is the role of template node p; the matrices are those of roles 1, 2, ....
// Nothing if the run was stopped.
std::vector<Csr> table_roles(const InstanceTable& table, const std::vector<int>& role_of,
                             int threads, Control& control, const Watcher& watcher);

}  // namespace grape
