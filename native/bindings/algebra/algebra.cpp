// Kernels of the role algebra, each for doubles and for counts.
#include "algebra/dense_product.hpp"
#include "algebra/masked_product.hpp"
#include "algebra/pattern_sum.hpp"
#include "algebra/row_chain.hpp"
#include "algebra/row_stream.hpp"
#include "algebra/single_product.hpp"
#include "algebra/weighted_sum.hpp"
#include "base/transpose.hpp"
#include "bindings/common.hpp"
#include "matching/clique_support.hpp"

namespace grape::python {
namespace {

// Counts cross the border as int64 and are added modulo 2^64 inside.
template <class T>
using Foreign = std::conditional_t<std::is_same_v<T, double>, double, std::int64_t>;
template <class T>
using Weight = std::optional<Array<Foreign<T>>>;
template <class T>
using Weights = std::vector<Weight<T>>;

template <class T>
const T* data_of(const Weight<T>& values) {
    return values ? reinterpret_cast<const T*>(values->data()) : nullptr;
}

template <class T>
std::vector<const T*> data_of(const Weights<T>& weights) {
    std::vector<const T*> out;
    for (const auto& w : weights) out.push_back(data_of<T>(w));
    return out;
}

template <class T, class Values>
Numpy<Foreign<T>> numbers_to_numpy(Values&& values) {
    auto* kept = new Values(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    return Numpy<Foreign<T>>(reinterpret_cast<Foreign<T>*>(kept->data()),
                             {static_cast<std::size_t>(kept->size())}, owner);
}

// Keeps the arrays of a sparse matrix alive behind the kernels' view of them.
template <class T>
struct RowsHandle {
    Array<std::int64_t> ptr;
    Array<std::int32_t> idx;
    Weight<T> val;

    Node num_rows() const { return static_cast<Node>(ptr.shape(0) - 1); }
    SparseRows<T> view() const { return {num_rows(), ptr.data(), idx.data(), data_of<T>(val)}; }
    SparseRows<double> places() const { return {num_rows(), ptr.data(), idx.data(), nullptr}; }
};

// (coefficient, factors, diagonals)
template <class T>
using ForeignTerm = std::tuple<std::int64_t, std::vector<const RowsHandle<T>*>, Weights<T>>;

template <class T>
ChainTerm<T> to_term(const ForeignTerm<T>& term) {
    ChainTerm<T> out;
    out.coefficient = static_cast<T>(std::get<0>(term));
    for (const RowsHandle<T>* factor : std::get<1>(term)) out.factors.push_back(factor->view());
    out.diagonals = data_of<T>(std::get<2>(term));
    return out;
}

// Per position, the pairs (earlier position, rows).
template <class T>
using ForeignLinks = std::vector<std::vector<std::pair<int, const RowsHandle<T>*>>>;

template <class T>
MapPattern<T> to_pattern(const ForeignLinks<T>& links, const Weights<T>& weights, int target) {
    MapPattern<T> out;
    for (const auto& position : links) {
        out.links.emplace_back();
        for (const auto& [from, rows] : position) out.links.back().push_back({from, rows->view()});
    }
    out.weights = data_of<T>(weights);
    out.target = target;
    return out;
}

// The budgets of a kernel and the function that hears of its progress.
using Watch = std::pair<Limits, nb::object>;

// Runs a kernel that returns one number per place: (numbers, stop reason).
template <class T, class Body>
nb::tuple run_places(const Watch& watch, const Body& body) {
    auto [values, stop, done] = run_watched(watch.first, watch.second, body);
    return nb::make_tuple(numbers_to_numpy<T>(std::move(values)), stop);
}

// Runs a kernel that finds rows: (row starts, columns, numbers, stop reason).
template <class T, class Body>
nb::tuple run_rows(const Watch& watch, const Body& body) {
    auto [found, stop, done] = run_watched(watch.first, watch.second, body);
    return nb::make_tuple(to_numpy(std::move(found.ptr)), to_numpy(std::move(found.idx)),
                          numbers_to_numpy<T>(std::move(found.val)), stop);
}

// (power, term) and (power, links, weights, target)
template <class T>
using ForeignChains = std::vector<std::pair<int, ForeignTerm<T>>>;
template <class T>
using ForeignPatterns = std::vector<std::tuple<int, ForeignLinks<T>, Weights<T>, int>>;

template <class T>
using Dense = nb::ndarray<const Foreign<T>, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using DenseOut = nb::ndarray<Foreign<T>, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
void bind_dense_products(nb::module_& m) {
    m.def(
        "dense_product",
        [](const RowsHandle<T>& rows, const Weight<T>& left, const Weight<T>& right, Dense<T> dense,
           const Weight<T>& own, Dense<T> base, DenseOut<T> out, bool accumulate, int threads) {
            run_watched({}, nb::none(), [&](auto& control, const auto& watcher) {
                dense_product<T>(
                    {rows.view(), data_of<T>(left), data_of<T>(right),
                     reinterpret_cast<const T*>(dense.data()), data_of<T>(own),
                     reinterpret_cast<const T*>(base.data()), static_cast<Offset>(dense.shape(1)),
                     accumulate, reinterpret_cast<T*>(out.data())},
                    threads, control, watcher);
                return 0;
            });
        },
        "rows"_a, "left"_a.noconvert().none(), "right"_a.noconvert().none(), "dense"_a.noconvert(),
        "own"_a.noconvert().none(), "base"_a.noconvert(), "out"_a.noconvert(), "accumulate"_a,
        "threads"_a);
    m.def(
        "stream_product",
        [](const RowsHandle<T>& ones, const ForeignChains<T>& chains,
           const ForeignPatterns<T>& patterns, const Weight<T>& left, const Weight<T>& right,
           Dense<T> dense, DenseOut<T> out, int threads, const Watch& watch) {
            const auto body = [&](auto& control, const auto& watcher) {
                StreamedMatrix<T> matrix{ones.num_rows(), {}, {}};
                for (const auto& [power, term] : chains) {
                    matrix.chains.emplace_back(power, to_term<T>(term));
                }
                for (const auto& [power, links, weights, target] : patterns) {
                    matrix.patterns.emplace_back(power, to_pattern<T>(links, weights, target));
                }
                stream_product<T>(matrix, data_of<T>(left), data_of<T>(right),
                                  reinterpret_cast<const T*>(dense.data()),
                                  static_cast<Offset>(dense.shape(1)),
                                  reinterpret_cast<T*>(out.data()), threads, control, watcher);
                return 0;
            };
            return std::get<1>(run_watched(watch.first, watch.second, body));
        },
        "ones"_a, "chains"_a, "patterns"_a, "left"_a.noconvert().none(),
        "right"_a.noconvert().none(), "dense"_a.noconvert(), "out"_a.noconvert(), "threads"_a,
        "watch"_a);
}

template <class T>
void bind_products(nb::module_& m, const char* rows_name) {
    using Rows = RowsHandle<T>;
    nb::class_<Rows>(m, rows_name, "A sparse matrix in compressed rows; no values: all ones.")
        .def(
            "__init__",
            [](Rows* self, Array<std::int64_t> ptr, Array<std::int32_t> idx, Weight<T> val) {
                new (self) Rows{ptr, idx, val};
            },
            "ptr"_a.noconvert(), "idx"_a.noconvert(), "val"_a.noconvert().none());
    m.def(
        "masked_product",
        [](const Rows& mask, const Rows& mask_columns, Array<std::int64_t> origin, const Rows& x,
           const Rows& y_columns, const Weight<T>& w, bool symmetric, int threads,
           const Watch& watch) {
            return run_places<T>(watch, [&](auto& control, const auto& watcher) {
                const Mask places{mask.places(), mask_columns.places(), origin.data()};
                return masked_product<T>(places, x.view(), y_columns.view(), data_of<T>(w),
                                         symmetric, threads, control, watcher);
            });
        },
        "mask"_a, "mask_columns"_a, "origin"_a.noconvert(), "x"_a, "y_columns"_a,
        "w"_a.noconvert().none(), "symmetric"_a, "threads"_a, "watch"_a);
    m.def(
        "masked_chain",
        [](const Rows& mask, const ForeignTerm<T>& term, std::size_t front, int threads,
           const Watch& watch) {
            return run_places<T>(watch, [&](auto& control, const auto& watcher) {
                return masked_chain<T>(mask.places(), to_term<T>(term), front, threads, control,
                                       watcher);
            });
        },
        "mask"_a, "term"_a, "front"_a, "threads"_a, "watch"_a);
    // `ones` only says by its type which numbers are meant.
    m.def(
        "combine_rows",
        [](const Rows& ones, const std::vector<ForeignTerm<T>>& terms, std::int64_t divisor,
           int threads, const Watch& watch) {
            return run_rows<T>(watch, [&](auto& control, const auto& watcher) {
                std::vector<ChainTerm<T>> chains;
                for (const auto& term : terms) chains.push_back(to_term<T>(term));
                return combine_rows<T>(ones.num_rows(), chains, divisor, threads, control, watcher);
            });
        },
        "ones"_a, "terms"_a, "divisor"_a, "threads"_a, "watch"_a);
}

// (coefficient, left, values, right)
template <class T>
using ForeignPiece = std::tuple<std::int64_t, Weight<T>, Weight<T>, Weight<T>>;

template <class T>
void bind_weighted_sum(nb::module_& m) {
    m.def(
        "weighted_sum",
        [](const RowsHandle<T>& pattern, const std::vector<ForeignPiece<T>>& pieces, int threads,
           const Watch& watch) {
            return run_places<T>(watch, [&](auto& control, const auto& watcher) {
                std::vector<WeightedPiece<T>> views;
                for (const auto& [coefficient, left, values, right] : pieces) {
                    views.push_back({static_cast<T>(coefficient), data_of<T>(left),
                                     data_of<T>(values), data_of<T>(right)});
                }
                return weighted_sum<T>(pattern.places(), views, threads, control, watcher);
            });
        },
        "pattern"_a, "pieces"_a, "threads"_a, "watch"_a);
}

template <class T>
void bind_patterns(nb::module_& m) {
    using Rows = RowsHandle<T>;
    m.def(
        "pattern_rows",
        [](const Rows& ones, const ForeignLinks<T>& links, const Weights<T>& weights, int target,
           int threads, const Watch& watch) {
            return run_rows<T>(watch, [&](auto& control, const auto& watcher) {
                return pattern_rows<T>(ones.num_rows(), to_pattern<T>(links, weights, target),
                                       threads, control, watcher);
            });
        },
        "ones"_a, "links"_a, "weights"_a, "target"_a, "threads"_a, "watch"_a);
    m.def(
        "masked_pattern",
        [](const Rows& mask, const ForeignLinks<T>& links, const Weights<T>& weights, int threads,
           const Watch& watch) {
            return run_places<T>(watch, [&](auto& control, const auto& watcher) {
                return masked_pattern<T>(mask.places(), to_pattern<T>(links, weights, 1), threads,
                                         control, watcher);
            });
        },
        "mask"_a, "links"_a, "weights"_a, "threads"_a, "watch"_a);
}

}  // namespace

void bind_algebra(nb::module_& m) {
    bind_products<double>(m, "FloatRows");
    bind_products<std::uint64_t>(m, "CountRows");
    bind_patterns<double>(m);
    bind_patterns<std::uint64_t>(m);
    bind_weighted_sum<double>(m);
    bind_weighted_sum<std::uint64_t>(m);
    bind_dense_products<double>(m);
    bind_dense_products<std::uint64_t>(m);
    m.def(
        "single_product",
        [](const RowsHandle<double>& rows, const Weight<double>& left, const Weight<double>& right,
           nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu> dense,
           std::optional<nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>>
               minus,
           double divisor, nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu> out,
           std::optional<nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>> plain,
           int threads) {
            run_watched({}, nb::none(), [&](auto& control, const auto& watcher) {
                single_product(
                    {rows.view(), data_of<double>(left), data_of<double>(right), dense.data(),
                     minus ? minus->data() : nullptr, static_cast<Offset>(dense.shape(1)), divisor,
                     out.data(), plain ? plain->data() : nullptr},
                    threads, control, watcher);
                return 0;
            });
        },
        "rows"_a, "left"_a.noconvert().none(), "right"_a.noconvert().none(), "dense"_a.noconvert(),
        "minus"_a.noconvert().none(), "divisor"_a, "out"_a.noconvert(),
        "plain"_a.noconvert().none(), "threads"_a);
    m.def(
        "transpose_pattern",
        [](const RowsHandle<double>& pattern, const Watch& watch) {
            auto [turned, stop, done] =
                run_watched(watch.first, watch.second, [&](auto& control, const auto& watcher) {
                    return transpose(pattern.places(), control, watcher);
                });
            return nb::make_tuple(to_numpy(std::move(turned.ptr)), to_numpy(std::move(turned.idx)),
                                  to_numpy(std::move(turned.origin)), stop);
        },
        "pattern"_a, "watch"_a);
    m.def(
        "clique_support",
        [](const RowsHandle<double>& graph, Array<std::int64_t> reverse, int size, int threads,
           const Watch& watch) {
            return run_places<std::uint64_t>(watch, [&](auto& control, const auto& watcher) {
                return clique_support(graph.places(), reverse.data(), size, threads, control,
                                      watcher);
            });
        },
        "graph"_a, "reverse"_a.noconvert(), "size"_a, "threads"_a, "watch"_a);
}

}  // namespace grape::python
