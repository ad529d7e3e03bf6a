#include "base/lanes.hpp"
#include "bindings/nn/dense.hpp"
#include "nn/fused_roles.hpp"

namespace grape::python {
namespace {

// Keeps the arrays of one structure alive behind the core's view of them.
template <class T>
struct FusedHandle {
    Array<std::int64_t> ptr;
    Array<std::int32_t> idx;
    std::vector<Dense<T>> values;
    Array<std::int32_t> role;
    Array<std::int32_t> group;
    int num_groups;
    Node num_columns;
    std::vector<const T*> starts;

    // Weights of all roles of the model, not only of those here.
    template <class Scale>
    void check_scale(const Scale& scale, Offset egos) const {
        const auto n = static_cast<std::size_t>(egos);
        for (std::size_t r = 0; r < role.size(); ++r)
            if (scale.ndim() != 2 || scale.shape(1) != n ||
                static_cast<std::size_t>(role(r)) >= scale.shape(0))
                throw nb::value_error("scale has the wrong size");
    }

    // For features of shape (rows, columns), shared, or (rows, groups, columns).
    template <class Features>
    FusedRoles<T> view(const Features& features) const {
        FusedRoles<T> roles;
        roles.num_rows = static_cast<Node>(ptr.size() - 1);
        roles.num_columns = num_columns;
        roles.ptr = ptr.data();
        roles.idx = idx.data();
        roles.num_roles = static_cast<int>(group.size());
        roles.num_groups = num_groups;
        roles.role = role.data();
        roles.group = group.data();
        roles.values = starts.data();
        roles.shared = features.ndim() == 2;
        roles.columns = static_cast<Offset>(features.shape(features.ndim() - 1));
        return roles;
    }
};

template <class T>
void check_unit(const FusedRoles<T>& roles, int unit) {
    if (unit < 0 || unit >= roles.num_roles) throw nb::value_error("unit is no role");
}

template <class T>
void bind_type(nb::module_& m, const char* name) {
    using Handle = FusedHandle<T>;
    nb::class_<Handle>(m, name, "Several roles on one sparsity: values of shape [roles, entries].")
        .def(
            "__init__",
            [](Handle* self, Array<std::int64_t> ptr, Array<std::int32_t> idx,
               std::vector<Dense<T>> values, Array<std::int32_t> role, Array<std::int32_t> group,
               int num_groups, Node num_columns) {
                if (values.size() != group.size())
                    throw nb::value_error("values has the wrong size");
                check_size(role, static_cast<Offset>(group.size()), "role");
                std::vector<const T*> starts;
                for (const Dense<T>& each : values) {
                    check_size(each, static_cast<Offset>(idx.size()), "values");
                    starts.push_back(each.data());
                }
                new (self) Handle{ptr,   idx,        std::move(values), role,
                                  group, num_groups, num_columns,       std::move(starts)};
            },
            "ptr"_a.noconvert(), "idx"_a.noconvert(), "values"_a.noconvert(), "role"_a.noconvert(),
            "group"_a.noconvert(), "num_groups"_a, "num_columns"_a)
        .def(
            "forward",
            [](const Handle& self, std::optional<Dense<T>> ego, Dense<T> scale, Dense<T> h,
               std::optional<Target<T>> sums, Target<T> out, int threads, int unit,
               std::optional<Target<T>> neighbours) {
                const FusedRoles<T> roles = self.view(h);
                const Offset n = roles.num_rows;
                check_size(h, roles.num_columns * roles.stride(), "features");
                if (n > roles.num_columns) throw nb::value_error("more egos than nodes");
                if (ego) check_size(*ego, roles.num_groups, "ego");
                self.check_scale(scale, n);
                check_size(out, n * roles.num_groups * roles.columns, "out");
                if (sums) check_size(*sums, n * roles.num_roles * roles.columns, "sums");
                Neighbours<T> wanted;
                if (neighbours) {
                    check_size(*neighbours, n * roles.columns, "neighbours");
                    check_unit(roles, unit);
                    if (sums) throw nb::value_error("sums of all roles, or over the neighbours");
                    wanted = {unit, neighbours->data()};
                }
                const nb::gil_scoped_release released;
                fused_forward(roles, ego ? ego->data() : nullptr, scale.data(), h.data(),
                              sums ? sums->data() : nullptr, out.data(), threads, wanted);
            },
            "ego"_a.noconvert().none(), "scale"_a.noconvert(), "h"_a.noconvert(),
            "sums"_a.noconvert().none(), "out"_a.noconvert(), "threads"_a, "unit"_a = -1,
            "neighbours"_a.noconvert().none() = nb::none())
        .def(
            "step_onward",
            [](const Handle& self, Dense<T> from, std::optional<Dense<T>> less,
               std::optional<Dense<T>> scale, Target<T> out, int group, int threads) {
                FusedRoles<T> roles = self.view(from);
                const Offset n = roles.num_rows;
                check_size(from, roles.num_columns * roles.columns, "from");
                if (less) check_size(*less, n * roles.columns, "less");
                if (scale) check_size(*scale, n, "scale");
                roles.num_groups = out.ndim() == 2 ? 1 : self.num_groups;
                check_size(out, n * roles.num_groups * roles.columns, "out");
                if (group < 0 || group >= roles.num_groups) throw nb::value_error("no such group");
                const nb::gil_scoped_release released;
                step_onward(roles, from.data(), less ? less->data() : nullptr,
                            scale ? scale->data() : nullptr, out.data(), group, threads);
            },
            "source"_a.noconvert(), "less"_a.noconvert().none(), "scale"_a.noconvert().none(),
            "out"_a.noconvert(), "group"_a, "threads"_a)
        .def(
            "backward_features",
            [](const Handle& self, std::optional<Dense<T>> ego, Dense<T> scale, Dense<T> grad,
               Target<T> grad_h, int threads, int unit, std::optional<Dense<T>> neighbours,
               std::optional<Dense<T>> back) {
                const FusedRoles<T> roles = self.view(grad_h);
                const Offset n = roles.num_rows;
                check_size(grad_h, roles.num_columns * roles.stride(), "features");
                if (n > roles.num_columns) throw nb::value_error("more egos than nodes");
                if (ego) check_size(*ego, roles.num_groups, "ego");
                self.check_scale(scale, n);
                check_size(grad, n * roles.num_groups * roles.columns, "grad");
                Neighbours<const T> more;
                if (neighbours) {
                    check_size(*neighbours, n * roles.columns, "neighbours");
                    check_unit(roles, unit);
                    more = {unit, neighbours->data()};
                }
                if (back) {
                    check_size(*back, n * roles.columns, "back");
                    if (!roles.shared || n != roles.num_columns)
                        throw nb::value_error("back is for features shared by all nodes");
                }
                const nb::gil_scoped_release released;
                fused_backward_features(roles, ego ? ego->data() : nullptr, scale.data(),
                                        grad.data(), grad_h.data(), threads, more,
                                        back ? back->data() : nullptr);
            },
            "ego"_a.noconvert().none(), "scale"_a.noconvert(), "grad"_a.noconvert(),
            "grad_h"_a.noconvert(), "threads"_a, "unit"_a = -1,
            "neighbours"_a.noconvert().none() = nb::none(),
            "back"_a.noconvert().none() = nb::none())
        .def(
            "backward_weights",
            [](const Handle& self, Dense<T> h, Dense<T> sums, Dense<T> grad,
               std::optional<Target<T>> grad_ego, Target<T> grad_scale) {
                const FusedRoles<T> roles = self.view(h);
                const Offset n = roles.num_rows;
                check_size(h, roles.num_columns * roles.stride(), "features");
                check_size(sums, n * roles.num_roles * roles.columns, "sums");
                check_size(grad, n * roles.num_groups * roles.columns, "grad");
                if (grad_ego) check_size(*grad_ego, roles.num_groups, "grad_ego");
                self.check_scale(grad_scale, n);
                const nb::gil_scoped_release released;
                fused_backward_weights(roles, h.data(), sums.data(), grad.data(),
                                       grad_ego ? grad_ego->data() : nullptr, grad_scale.data());
            },
            "h"_a.noconvert(), "sums"_a.noconvert(), "grad"_a.noconvert(),
            "grad_ego"_a.noconvert().none(), "grad_scale"_a.noconvert());
}

}  // namespace

void bind_fused(nb::module_& m) {
    bind_type<float>(m, "FusedRoles32");
    bind_type<double>(m, "FusedRoles64");
    m.def("widest_lanes", &widest_lanes);
    m.def("lanes_in_use", &lanes_in_use);
    m.def(
        "use_lanes",
        [](int bytes) {
            if (bytes != 16 && bytes != 32 && bytes != 64)
                throw nb::value_error("vectors have 16, 32 or 64 bytes");
            if (bytes > widest_lanes())
                throw nb::value_error("this processor has no vectors of so many bytes");
            use_lanes(bytes);
        },
        "bytes"_a);
}

}  // namespace grape::python
