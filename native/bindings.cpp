// The only file that knows Python: it turns arrays into views, releases the GIL around the
// core, and turns stop reasons into return codes. No algorithm lives here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "graph.hpp"
#include "symmetry.hpp"
#include "template.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Edges = std::vector<std::pair<int, int>>;

// ---------------------------------------------------------------- templates

grape::Template make_template(int size, bool directed, const Edges& edges,
                              const std::vector<std::int32_t>& labels) {
    grape::Template t(size, directed);
    for (const auto& [a, b] : edges) t.add_edge(a, b);
    for (std::size_t k = 0; k < labels.size(); ++k) t.label[k] = labels[k];
    return t;
}

std::vector<int> to_vector(const grape::Permutation& p, int size) {
    return {p.begin(), p.begin() + size};
}

void bind_templates(nb::module_& m) {
    m.def(
        "stabiliser",
        [](int size, bool directed, const Edges& edges, const std::vector<std::int32_t>& labels) {
            std::vector<std::vector<int>> out;
            for (const auto& g : grape::stabiliser(make_template(size, directed, edges, labels)))
                out.push_back(to_vector(g, size));
            return out;
        },
        "size"_a, "directed"_a, "edges"_a, "labels"_a,
        "Automorphisms that fix node 0, as lists node -> image, the identity first.");
    m.def(
        "canonical_order",
        [](int size, bool directed, const Edges& edges, const std::vector<std::int32_t>& labels) {
            return to_vector(grape::canonical_order(make_template(size, directed, edges, labels)),
                             size);
        },
        "size"_a, "directed"_a, "edges"_a, "labels"_a,
        "Nodes in canonical order, the anchor first.");
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Matching core of grape-gnn.";
    bind_templates(m);
}
