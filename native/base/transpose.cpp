#include "base/transpose.hpp"

namespace grape {

TransposedPattern transpose(const SparseRows<double>& pattern, Control& control,
                            const Watcher& watcher) {
    const Node n = pattern.num_rows;
    const Offset entries = pattern.ptr[n];
    TransposedPattern out;
    if (!control.add_bytes(12 * entries + std::int64_t{16} * n)) return out;
    Lookout lookout(n, control, watcher);
    out.ptr.assign(static_cast<std::size_t>(n) + 1, 0);
    out.idx.resize(static_cast<std::size_t>(entries));
    out.origin.resize(static_cast<std::size_t>(entries));
    for (Offset e = 0; e < entries; ++e) ++out.ptr[pattern.idx[e] + 1];
    for (Node c = 0; c < n; ++c) out.ptr[c + 1] += out.ptr[c];
    std::vector<Offset> next(out.ptr.begin(), out.ptr.end() - 1);
    // Rows are visited in order, so every row of the transpose fills in ascending order.
    for (Node r = 0; r < n; ++r) {
        for (Offset e = pattern.ptr[r]; e < pattern.ptr[r + 1]; ++e) {
            if (lookout.stopped()) return {};
            const Offset place = next[pattern.idx[e]]++;
            out.idx[place] = r;
            out.origin[place] = e;
        }
    }
    return out;
}

}  // namespace grape
