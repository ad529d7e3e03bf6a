// The passes of the model's layers against sums written straight from their definitions: empty
// rows, a hub, widths that are no multiple of a vector, one thread and two, vectors of all sizes.
#include "nn/fused_roles.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "base/lanes.hpp"
#include "tests/check.hpp"

using namespace grape;

namespace {

using Numbers = std::vector<double>;

struct Case {
    Node n = 0;
    std::vector<Offset> ptr{0};
    std::vector<Node> idx;
    std::vector<std::int32_t> role, group;
    int num_roles = 0, num_groups = 0;  // of the whole model
    Offset columns = 0;
    bool shared = true;
    Numbers values;
    mutable std::vector<const double*> starts;

    // Node 0 is a hub that reaches everybody; every third node has no members.
    Case(std::mt19937& random, Node nodes, Offset width, bool one_block)
        : n(nodes), columns(width), shared(one_block) {
        num_groups = 1 + static_cast<int>(random() % 5);
        for (int g = 0; g < num_groups; ++g)
            for (unsigned k = 0; k < 1 + random() % 3; ++k) {
                if (random() % 4 != 0) {
                    role.push_back(num_roles);
                    group.push_back(g);
                }
                ++num_roles;
            }
        for (Node v = 0; v < n; ++v) {
            for (Node u = 0; v % 3 != 2 && u < n; ++u)
                if (v == 0 || random() % 5 == 0) idx.push_back(u);
            ptr.push_back(static_cast<Offset>(idx.size()));
        }
        for (std::size_t e = 0; e < idx.size() * role.size(); ++e)
            values.push_back(static_cast<double>(random() % 7));
    }

    FusedRoles<double> view() const {
        FusedRoles<double> roles;
        roles.num_rows = roles.num_columns = n;
        roles.ptr = ptr.data();
        roles.idx = idx.data();
        roles.num_roles = static_cast<int>(role.size());
        roles.num_groups = num_groups;
        roles.role = role.data();
        roles.group = group.data();
        starts.clear();
        for (std::size_t r = 0; r < role.size(); ++r)
            starts.push_back(values.data() + r * idx.size());
        roles.values = starts.data();
        roles.columns = columns;
        roles.shared = shared;
        return roles;
    }

    // Where the features of a node and group begin.
    Offset at(Node u, int g) const {
        return shared ? u * columns : (static_cast<Offset>(u) * num_groups + g) * columns;
    }
    Offset out(Node v, int g) const { return (static_cast<Offset>(v) * num_groups + g) * columns; }
};

Numbers draw(std::mt19937& random, Offset size) {
    std::normal_distribution<double> normal;
    Numbers numbers(static_cast<std::size_t>(size));
    for (double& x : numbers) x = normal(random);
    return numbers;
}

bool close(const Numbers& a, const Numbers& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) <= 1e-9 * (1 + std::abs(b[i])))) return false;
    return a.size() == b.size();
}

