// Every kernel of the role algebra against dense matrices, in doubles and modulo 2^64.
#include "algebra/dense_product.hpp"
#include "algebra/masked_product.hpp"
#include "algebra/pattern_sum.hpp"
#include "algebra/row_chain.hpp"
#include "algebra/row_stream.hpp"
#include "algebra/weighted_sum.hpp"
#include "base/transpose.hpp"
#include "matching/clique_support.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

using namespace grape;
using namespace grape::testing;

namespace {

// A dense square matrix, slow and obvious.
template <class T>
struct Square {
    int n;
    std::vector<T> at;
    explicit Square(int size) : n(size), at(static_cast<std::size_t>(size) * size, T{0}) {}
    T& operator()(int r, int c) { return at[r * n + c]; }
    T operator()(int r, int c) const { return at[r * n + c]; }
};

template <class T>
Square<T> times(const Square<T>& a, const Square<T>& b) {
    Square<T> out(a.n);
    for (int r = 0; r < a.n; ++r)
        for (int k = 0; k < a.n; ++k)
            for (int c = 0; c < a.n; ++c) out(r, c) += a(r, k) * b(k, c);
    return out;
}

template <class T>
Square<T> dense(const SparseRows<T>& rows) {
    Square<T> out(rows.num_rows);
    for (Node r = 0; r < rows.num_rows; ++r)
        for (Offset e = rows.ptr[r]; e < rows.ptr[r + 1]; ++e) out(r, rows.idx[e]) = rows.value(e);
    return out;
}

template <class T>
void check_found(const CsrOf<T>& found, const Square<T>& right) {
    Square<T> out(right.n);
    for (int r = 0; r < right.n; ++r)
        for (Offset e = found.ptr[r]; e < found.ptr[r + 1]; ++e)
            out(r, found.idx[e]) = found.val[e];
    CHECK(out.at == right.at);
}

template <class T>
void compare(const SmallGraph& graph, int threads) {
    const GraphView& g = graph.view;
    const int n = g.num_nodes;
    const SparseRows<T> a{g.num_nodes, g.out_ptr, g.out_idx, nullptr};
    const SparseRows<T> into{g.num_nodes, g.in_ptr, g.in_idx, nullptr};
    const SparseRows<double> places{g.num_nodes, g.out_ptr, g.out_idx, nullptr};
    Control control{Budget{}};
    std::vector<T> weight(n + 1);
    for (int v = 0; v < n; ++v) weight[v] = static_cast<T>(v + 1);
    Square<T> diagonal(n);
    for (int v = 0; v < n; ++v) diagonal(v, v) = weight[v];
    const Square<T> matrix = dense(a);
    const Square<T> walk = times(times(matrix, diagonal), matrix);

    const TransposedPattern turned = transpose(places, control, {});
    const SparseRows<double> columns{g.num_nodes, turned.ptr.data(), turned.idx.data(), nullptr};
    for (Node c = 0; c < n; ++c) CHECK(columns.size(c) == into.size(c));

    // Weighted (lists), then plain (bits on graphs as small as these).
    const Mask mask{places, columns, turned.origin.data()};
    const bool symmetric = !g.directed;
    const auto masked =
        masked_product<T>(mask, a, into, weight.data(), symmetric, threads, control, {});
    const auto plain = masked_product<T>(mask, a, into, nullptr, symmetric, threads, control, {});
    const auto chained = masked_chain<T>(
        places, {T{1}, {a, into}, {nullptr, weight.data(), nullptr}}, 1, threads, control, {});
    const auto met = masked_chain<T>(
        places, {T{1}, {into, into}, {nullptr, weight.data(), nullptr}}, 0, threads, control, {});
    const auto walks =
        masked_chain<T>(places, {T{1}, {a, a, into}, {nullptr, nullptr, nullptr, nullptr}}, 2,
                        threads, control, {});
    const Square<T> squared = times(matrix, matrix);
    const Square<T> cubed = times(squared, matrix);
    for (Node r = 0; r < n; ++r) {
        for (Offset e = places.ptr[r]; e < places.ptr[r + 1]; ++e) {
            CHECK(masked[e] == walk(r, places.idx[e]));
            CHECK(plain[e] == squared(r, places.idx[e]));
            CHECK(chained[e] == masked[e]);
            CHECK(met[e] == masked[e]);
            CHECK(walks[e] == cubed(r, places.idx[e]));
        }
    }

    const ChainTerm<T> term{T{2}, {a, a}, {nullptr, weight.data(), nullptr}};
    Square<T> doubled = walk;
    for (T& x : doubled.at) x *= T{2};
    check_found(combine_rows<T>(g.num_nodes, {term}, 1, threads, control, {}), doubled);
    check_found(combine_rows<T>(g.num_nodes, {term}, 2, threads, control, {}), walk);

    // s - c - t as a pattern is the same walk; streamed and squared it is walk ∘ walk.
    const MapPattern<T> pattern{{{}, {{0, a}}, {{1, a}}}, {nullptr, weight.data(), nullptr}, 2};
    check_found(pattern_rows<T>(g.num_nodes, pattern, threads, control, {}), walk);
    std::vector<T> ones(n + 1, T{1}), out(n + 1, T{0});
    const StreamedMatrix<T> stream{g.num_nodes, {{1, term}}, {{1, pattern}}};
    stream_product<T>(stream, nullptr, weight.data(), ones.data(), 1, out.data(), threads, control,
                      {});
    for (int r = 0; r < n; ++r) {
        T sum{0};
        for (int c = 0; c < n; ++c) sum += doubled(r, c) * walk(r, c) * weight[c];
        CHECK(out[r] == sum);
    }

    const auto summed = weighted_sum<T>(places, {{T{3}, weight.data(), nullptr, weight.data()}},
                                        threads, control, {});
    for (Node r = 0; r < n; ++r)
        for (Offset e = places.ptr[r]; e < places.ptr[r + 1]; ++e)
            CHECK(summed[e] == T{3} * weight[r] * weight[places.idx[e]]);

    for (Offset width : {1, 7, 40}) {
        std::vector<T> features(n * width + 1), result(n * width + 1);
        for (std::size_t k = 0; k < features.size(); ++k) features[k] = static_cast<T>(k % 11);
        dense_product<T>({a, weight.data(), nullptr, features.data(), nullptr, nullptr, width,
                          false, result.data()},
                         threads, control, {});
        for (int r = 0; r < n; ++r) {
            for (Offset k = 0; k < width; ++k) {
                T sum{0};
                for (int c = 0; c < n; ++c) sum += matrix(r, c) * features[c * width + k];
                CHECK(result[r * width + k] == weight[r] * sum);
            }
        }
    }
}

// Cliques through every edge, against trying all node sets.
void compare_cliques(const SmallGraph& graph) {
    const GraphView& g = graph.view;
    const SparseRows<double> rows{g.num_nodes, g.out_ptr, g.out_idx, nullptr};
    Control control{Budget{}};
    const TransposedPattern turned = transpose(rows, control, {});
    for (int size : {3, 4, 5}) {
        const auto found = clique_support(rows, turned.origin.data(), size, 2, control, {});
        for (Node v = 0; v < g.num_nodes; ++v) {
            for (Offset e = rows.ptr[v]; e < rows.ptr[v + 1]; ++e) {
                std::uint64_t right = 0;
                for (unsigned set = 0; set < (1u << g.num_nodes); ++set) {
                    if (std::popcount(set) != size || !(set >> v & 1) || !(set >> rows.idx[e] & 1))
                        continue;
                    bool clique = true;
                    for (Node a = 0; a < g.num_nodes; ++a)
                        for (Node b = 0; b < a; ++b)
                            if ((set >> a & 1) && (set >> b & 1)) clique &= g.has_arc(a, b);
                    right += clique;
                }
                CHECK(found[e] == right);
            }
        }
    }
}

void stops_at_the_memory_budget() {
    const SmallGraph graph(9, false, random_arcs(9, false, 0.6, 1));
    const GraphView& g = graph.view;
    const SparseRows<double> a{g.num_nodes, g.out_ptr, g.out_idx, nullptr};
    Budget budget;
    budget.bytes = 10;
    Control control(budget);
    const ChainTerm<double> term{1.0, {a, a}, {nullptr, nullptr, nullptr}};
    CHECK(combine_rows<double>(g.num_nodes, {term}, 1, 1, control, {}).ptr.size() == 0);
    CHECK(control.reason() == StopReason::memory);
}

}  // namespace

int main() {
    for (unsigned seed = 0; seed < 6; ++seed) {
        for (bool directed : {false, true}) {
            const SmallGraph graph(8, directed, random_arcs(8, directed, 0.5, seed));
            compare<double>(graph, 1);
            compare<std::uint64_t>(graph, 2);
            if (!directed) compare_cliques(graph);
        }
    }
    const SmallGraph none(0, false, {}), lonely(3, false, {});
    compare<double>(none, 1);
    compare<double>(lonely, 2);
    stops_at_the_memory_budget();
}
