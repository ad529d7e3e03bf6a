#include "role_rows.hpp"

#include <algorithm>

namespace grape {

RowCounter::RowCounter(int num_roles, Node num_nodes)
    : dense_(num_roles, std::vector<std::int64_t>(num_nodes, 0)), touched_(num_roles), scan_(num_roles, 0) {}

void RowCounter::take(int role, std::vector<Node>& idx, std::vector<std::int64_t>& value) {
    auto& dense = dense_[role];
    auto& touched = touched_[role];
    // Reading the whole array beats sorting once a fair part of it is in use.
    if (scan_[role] || touched.size() > dense.size() / 16) {
        touched.clear();
        for (std::size_t u = 0; u < dense.size(); ++u)
            if (dense[u] != 0) touched.push_back(static_cast<Node>(u));
    } else {
        std::sort(touched.begin(), touched.end());
    }
    for (Node u : touched) {
        idx.push_back(u);
        value.push_back(dense[u]);
        dense[u] = 0;
    }
    touched.clear();
    scan_[role] = 0;
}

RoleRows::RoleRows(int num_roles, Node num_nodes, int workers)
    : num_nodes_(num_nodes),
      place_(num_roles, std::vector<Place>(num_nodes)),
      heap_(num_roles, std::vector<Heap>(workers)) {}

void RoleRows::store(int worker, Node ego, RowCounter& counter, Control& control) {
    std::int64_t entries = 0;
    for (std::size_t role = 0; role < heap_.size(); ++role) {
        Heap& heap = heap_[role][worker];
        Place& place = place_[role][ego];
        place = {worker, heap.idx.size(), 0};
        counter.take(static_cast<int>(role), heap.idx, heap.value);
        place.end = heap.idx.size();
        entries += static_cast<std::int64_t>(place.end - place.begin);
    }
    control.add_bytes(12 * entries);
}

CsrMatrix RoleRows::matrix(int role) const {
    CsrMatrix out;
    out.ptr.assign(static_cast<std::size_t>(num_nodes_) + 1, 0);
    for (Node ego = 0; ego < num_nodes_; ++ego) {
        const Place& place = place_[role][ego];
        out.ptr[ego + 1] = out.ptr[ego] + static_cast<Offset>(place.end - place.begin);
    }
    out.idx.reserve(out.ptr.back());
    out.value.reserve(out.ptr.back());
    for (const Place& place : place_[role]) {
        if (place.worker < 0) continue;
        const Heap& heap = heap_[role][place.worker];
        out.idx.insert(out.idx.end(), heap.idx.begin() + place.begin, heap.idx.begin() + place.end);
        out.value.insert(out.value.end(), heap.value.begin() + place.begin,
                         heap.value.begin() + place.end);
    }
    return out;
}

}  // namespace grape
