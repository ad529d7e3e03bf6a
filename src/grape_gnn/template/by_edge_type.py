"""Templates that tell the types of edges apart, so that a network learns a map for each."""

from __future__ import annotations

from collections.abc import Iterable

from grape_gnn.template.template import Template
from grape_gnn.template.text import Label
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["by_edge_type"]


def by_edge_type(
    templates: str | Template | Iterable[str | Template], types: Iterable[Label]
) -> list[Template]:
    """Return templates, and each once more for every role next to the ego and every type of edge.

    In the further ones the edge from the ego to that role asks for the type. A role around an ego
    is so split by the edge that leads to its members, and what is learnt per role, a weight or a
    map, is learnt per role and type of edge.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set.
    types
        The types of edges, such as `Graph.edge_type_names`.

    Examples
    --------
    >>> [t.text for t in by_edge_type("edge,3-path", ["single", "double"])]
    ['0-1', '0-1=single', '0-1=double', '0-1 1-2', '0-1=single 1-2', '0-1=double 1-2']
    """
    kinds = list(types)
    found: dict[str, Template] = {}
    for template in find_templates(templates):
        found.setdefault(template.canonical, template)
        for role in template.roles[1:]:
            joined = [edge for edge in template.edges if set(edge) == {0, role[0]}]
            for kind in kinds if joined else ():
                asked = dict.fromkeys(joined, kind) | template.type_of_edge
                typed = Template(template, edge_types=asked).with_name(None)
                found.setdefault(typed.canonical, typed)
    return list(found.values())
