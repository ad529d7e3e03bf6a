#include "io/edge_list.hpp"

#include "bindings/common.hpp"

namespace grape::python {

namespace {

nb::list listed(const NameTable& names) {
    nb::list out;
    for (std::int64_t id = 0; id < names.size(); ++id) {
        const std::string_view name = names[id];
        out.append(nb::str(name.data(), name.size()));
    }
    return out;
}

}  // namespace

void bind_edge_list(nb::module_& m) {
    nb::class_<EdgeListParser>(m, "EdgeListParser", "Reads an edge list fed to it by chunks.")
        .def(
            "__init__",
            [](EdgeListParser* self, bool header, std::optional<char> separator, int source,
               int target, int weight, int kind, bool texts) {
                const char between = separator.value_or(' ');
                new (self) EdgeListParser(
                    {header, between == ' ' ? '\0' : between, source, target, weight, kind, texts});
            },
            "header"_a = false, "separator"_a = ',', "source"_a = 0, "target"_a = 1,
            "weight"_a = -1, "kind"_a = -1, "texts"_a = false)
        .def(
            "feed",
            [](EdgeListParser& self, nb::bytes chunk) {
                const std::string_view view(chunk.c_str(), chunk.size());
                const nb::gil_scoped_release released;
                self.feed(view);
            },
            "chunk"_a, "Raises ValueError for a malformed line; `line` then tells which.")
        .def("finish", &EdgeListParser::finish, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("line", &EdgeListParser::line)
        .def_prop_ro("columns", &EdgeListParser::columns)
        .def_prop_ro("text_names", &EdgeListParser::text_names)
        .def_prop_ro("zero_weights", &EdgeListParser::zero_weights)
        .def(
            "take_edges",
            [](EdgeListParser& self) {
                return std::pair(to_numpy(std::move(self.src())), to_numpy(std::move(self.dst())));
            },
            "The two ends of every edge; the parser forgets them.")
        .def(
            "take_names",
            [](EdgeListParser& self) {
                const NameTable names = self.take_names();
                return std::pair(to_numpy(names.letters()), to_numpy(names.ends()));
            },
            "Letters and ends of the text names so far, which the parser forgets.")
        .def(
            "names", [](const EdgeListParser& self) { return listed(self.names()); },
            "Text names in order of first appearance; empty when all names are integers.")
        .def(
            "take_kinds", [](EdgeListParser& self) { return to_numpy(std::move(self.kinds())); },
            "The type of every edge, by its number in `kind_names`; the parser forgets them.")
        .def(
            "kind_names", [](const EdgeListParser& self) { return listed(self.kind_names()); },
            "Types of edges in order of first appearance.");
}

}  // namespace grape::python
