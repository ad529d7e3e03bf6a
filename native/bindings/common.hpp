// What all bindings share. This folder is the only place that knows Python: it turns arrays into
// views, releases the GIL around the core, and hands results back without copying them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/control.hpp"
#include "base/graph.hpp"
#include "base/parallel.hpp"
#include "base/row_store.hpp"
#include "base/symmetry.hpp"

namespace grape::python {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Numpy = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// Moves a vector or a buffer into a NumPy array that owns it.
template <class Values>
    requires(!std::is_reference_v<Values>)
auto to_numpy(Values&& values) {
    auto* kept = new Values(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Values*>(p); });
    using T = std::remove_pointer_t<decltype(kept->data())>;
    return Numpy<T>(kept->data(), {static_cast<std::size_t>(kept->size())}, owner);
}

// Looks for Ctrl-C and reports progress, about fifty times a second, from the calling thread.
// Call it while the GIL is released; what it throws ends the run and reaches Python.
inline Watcher make_watcher(nb::object progress) {
    return [progress](std::int64_t done, std::int64_t total) {
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (progress.is_valid() && !progress.is_none()) progress(done, total);
    };
}

// The budgets of a run: seconds, bytes, instances.
using Limits =
    std::tuple<std::optional<double>, std::optional<std::int64_t>, std::optional<std::int64_t>>;

inline Budget make_budget(const Limits& limits) {
    Budget budget;
    const auto& [seconds, bytes, instances] = limits;
    if (seconds) budget.seconds = *seconds;
    if (bytes) budget.bytes = *bytes;
    if (instances) budget.instances = *instances;
    return budget;
}

// Runs body(control, watcher) without the GIL and returns (its result, stop reason, items done).
template <class Body>
auto run_watched(const Limits& limits, nb::object progress, const Body& body) {
    Control control(make_budget(limits));
    const Watcher watcher = make_watcher(std::move(progress));
    const nb::gil_scoped_release released;
    auto result = body(control, watcher);
    return std::make_tuple(std::move(result), static_cast<int>(control.reason()), control.done());
}

// Matrices as (values, columns, row starts), the order SciPy takes.
inline nb::list to_arrays(std::vector<Csr>&& matrices) {
    nb::list out;
    for (auto& m : matrices)
        out.append(nb::make_tuple(to_numpy(std::move(m.val)), to_numpy(std::move(m.idx)),
                                  to_numpy(std::move(m.ptr))));
    return out;
}

inline std::vector<int> to_vector(const Permutation& p, int size) {
    return {p.begin(), p.begin() + size};
}

// Keeps the arrays of a grape_gnn.Graph alive behind the core's view of them.
struct GraphHandle {
    Array<std::int64_t> out_ptr;
    Array<std::int32_t> out_idx;
    Array<std::int64_t> in_ptr;
    Array<std::int32_t> in_idx;
    std::optional<Array<std::int32_t>> label;
    std::vector<Array<std::int32_t>> typed;  // none, or out and in: nodes, types, nodes, types
    GraphView view;

    GraphHandle(bool directed, Array<std::int64_t> op, Array<std::int32_t> oi,
                Array<std::int64_t> ip, Array<std::int32_t> ii,
                std::optional<Array<std::int32_t>> labels,
                std::vector<Array<std::int32_t>> typed_rows)
        : out_ptr(op), out_idx(oi), in_ptr(ip), in_idx(ii), label(labels), typed(typed_rows) {
        view.num_nodes = static_cast<Node>(op.shape(0) - 1);
        view.directed = directed;
        view.out_ptr = out_ptr.data();
        view.out_idx = out_idx.data();
        view.in_ptr = in_ptr.data();
        view.in_idx = in_idx.data();
        view.label = label ? label->data() : nullptr;
        if (typed.size() != 4) return;
        view.out_typed = {typed[0].data(), typed[1].data()};
        view.in_typed = {typed[2].data(), typed[3].data()};
    }
};

}  // namespace grape::python
