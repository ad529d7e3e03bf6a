"""Which smaller templates a template's instances can be derived from, and node by node how.

Proposition 1 of the paper: every instance of a template contains an instance of each parent.
Here a parent lacks one edge (in a directed template: one arc) or one node with its edges; the
paper's node mutation, a node that hangs on a single other, is the simplest case of the latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from grape_gnn.template import Template
from grape_gnn.template.text import Edge

__all__ = ["Parent", "parents_of", "prefix_of"]


@dataclass(frozen=True)
class Parent:
    """A parent in canonical numbering; ``image[c]`` is its node that child node ``c`` stems from.

    ``image[c]`` is -1 for the one node that the parent lacks.
    """

    template: Template
    image: tuple[int, ...]


@lru_cache(maxsize=1024)
def parents_of(child: Template) -> tuple[Parent, ...]:
    """List every connected parent of a template.

    Examples
    --------
    >>> [parent.template.text for parent in parents_of(Template("0-1 0-2 1-2"))]
    ['0-1 1-2', '0-1 1-2', '0-1 0-2', '0-1', '0-1']
    """
    found = [
        _canonical(child, [e for e in child.edges if e != edge], list(range(child.num_nodes)))
        for edge in child.edges
    ]
    if child.num_nodes > 2:
        found += [_without_node(child, node) for node in reversed(range(1, child.num_nodes))]
    return tuple(parent for parent in found if parent is not None)


def prefix_of(child: Template) -> Parent:
    """Remove the last node of a template in canonical numbering; the rest is always connected.

    Examples
    --------
    >>> prefix_of(Template("0-1 0-2 1-2 0-3")).template.text
    '0-1 0-2 1-2'
    """
    parent = _without_node(child, child.num_nodes - 1)
    if parent is None:
        raise ValueError(f"template {child.text!r} is not in canonical numbering")
    return parent


def _without_node(child: Template, node: int) -> Parent | None:
    kept = [other for other in range(child.num_nodes) if other != node]
    return _canonical(child, [edge for edge in child.edges if node not in edge], kept)


def _canonical(child: Template, edges: list[Edge], kept: list[int]) -> Parent | None:
    """Renumber the kept nodes canonically; None if the edges leave them disconnected."""
    if not _connected(edges, kept):
        return None
    number = {node: k for k, node in enumerate(kept)}
    rest = Template(
        [(number[a], number[b]) for a, b in edges],
        directed=child.directed,
        labels=[child.labels[node] for node in kept],
        edge_types={
            (number[a], number[b]): asked
            for (a, b), asked in child.type_of_edge.items()
            if (a, b) in edges
        },
    )
    place = {kept[old]: new for new, old in enumerate(rest.canonical_order)}
    image = tuple(place.get(node, -1) for node in range(child.num_nodes))
    return Parent(rest.canonical_template(), image)


def _connected(edges: list[Edge], nodes: list[int]) -> bool:
    reached, frontier = {0}, [0]
    while frontier:
        node = frontier.pop()
        for edge in edges:
            if node in edge:
                other = edge[0] + edge[1] - node
                if other not in reached:
                    reached.add(other)
                    frontier.append(other)
    return len(reached) == len(nodes)
