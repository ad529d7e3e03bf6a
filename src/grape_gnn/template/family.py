"""The family of a template: one node or edge more, one less, and all templates of a size.

The search of the paper (Algorithm 1) mutates a template into one of its children; incremental
matching (Proposition 1) finds a child's instances from those of a parent.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache

from grape_gnn.errors import TemplateError
from grape_gnn.template.growing import grow
from grape_gnn.template.structure import MAX_NODES, is_connected
from grape_gnn.template.template import Template

__all__ = ["all_templates", "children", "parents"]

# Beyond these sizes there are more than 70,000 templates.
_LARGEST_UNDIRECTED = 7
_LARGEST_DIRECTED = 4


def children(template: Template) -> list[Template]:
    """Templates with one edge more, or one node more that hangs on a single old node.

    In a directed template an edge is one arc, and a new node hangs on an arc out, in, or both.
    A child keeps the numbers of its parent's nodes (and what nodes and edges ask for), and a new
    node comes last, so an instance of the child starts with an instance of the parent. Children are
    distinct up to isomorphism, in the order of their canonical form; a new node or edge asks for
    nothing.

    Examples
    --------
    >>> children(Template("0-1 1-2"))
    [Template('0-1 0-2 1-2'), Template('0-1 0-3 1-2'), Template('0-1 1-2 1-3'),
     Template('0-1 1-2 2-3')]
    """
    old = set(template.edges)
    nodes = range(template.num_nodes)
    grown = [
        [*old, (a, b)]
        for a, b in itertools.permutations(nodes, 2)
        if (a, b) not in old and (template.directed or a < b)
    ]
    if template.num_nodes < MAX_NODES:
        new = template.num_nodes
        for a in nodes:
            grown.append([*old, (a, new)])
            if template.directed:
                grown.append([*old, (new, a)])
                grown.append([*old, (a, new), (new, a)])
    return _distinct(
        Template(
            edges,
            template.directed,
            dict(enumerate(template.labels)),
            edge_types=template.type_of_edge,
        )
        for edges in grown
    )


def parents(template: Template) -> list[Template]:
    """Templates with one edge less, or without one node that hangs on a single other node.

    A parent is connected, keeps the anchor and has at least two nodes; the nodes after a removed
    one move down by one. For templates without labels this is the inverse of `children`.

    Examples
    --------
    >>> parents(Template("0-1 0-2 1-2"))
    [Template('0-1 0-2'), Template('0-2 1-2')]
    """
    shrunk = []
    for edge in template.edges:
        rest = [e for e in template.edges if e != edge]
        if is_connected(rest, template.num_nodes):
            types = {e: asked for e, asked in template.type_of_edge.items() if e != edge}
            shrunk.append(Template(rest, template.directed, template.labels, edge_types=types))
    if template.num_nodes > 2:
        shrunk += [_without(template, node) for node in _pendant_nodes(template)]
    return _distinct(shrunk)


@cache
def all_templates(size: int, directed: bool = False) -> tuple[Template, ...]:
    """Every connected template of a size, with every anchor, once each, in canonical form.

    By the number of edges, then by canonical text; see `grape_gnn.template.growing`, which makes
    them one by one.

    Parameters
    ----------
    size
        Number of nodes: up to 7, or up to 4 if directed.
    directed
        Whether to list directed (weakly connected) templates.

    Examples
    --------
    >>> all_templates(3)
    (Template('0-1 0-2'), Template('0-1 1-2'), Template('0-1 0-2 1-2'))
    >>> [len(all_templates(size)) for size in (2, 3, 4, 5)]
    [1, 3, 11, 58]
    """
    largest = _LARGEST_DIRECTED if directed else _LARGEST_UNDIRECTED
    if size not in range(2, largest + 1):
        raise TemplateError(
            f"all_templates({size}, directed={directed}): sizes 2 to {largest} can be listed; "
            f"beyond, grow the ones you need with children()"
        )
    return tuple(grow(size, directed))


def _pendant_nodes(template: Template) -> list[int]:
    neighbours: list[set[int]] = [set() for _ in range(template.num_nodes)]
    for a, b in template.edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    return [node for node in range(1, template.num_nodes) if len(neighbours[node]) == 1]


def _without(template: Template, node: int) -> Template:
    moved = {
        (a, b): (a - (a > node), b - (b > node)) for a, b in template.edges if node not in (a, b)
    }
    labels = template.labels[:node] + template.labels[node + 1 :]
    types = {moved[e]: asked for e, asked in template.type_of_edge.items() if e in moved}
    return Template(moved.values(), template.directed, labels, edge_types=types)


def _distinct(templates: Iterable[Template]) -> list[Template]:
    first: dict[str, Template] = {}
    for template in templates:
        first.setdefault(template.canonical, template)
    return [first[canonical] for canonical in sorted(first)]
