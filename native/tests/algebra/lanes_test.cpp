// Products with features at every register width, not only this processor's widest.
#include "base/lanes.hpp"

#include <cmath>

#include "algebra/dense_product.cpp"
#include "algebra/single_product.cpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

constexpr int kNodes = 60;
constexpr double kUnit = 1.0 / (1 << 24);

// A hub that knows everybody, nodes 50.. that know nobody but the hub, node 59 that knows nobody.
Arcs arcs_with_a_hub() {
    Arcs arcs = random_arcs(50, false, 0.2, 7);
    for (int v = 1; v < kNodes - 1; ++v) arcs.emplace_back(0, v);
    return arcs;
}

// Runs a product at every width that this processor has.
template <class Product>
void at_all_widths(const Product& product) {
    for (int bytes = 16; bytes <= widest_lanes(); bytes *= 2) {
        use_lanes(bytes);
        product();
    }
}

// The double precision kernel against sums written out; integers below 2^53 come out exactly.
template <class T>
void check_dense(const GraphView& g, Offset columns) {
    std::vector<T> values(g.out_ptr[kNodes]), weight(kNodes), dense(kNodes * columns);
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<T>(e % 13);
    for (int v = 0; v < kNodes; ++v) weight[v] = static_cast<T>(v % 7);
    for (std::size_t k = 0; k < dense.size(); ++k) dense[k] = static_cast<T>(k % 101);
    Control control{Budget{}};
    for (const bool has_values : {false, true}) {
        for (const T* diagonal : {static_cast<T*>(nullptr), weight.data()}) {
            const SparseRows<T> matrix{kNodes, g.out_ptr, g.out_idx,
                                       has_values ? values.data() : nullptr};
            DenseProduct<T> job{matrix,   diagonal,     diagonal, dense.data(),
                                diagonal, dense.data(), columns,  diagonal != nullptr,
                                nullptr};
            std::vector<std::vector<T>> results;
            at_all_widths([&] {
                results.emplace_back(dense.size(), T{5});
                job.out = results.back().data();
                dense_product(job, 1, control, {});
            });
            for (Node v = 0; v < kNodes; ++v) {
                for (Offset k = 0; k < columns; ++k) {
                    T sum{0};
                    for (Offset e = g.out_ptr[v]; e < g.out_ptr[v + 1]; ++e) {
                        const Node u = g.out_idx[e];
                        sum += matrix.value(e) * (diagonal ? weight[u] : T{1}) *
                               dense[u * columns + k];
                    }
                    if (diagonal) sum = T{5} + weight[v] * (sum + dense[v * columns + k]);
                    for (const auto& result : results) CHECK(result[v * columns + k] == sum);
                }
            }
        }
    }
}

// The single precision kernel within its documented error.
void check_single(const GraphView& g, Offset columns) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<double> values(g.out_ptr[kNodes]), weight(kNodes);
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = 1e9 / (1 + e);
    for (int v = 0; v < kNodes; ++v) weight[v] = v * 1.7;
    std::vector<float> dense(kNodes * columns), minus(dense.size());
    for (float& x : dense) x = normal(random);
    for (float& x : minus) x = normal(random);
    Control control{Budget{}};
    for (const int variant : {0, 1, 2, 3, 4}) {
        const bool less_own = variant == 4;
        const double* diagonal = variant >= 2 && !less_own ? weight.data() : nullptr;
        const SparseRows<double> matrix{kNodes, g.out_ptr, g.out_idx,
                                        variant % 2 == 1 ? values.data() : nullptr};
        SingleProduct job{
            matrix,  diagonal, diagonal, dense.data(), less_own ? minus.data() : nullptr,
            columns, 3.0,      nullptr};
        std::vector<std::vector<float>> results;
        at_all_widths([&] {
            results.emplace_back(dense.size(), NAN);
            job.out = results.back().data();
            single_product(job, 2, control, {});
        });
        for (Node v = 0; v < kNodes; ++v) {
            for (Offset k = 0; k < columns; ++k) {
                double sum = 0, size = 0;
                for (Offset e = g.out_ptr[v]; e < g.out_ptr[v + 1]; ++e) {
                    const Node u = g.out_idx[e];
                    const double entry =
                        matrix.value(e) * (diagonal ? weight[u] * weight[v] : 1.0) / 3.0;
                    const double own = less_own ? minus[v * columns + k] : 0.0;
                    sum += entry * (dense[u * columns + k] - own);
                    size += entry * std::abs(dense[u * columns + k] - own);
                }
                for (const auto& result : results)
                    CHECK(std::abs(result[v * columns + k] - sum) <= 12 * kUnit * size);
            }
        }
    }
}

