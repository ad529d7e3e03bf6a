#include "entries.hpp"

#include "common.hpp"
#include "entry_softmax.hpp"
#include "head_sum.hpp"
#include "relu_sum.hpp"
#include "tanh_scores.hpp"

namespace grape::python {
namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Target = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

void check(bool fits) {
    if (!fits) throw nb::value_error("the shapes of entries, features and results do not fit");
}

// Keeps the arrays behind the core's view of them alive.
struct EntriesHandle {
    Array<std::int64_t> ptr;
    Array<std::int32_t> idx;
    Array<std::int64_t> reverse;
    Entries view;

    EntriesHandle(Array<std::int64_t> starts, Array<std::int32_t> columns,
                  Array<std::int64_t> reversed)
        : ptr(starts), idx(columns), reverse(reversed) {
        check(ptr.size() > 0 && idx.size() == reverse.size() &&
              static_cast<Offset>(idx.size()) == ptr(ptr.size() - 1));
        view = {static_cast<Node>(ptr.size() - 1), ptr.data(), idx.data(), reverse.data()};
    }
    // Whether an array has one row per node, or one per entry.
    template <class Matrix>
    void check_nodes(const Matrix& array, std::size_t columns) const {
        check(array.size() == static_cast<std::size_t>(view.num_rows) * columns);
    }
    template <class Matrix>
    void check_entries(const Matrix& array, std::size_t columns) const {
        check(array.size() == idx.size() * columns);
    }
};

template <class T>
HeadSum<T> head_sum_of(const EntriesHandle& entries, const Matrix<T>& weight, const Matrix<T>& x) {
    const std::size_t heads = weight.shape(1);
    check(heads > 0 && x.shape(1) % heads == 0);
    entries.check_entries(weight, heads);
    entries.check_nodes(x, x.shape(1));
    return {entries.view, static_cast<int>(heads), static_cast<Offset>(x.shape(1) / heads),
            weight.data()};
}

template <class T>
TanhScores<T> tanh_scores_of(const EntriesHandle& entries, const Matrix<T>& receiver,
                             const Matrix<T>& sender, const Array<T>& slope) {
    entries.check_nodes(receiver, slope.size());
    entries.check_nodes(sender, slope.size());
    return {entries.view, static_cast<Offset>(slope.size()), receiver.data(), sender.data(),
            slope.data()};
}

template <class T>
ReluSum<T> relu_sum_of(const EntriesHandle& entries, const Matrix<T>& x, const Matrix<T>& count,
                       const Matrix<T>& map) {
    entries.check_nodes(x, x.shape(1));
    entries.check_entries(count, ReluSum<T>::kCounts);
    check(map.shape(0) == ReluSum<T>::kCounts && map.shape(1) == x.shape(1));
    return {entries.view, static_cast<Offset>(x.shape(1)), x.data(), count.data(), map.data()};
}

template <class T>
EntryShape shape_of(const EntriesHandle& entries, const Matrix<T>& of_entries) {
    entries.check_entries(of_entries, of_entries.shape(1));
    return {entries.view, static_cast<Offset>(of_entries.shape(1))};
}

template <class T>
void bind_weights(nb::class_<EntriesHandle>& handle) {
    handle.def(
        "pair_sum",
        [](const EntriesHandle& entries, Matrix<T> receiver, Matrix<T> sender, Target<T> out) {
            const std::size_t columns = receiver.shape(1);
            entries.check_nodes(receiver, columns);
            entries.check_nodes(sender, columns);
            entries.check_entries(out, columns);
            const EntryShape shape{entries.view, static_cast<Offset>(columns)};
            const nb::gil_scoped_release released;
            pair_sum(shape, receiver.data(), sender.data(), out.data());
        },
        "receiver"_a.noconvert(), "sender"_a.noconvert(), "out"_a.noconvert());
    handle.def(
        "pair_sum_backward",
        [](const EntriesHandle& entries, Matrix<T> grad, Target<T> grad_receiver,
           Target<T> grad_sender) {
            const EntryShape shape = shape_of(entries, grad);
            entries.check_nodes(grad_receiver, grad.shape(1));
            entries.check_nodes(grad_sender, grad.shape(1));
            const nb::gil_scoped_release released;
            pair_sum_backward(shape, grad.data(), grad_receiver.data(), grad_sender.data());
        },
        "grad"_a.noconvert(), "grad_receiver"_a.noconvert(), "grad_sender"_a.noconvert());
    handle.def(
        "softmax",
        [](const EntriesHandle& entries, Matrix<T> score, Target<T> out) {
            const EntryShape shape = shape_of(entries, score);
            entries.check_entries(out, score.shape(1));
            const nb::gil_scoped_release released;
            entry_softmax(shape, score.data(), out.data());
        },
        "score"_a.noconvert(), "out"_a.noconvert());
    handle.def(
        "softmax_backward",
        [](const EntriesHandle& entries, Matrix<T> out, Matrix<T> grad, Target<T> grad_score) {
            const EntryShape shape = shape_of(entries, out);
            entries.check_entries(grad, out.shape(1));
            entries.check_entries(grad_score, out.shape(1));
            const nb::gil_scoped_release released;
            entry_softmax_backward(shape, out.data(), grad.data(), grad_score.data());
        },
        "out"_a.noconvert(), "grad"_a.noconvert(), "grad_score"_a.noconvert());
}

template <class T>
void bind_sums(nb::class_<EntriesHandle>& handle) {
    handle.def(
        "head_sum",
        [](const EntriesHandle& entries, Matrix<T> weight, Matrix<T> x, Target<T> out) {
            const HeadSum<T> sum = head_sum_of(entries, weight, x);
            entries.check_nodes(out, x.shape(1));
            const nb::gil_scoped_release released;
            head_sum(sum, x.data(), out.data());
        },
        "weight"_a.noconvert(), "x"_a.noconvert(), "out"_a.noconvert());
    handle.def(
        "head_sum_backward",
        [](const EntriesHandle& entries, Matrix<T> weight, Matrix<T> x, Matrix<T> grad,
           Target<T> grad_weight, Target<T> grad_x) {
            const HeadSum<T> sum = head_sum_of(entries, weight, x);
            entries.check_nodes(grad, x.shape(1));
            entries.check_entries(grad_weight, weight.shape(1));
            entries.check_nodes(grad_x, x.shape(1));
            const nb::gil_scoped_release released;
            head_sum_backward(sum, x.data(), grad.data(), grad_weight.data(), grad_x.data());
        },
        "weight"_a.noconvert(), "x"_a.noconvert(), "grad"_a.noconvert(),
        "grad_weight"_a.noconvert(), "grad_x"_a.noconvert());
    handle.def(
        "tanh_scores",
        [](const EntriesHandle& entries, Matrix<T> receiver, Matrix<T> sender, Array<T> slope,
           Target<T> out) {
            const TanhScores<T> scores = tanh_scores_of(entries, receiver, sender, slope);
            entries.check_entries(out, 1);
            const nb::gil_scoped_release released;
            tanh_scores(scores, out.data());
        },
        "receiver"_a.noconvert(), "sender"_a.noconvert(), "slope"_a.noconvert(),
        "out"_a.noconvert());
    handle.def(
        "tanh_scores_backward",
        [](const EntriesHandle& entries, Matrix<T> receiver, Matrix<T> sender, Array<T> slope,
           Matrix<T> grad, Target<T> grad_receiver, Target<T> grad_sender, Target<T> grad_slope) {
            const TanhScores<T> scores = tanh_scores_of(entries, receiver, sender, slope);
            entries.check_entries(grad, 1);
            entries.check_nodes(grad_receiver, slope.size());
            entries.check_nodes(grad_sender, slope.size());
            check(grad_slope.size() == slope.size());
            const nb::gil_scoped_release released;
            tanh_scores_backward(scores, grad.data(), grad_receiver.data(), grad_sender.data(),
                                 grad_slope.data());
        },
        "receiver"_a.noconvert(), "sender"_a.noconvert(), "slope"_a.noconvert(),
        "grad"_a.noconvert(), "grad_receiver"_a.noconvert(), "grad_sender"_a.noconvert(),
        "grad_slope"_a.noconvert());
    handle.def(
        "relu_sum",
        [](const EntriesHandle& entries, Matrix<T> x, Matrix<T> count, Matrix<T> map,
           Target<T> out) {
            const ReluSum<T> sum = relu_sum_of(entries, x, count, map);
            entries.check_nodes(out, x.shape(1));
            const nb::gil_scoped_release released;
            relu_sum(sum, out.data());
        },
        "x"_a.noconvert(), "count"_a.noconvert(), "map"_a.noconvert(), "out"_a.noconvert());
    handle.def(
        "relu_sum_backward",
        [](const EntriesHandle& entries, Matrix<T> x, Matrix<T> count, Matrix<T> map,
           Matrix<T> grad, Target<T> grad_x, Target<T> grad_map) {
            const ReluSum<T> sum = relu_sum_of(entries, x, count, map);
            entries.check_nodes(grad, x.shape(1));
            entries.check_nodes(grad_x, x.shape(1));
            check(grad_map.size() == map.size());
            const nb::gil_scoped_release released;
            relu_sum_backward(sum, grad.data(), grad_x.data(), grad_map.data());
        },
        "x"_a.noconvert(), "count"_a.noconvert(), "map"_a.noconvert(), "grad"_a.noconvert(),
        "grad_x"_a.noconvert(), "grad_map"_a.noconvert());
}

}  // namespace

void bind_entries(nb::module_& m) {
    nb::class_<EntriesHandle> handle(m, "Entries");
    handle.def(nb::init<Array<std::int64_t>, Array<std::int32_t>, Array<std::int64_t>>(),
               "ptr"_a.noconvert(), "idx"_a.noconvert(), "reverse"_a.noconvert());
    bind_weights<float>(handle);
    bind_weights<double>(handle);
    bind_sums<float>(handle);
    bind_sums<double>(handle);
}

}  // namespace grape::python
