#include "base/template.hpp"
#include "bindings/common.hpp"

namespace grape::python {
namespace {

using Edges = std::vector<std::pair<int, int>>;

}  // namespace

void bind_templates(nb::module_& m) {
    nb::class_<Template>(m, "Template", "An anchored template; node 0 is the anchor.")
        .def(
            "__init__",
            [](Template* self, int size, bool directed, const Edges& edges,
               const std::vector<std::int32_t>& labels) {
                new (self) Template(size, directed);
                for (const auto& [a, b] : edges) self->add_edge(a, b);
                for (std::size_t k = 0; k < labels.size(); ++k) self->label[k] = labels[k];
            },
            "size"_a, "directed"_a, "edges"_a, "labels"_a = std::vector<std::int32_t>{});
    m.def(
        "stabiliser",
        [](const Template& t) {
            std::vector<std::vector<int>> out;
            for (const auto& g : stabiliser(t)) out.push_back(to_vector(g, t.size));
            return out;
        },
        "template"_a, "Automorphisms that fix node 0, as lists node -> image, identity first.");
    m.def(
        "canonical_order", [](const Template& t) { return to_vector(canonical_order(t), t.size); },
        "template"_a, "Nodes in canonical order, the anchor first.");
}

}  // namespace grape::python
