"""Planted roles: shapes hung on a ring, and every node has to tell its place in its shape.

The ring has one node per shape, joined to the shape's root. The label of a node is its shape and
its role there, that is its orbit under the symmetries of the shape that fix the root; ring nodes
are ``"base"``. The only feature is a constant 1.

Shapes come in families whose members *message passing cannot tell apart*, because colour
refinement (1-WL), which bounds it (Xu et al., 2019), gives equal colours to corresponding nodes:
each member is a hub joined to all nodes of a regular rim, and the rims of a family have the same
size and degree. Families follow each other around the ring in a fixed order, so the surroundings
tell nothing either. Triangles and 4-cliques, however, differ at every node.

=========  ===============================  ===================  =====================
family     member                           hub: 4-cliques       rim: triangles
=========  ===============================  ===================  =====================
house      house                            told apart by degree alone
2-regular  wheel: a ring of six             0                    2
..         windmill: two triangles          2                    3
3-regular  cube                             0                    3
..         necklace: two diamonds           4                    4 (tip), 5 (middle)
..         cliques: two 4-cliques           8                    6
=========  ===============================  ===================  =====================

Two nodes in three lie in a family of twins; guessing there, the best message passing without
features gets about 60% of all nodes right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grape_gnn.datasets.generated import checked_size, generated, seeded
from grape_gnn.graph import Graph

__all__ = ["DATASETS", "FAMILIES", "Shape", "hang", "planted_roles"]

BASE = "base"


@dataclass(frozen=True)
class Shape:
    """A small graph to hang on the ring by its node 0.

    Parameters
    ----------
    name
        The first word of its labels.
    edges
        Pairs of its nodes.
    roles
        The role of every node.
    """

    name: str
    edges: tuple[tuple[int, int], ...]
    roles: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """The label of every node."""
        return [f"{self.name} {role}" for role in self.roles]


def _ring(size: int, start: int = 0) -> list[tuple[int, int]]:
    return [(start + i, start + (i + 1) % size) for i in range(size)]


def _clique(size: int, start: int = 0) -> list[tuple[int, int]]:
    return [(start + i, start + j) for j in range(size) for i in range(j)]


def _diamond(start: int) -> list[tuple[int, int]]:
    # Tips are the first and the last node: a 4-clique without the edge between them.
    return [edge for edge in _clique(4, start) if edge != (start, start + 3)]


def _cone(name: str, rim: Iterable[tuple[int, int]], roles: Iterable[str]) -> Shape:
    roles = ("hub", *roles)
    spokes = [(0, i) for i in range(1, len(roles))]
    return Shape(name, (*spokes, *((a + 1, b + 1) for a, b in rim)), roles)


_CUBE = [(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit]
_NECKLACE = [*_diamond(0), *_diamond(4), (3, 4), (0, 7)]

FAMILIES: tuple[tuple[Shape, ...], ...] = (
    (
        Shape(
            "house",
            ((0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (3, 4)),
            ("roof", "eave", "eave", "floor", "floor"),
        ),
    ),
    (
        _cone("wheel", _ring(6), ["rim"] * 6),
        _cone("windmill", [*_ring(3), *_ring(3, 3)], ["rim"] * 6),
    ),
    (
        _cone("cube", _CUBE, ["rim"] * 8),
        _cone("necklace", _NECKLACE, ["tip", "middle", "middle", "tip"] * 2),
        _cone("cliques", [*_clique(4), *_clique(4, 4)], ["rim"] * 8),
    ),
)
"""The shapes, in families of members that message passing cannot tell apart."""


def planted_roles(*, num_shapes: int = 240, seed: int = 0) -> Graph:
    """Generate a graph whose labels are structural roles; see the top of the module.

    Parameters
    ----------
    num_shapes
        A multiple of 3, at least 9; the graph has eight nodes per shape.
    seed
        Decides which member of its family hangs where, and the order of the nodes.

    Returns
    -------
    Graph

    Examples
    --------
    >>> planted_roles(num_shapes=9)
    Graph(nodes=72, edges=132, undirected, features=1, classes=15)
    """
    period = len(FAMILIES)
    reason = "so that the order of families closes around the ring"
    num_shapes = checked_size("num_shapes", num_shapes, 9, period, reason)
    rng = seeded(seed)
    members = [_deal(len(family), num_shapes // period, rng) for family in FAMILIES]
    hung = []
    for position in range(num_shapes):
        lap, slot = divmod(position, period)
        hung.append(FAMILIES[slot][members[slot][lap]])
    return hang(_ring(num_shapes), num_shapes, zip(range(num_shapes), hung, strict=True), rng)


def _deal(members: int, places: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Give each member the same number of places, as nearly as possible, in random order."""
    dealt: NDArray[np.int64] = rng.permutation(np.arange(places) % members)
    return dealt


def hang(
    base: list[tuple[int, int]],
    base_size: int,
    shapes: Iterable[tuple[int, Shape]],
    rng: np.random.Generator,
) -> Graph:
    """Join shapes by their roots to nodes of a base graph, and put the nodes in random order.

    Parameters
    ----------
    base, base_size
        Edges and number of nodes of the base.
    shapes
        Pairs of a node of the base and the shape that hangs there.
    rng
        Decides the order.

    Examples
    --------
    >>> wheel = FAMILIES[1][0]
    >>> hang([(0, 1)], 2, [(0, wheel), (0, wheel)], np.random.default_rng(0))
    Graph(nodes=16, edges=27, undirected, features=1, classes=3)
    """
    edges, labels = list(base), [BASE] * base_size
    for place, shape in shapes:
        first = len(labels)
        edges.append((place, first))
        edges.extend((first + a, first + b) for a, b in shape.edges)
        labels.extend(shape.labels)
    order = rng.permutation(len(labels))
    ends = order[np.array(edges)]
    y = np.empty(len(labels), object)
    y[order] = labels
    return Graph.from_edges(
        ends[:, 0], ends[:, 1], len(labels), x=np.ones((len(labels), 1)), y=y, strict=True
    )


DATASETS = (
    generated(
        "planted-roles",
        "shapes on a ring; label: role in the shape; constant feature",
        planted_roles,
        (1920, 3520, 1, 15),
    ),
)
