#include "bindings/common.hpp"

namespace grape::python {

void bind_graph(nb::module_& m);
void bind_edge_list(nb::module_& m);
void bind_templates(nb::module_& m);
void bind_enumerate(nb::module_& m);
void bind_instances(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_esu(nb::module_& m);
void bind_ego_networks(nb::module_& m);
void bind_fused(nb::module_& m);
void bind_layers(nb::module_& m);
void bind_messages(nb::module_& m);
void bind_algebra(nb::module_& m);
void bind_rewire(nb::module_& m);

}  // namespace grape::python

NB_MODULE(_native, m) {
    using namespace grape::python;
    m.doc() = "Matching core of grape-gnn.";
    // Objects alive at exit, such as cached graphs, are no leak.
    nb::set_leak_warnings(false);
    bind_graph(m);
    bind_edge_list(m);
    bind_templates(m);
    bind_enumerate(m);
    bind_instances(m);
    bind_tables(m);
    bind_esu(m);
    bind_ego_networks(m);
    bind_fused(m);
    bind_layers(m);
    bind_messages(m);
    bind_algebra(m);
    bind_rewire(m);
}