void check_case(std::mt19937& random, const Case& c, bool with_ego) {
    const Offset outputs = static_cast<Offset>(c.n) * c.num_groups * c.columns;
    const Offset inputs = c.shared ? c.n * c.columns : outputs;
    const auto roles = static_cast<Offset>(c.role.size()), entries = c.ptr[c.n];
    const Numbers ego = draw(random, c.num_groups), scale = draw(random, c.num_roles * c.n);
    const Numbers h = draw(random, inputs), grad = draw(random, outputs);
    // Without egos a pass adds to what is there.
    const Numbers before = draw(random, outputs), before_h = draw(random, inputs);
    Numbers out = before, grad_h = before_h;
    if (with_ego) out.assign(out.size(), 0.0), grad_h.assign(grad_h.size(), 0.0);
    Numbers sums(static_cast<std::size_t>(c.n * roles * c.columns), 0.0);
    Numbers grad_ego(static_cast<std::size_t>(c.num_groups), 0.0);
    Numbers grad_scale(scale.size(), -1.0);  // rows of roles that are not here stay as they are
    for (Offset r = 0; r < roles; ++r)
        for (Node v = 0; v < c.n; ++v) grad_scale[c.role[r] * c.n + v] = 0;
    for (Node v = 0; v < c.n; ++v)
        for (Offset k = 0; k < c.columns; ++k) {
            for (int g = 0; with_ego && g < c.num_groups; ++g) {
                out[c.out(v, g) + k] += ego[g] * h[c.at(v, g) + k];
                grad_h[c.at(v, g) + k] += ego[g] * grad[c.out(v, g) + k];
                grad_ego[g] += grad[c.out(v, g) + k] * h[c.at(v, g) + k];
            }
            for (Offset r = 0; r < roles; ++r)
                for (Offset e = c.ptr[v]; e < c.ptr[v + 1]; ++e) {
                    const double value = c.values[r * entries + e];
                    const double weight = scale[c.role[r] * c.n + v];
                    const Offset from = c.at(c.idx[e], c.group[r]) + k;
                    const Offset to = c.out(v, c.group[r]) + k;
                    sums[(v * roles + r) * c.columns + k] += value * h[from];
                    out[to] += weight * value * h[from];
                    grad_h[from] += weight * value * grad[to];
                    grad_scale[c.role[r] * c.n + v] += value * h[from] * grad[to];
                }
        }
    const double* const egos = with_ego ? ego.data() : nullptr;
    for (int threads = 1; threads <= 2; ++threads) {
        Numbers found = before, kept(sums.size()), by_h = before_h;
        Numbers by_ego(grad_ego.size(), 0.0), by_scale(scale.size(), -1.0);
        fused_forward(c.view(), egos, scale.data(), h.data(), kept.data(), found.data(), threads);
        CHECK(close(found, out));
        CHECK(close(kept, sums));
        found = before;
        fused_forward<double>(c.view(), egos, scale.data(), h.data(), nullptr, found.data(),
                              threads);
        CHECK(close(found, out));
        fused_backward_features(c.view(), egos, scale.data(), grad.data(), by_h.data(), threads);
        CHECK(close(by_h, grad_h));
        fused_backward_weights(c.view(), h.data(), kept.data(), grad.data(),
                               with_ego ? by_ego.data() : nullptr, by_scale.data());
        CHECK(close(by_ego, grad_ego));
        CHECK(close(by_scale, grad_scale));
    }
}

// Large enough for threads: every bit has to be the same with one and with two.
void check_threads(std::mt19937& random) {
    const Case c(random, 600, 64, true);
    const Numbers ego = draw(random, c.num_groups), scale = draw(random, c.num_roles * c.n);
    const Numbers h = draw(random, c.n * c.columns);
    Numbers one(static_cast<std::size_t>(c.n * c.num_groups * c.columns)), two(one);
    fused_forward<double>(c.view(), ego.data(), scale.data(), h.data(), nullptr, one.data(), 1);
    fused_forward<double>(c.view(), ego.data(), scale.data(), h.data(), nullptr, two.data(), 2);
    CHECK(one == two);
    Numbers by_one(h.size()), by_two(h.size());
    fused_backward_features<double>(c.view(), ego.data(), scale.data(), one.data(), by_one.data(),
                                    1);
    fused_backward_features<double>(c.view(), ego.data(), scale.data(), one.data(), by_two.data(),
                                    3);
    CHECK(by_one == by_two);
}

}  // namespace

int main() {
    for (int bytes = 16; bytes <= widest_lanes(); bytes *= 2) {
        use_lanes(bytes);
        CHECK(lanes_in_use() == bytes);
        std::mt19937 random(7);
        for (const Offset columns : {1, 3, 7, 8, 9, 16, 31, 32, 33, 45, 64, 71})
            for (const bool shared : {true, false})
                for (const bool with_ego : {true, false}) {
                    const auto nodes = static_cast<Node>(random() % 40);
                    check_case(random, Case(random, nodes, columns, shared), with_ego);
                }
        check_threads(random);
    }
}
