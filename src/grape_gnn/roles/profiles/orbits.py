"""The orbits of all connected graphs of two to five nodes, numbered as network science does.

An orbit is a place in a small graph that its symmetries do not tell apart: a node orbit is a
template whose anchor is that place, an edge orbit a template and the role at the other end of
one of the anchor's edges. The numbers are those of Przulj (2007) for nodes and of Hocevar and
Demsar (2016) for edges, which the program ORCA prints; the single edge has no number as an edge
orbit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from grape_gnn.template import Template
from grape_gnn.template.titles import known_name

__all__ = ["LARGEST", "Orbit", "edge_orbits", "node_orbits"]

# The graphs in the usual order G0 to G29. Their nodes are numbered, and their edges written, in
# the order of the orbits, so that the table holds the numbers of all orbits as well.
GRAPHLETS = (
    "0-1",
    "0-2 1-2",
    "0-1 0-2 1-2",
    "0-2 1-3 2-3",
    "0-3 1-3 2-3",
    "0-1 0-2 1-3 2-3",
    "0-3 1-2 1-3 2-3",
    "0-2 0-3 1-2 1-3 2-3",
    "0-1 0-2 0-3 1-2 1-3 2-3",
    "0-2 1-3 2-4 3-4",
    "0-3 1-4 2-4 3-4",
    "0-4 1-4 2-4 3-4",
    "0-3 1-4 2-3 2-4 3-4",
    "0-1 1-4 2-3 2-4 3-4",
    "0-4 1-4 2-3 2-4 3-4",
    "0-1 0-2 1-3 2-4 3-4",
    "0-4 1-2 1-3 2-4 3-4",
    "0-4 1-3 2-3 1-4 2-4 3-4",
    "0-1 2-3 0-4 1-4 2-4 3-4",
    "0-2 1-3 1-4 2-3 2-4 3-4",
    "0-3 0-4 1-3 1-4 2-3 2-4",
    "0-1 0-3 1-4 2-3 2-4 3-4",
    "0-3 0-4 1-3 1-4 2-3 2-4 3-4",
    "0-4 1-2 1-3 2-3 1-4 2-4 3-4",
    "0-2 1-3 0-4 1-4 2-3 2-4 3-4",
    "0-1 0-2 1-3 1-4 2-3 2-4 3-4",
    "0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4",
    "0-1 0-2 1-3 2-3 0-4 1-4 2-4 3-4",
    "0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4",
    "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4",
)
LARGEST = 5
"""Nodes of the largest graphs in the table."""


@dataclass(frozen=True)
class Orbit:
    """A place in a small graph.

    Attributes
    ----------
    number
        Its number in ORCA.
    template
        The small graph, its anchor in the orbit; of an edge orbit, one end of the edge.
    role
        Of an edge orbit, the role of the template at the other end of the edge; else 0.
    reversible
        Of an edge orbit, whether a symmetry of the small graph turns the edge round.

    Examples
    --------
    >>> node_orbits(4)[9]
    Orbit(9, '0-1 1-2 1-3 2-3')
    >>> node_orbits(4)[14].name, edge_orbits(4)[6].name
    ('4-clique', 'tailed-triangle-tail, role 1')
    """

    number: int
    template: Template
    role: int = 0
    reversible: bool = True

    @property
    def name(self) -> str:
        """The template's name, or else its text; of an edge orbit with the role."""
        name = self.template.name or self.template.text
        return f"{name}, role {self.role}" if self.role else name

    def __repr__(self) -> str:
        role = f", role={self.role}" if self.role else ""
        return f"Orbit({self.number}, {self.template.text!r}{role})"


@cache
def node_orbits(size: int) -> tuple[Orbit, ...]:
    """Return the node orbits of all connected graphs of two to `size` nodes.

    Examples
    --------
    >>> [len(node_orbits(size)) for size in (2, 3, 4, 5)]
    [1, 4, 15, 73]
    """
    found: dict[str, Template] = {}
    for edges in _graphlets(size):
        for node in range(1 + max(map(max, edges))):
            template = _anchored(edges, node)
            found.setdefault(template.canonical, template)
    return tuple(Orbit(number, template) for number, template in enumerate(found.values()))


@cache
def edge_orbits(size: int) -> tuple[Orbit, ...]:
    """Return the edge orbits of all connected graphs of three to `size` nodes.

    Examples
    --------
    >>> [len(edge_orbits(size)) for size in (3, 4, 5)]
    [2, 12, 68]
    """
    found: list[Orbit] = []
    seen: set[tuple[str, int]] = set()
    for edges in _graphlets(size)[1:]:
        for a, b in edges:
            template, role = _anchored(edges, a), _role(edges, a, b)
            one_way = (template.canonical, role)
            if one_way in seen:
                continue
            other_way = (_anchored(edges, b).canonical, _role(edges, b, a))
            seen |= {one_way, other_way}
            found.append(Orbit(len(found), template, role, one_way == other_way))
    return tuple(found)


def _graphlets(size: int) -> list[list[tuple[int, int]]]:
    """Return the edges of the small graphs, in the order in which the table writes them."""
    known = [[(int(word[0]), int(word[2])) for word in text.split()] for text in GRAPHLETS]
    return [edges for edges in known if max(map(max, edges)) < size]


def _anchored(edges: list[tuple[int, int]], node: int) -> Template:
    """Return a small graph with its anchor at a node, in canonical form and by its name."""
    plain = _turned(edges, node).canonical_template()
    return Template(plain.edges, name=known_name(plain))


def _role(edges: list[tuple[int, int]], anchor: int, node: int) -> int:
    """Return the role of a node in the small graph anchored at another."""
    turned = _turned(edges, anchor, node)
    return turned.canonical_template().role_of[turned.canonical_order.index(1)]


def _turned(edges: list[tuple[int, int]], *first: int) -> Template:
    rest = [node for node in range(1 + max(map(max, edges))) if node not in first]
    return Template(edges).relabel([*first, *rest])
