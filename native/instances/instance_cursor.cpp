#include "instances/instance_cursor.hpp"

#include "base/symmetry.hpp"

namespace grape {

InstanceCursor::InstanceCursor(const GraphView& graph, const EdgeTest& has_arc, const Template& t,
                               bool induced, Node first, Node last)
    : size_(t.size), next_ego_(first), last_ego_(last) {
    const Permutation order = canonical_order(t);
    for (auto& step : instance_plan(t, {order.begin(), order.begin() + t.size}, induced))
        finders_.emplace_back(graph, has_arc, std::move(step));
}

void InstanceCursor::open(int depth) {
    depth_ = depth;
    candidates_[depth] = finders_[depth].find(image_.data());
    taken_[depth] = 0;
}

void InstanceCursor::emit(std::vector<Node>& rows) {
    const std::size_t start = rows.size();
    rows.resize(start + static_cast<std::size_t>(size_));
    for (int p = 0; p < size_; ++p) rows[start + finders_[p].step().node] = image_[p];
}

bool InstanceCursor::next_batch(std::int64_t max_rows, std::int64_t max_steps,
                                std::vector<Node>& rows) {
    std::int64_t found = 0;
    for (std::int64_t steps = 0; found < max_rows && steps < max_steps; ++steps) {
        if (depth_ == 0) {
            if (next_ego_ >= last_ego_) return false;
            image_[0] = next_ego_++;
            if (finders_[0].label_fits(image_[0])) open(1);
        } else if (taken_[depth_] == candidates_[depth_].size()) {
            --depth_;
        } else {
            image_[depth_] = candidates_[depth_][taken_[depth_]++];
            if (depth_ + 1 < size_) {
                open(depth_ + 1);
                steps += static_cast<std::int64_t>(candidates_[depth_].size());
            } else {
                emit(rows);
                ++found;
            }
        }
    }
    return true;
}

}  // namespace grape