// Two products of one pass: each within the same error, and the plain one as it is alone.
void check_both(const GraphView& g, Offset columns) {
    std::mt19937 random(4);
    std::normal_distribution<float> normal;
    std::vector<double> left(kNodes), right(kNodes);
    for (int v = 0; v < kNodes; ++v) left[v] = 1.0 / (1 + v);
    for (int v = 0; v < kNodes; ++v) right[v] = v * 1e7 / 3;  // no number in single precision
    std::vector<float> dense(kNodes * columns + 1);
    for (float& x : dense) x = normal(random);
    const SparseRows<double> matrix{kNodes, g.out_ptr, g.out_idx, nullptr};
    Control control{Budget{}};
    // One of the two beginnings is not that of a cache line.
    for (const float* features : {dense.data(), dense.data() + 1}) {
        std::vector<std::vector<float>> results, plains, alones;
        SingleProduct job{matrix,  left.data(), right.data(), features,
                          nullptr, columns,     3.0,          nullptr};
        at_all_widths([&] {
            job.out = results.emplace_back(dense.size(), NAN).data();
            job.plain = plains.emplace_back(dense.size(), NAN).data();
            single_product(job, 2, control, {});
            float* const alone = alones.emplace_back(dense.size(), NAN).data();
            single_product({matrix, nullptr, nullptr, features, nullptr, columns, 1.0, alone}, 1,
                           control, {});
        });
        for (Node v = 0; v < kNodes; ++v) {
            for (Offset k = 0; k < columns; ++k) {
                const Offset place = v * columns + k;
                double sum = 0, size = 0, plain = 0, plain_size = 0;
                for (Offset e = g.out_ptr[v]; e < g.out_ptr[v + 1]; ++e) {
                    const Node u = g.out_idx[e];
                    const double feature = features[u * columns + k];
                    plain += feature;
                    plain_size += std::abs(feature);
                    sum += left[v] * right[u] / 3.0 * feature;
                    size += left[v] * right[u] / 3.0 * std::abs(feature);
                }
                for (const auto& result : results)
                    CHECK(std::abs(result[place] - sum) <= 12 * kUnit * size);
                for (const auto& result : plains)
                    CHECK(std::abs(result[place] - plain) <= 12 * kUnit * plain_size);
                for (std::size_t w = 0; w < plains.size(); ++w)
                    CHECK(plains[w][place] == alones[w][place]);
            }
        }
    }
}

}  // namespace

int main() {
    const SmallGraph graph(kNodes, false, arcs_with_a_hub());
    for (const Offset columns : {1, 3, 4, 7, 8, 15, 16, 17, 32, 40, 71}) {
        check_dense<double>(graph.view, columns);
        check_dense<std::uint64_t>(graph.view, columns);
        check_single(graph.view, columns);
        check_both(graph.view, columns);
    }
    // No nodes, and no columns.
    const SmallGraph none(0, false, {});
    Control control{Budget{}};
    const SparseRows<double> empty{0, none.view.out_ptr, none.view.out_idx, nullptr};
    single_product({empty, nullptr, nullptr, nullptr, nullptr, 4, 1.0, nullptr}, 2, control, {});
    const SparseRows<double> rows{kNodes, graph.view.out_ptr, graph.view.out_idx, nullptr};
    single_product({rows, nullptr, nullptr, nullptr, nullptr, 0, 1.0, nullptr}, 1, control, {});
}
