#include "base/template.hpp"
#include "bindings/common.hpp"

namespace grape::python {
namespace {

using Edges = std::vector<std::pair<int, int>>;
using Codes = std::vector<std::int32_t>;

}  // namespace

void bind_templates(nb::module_& m) {
    nb::class_<Template>(m, "Template", "An anchored template; node 0 is the anchor.")
        .def(
            "__init__",
            [](Template* self, int size, bool directed, const Edges& edges, const Codes& labels,
               const Codes& edge_types) {
                new (self) Template(size, directed);
                for (std::size_t k = 0; k < edges.size(); ++k)
                    self->add_edge(edges[k].first, edges[k].second,
                                   k < edge_types.size() ? edge_types[k] : kAnyType);
                for (std::size_t k = 0; k < labels.size(); ++k) self->label[k] = labels[k];
            },
            "size"_a, "directed"_a, "edges"_a, "labels"_a = Codes{}, "edge_types"_a = Codes{});
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
