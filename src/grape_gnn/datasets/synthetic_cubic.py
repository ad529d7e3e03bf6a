"""Cubic shapes: every node has three neighbours, and has to tell in which kind of shape it lies.

The shapes are six well-known cubic graphs without triangles. A few pairs of edges then exchange
their ends at random, which joins the shapes and leaves all degrees as they are. So *message
passing without features sees nothing at all*, and neither does any named set of templates:
without triangles theirs are paths, and on a graph whose nodes have three neighbours each there are
as many paths around every node. Squares and pentagons tell the shapes apart:

==========  =====  ===========================  =============================
shape       nodes  squares through every node   pentagons through every node
==========  =====  ===========================  =============================
utility     6      6                            0
cube        8      3                            0
prism       10     2                            1
ladder      10     2                            0
petersen    10     0                            6
heawood     14     0                            0
==========  =====  ===========================  =============================

This is a task for the template search, which has to find both templates, starting from edges.
"""

from __future__ import annotations

import itertools

import numpy as np

from grape_gnn.arguments import number, whole_number
from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph

__all__ = ["DATASETS", "SHAPES", "cubic_shapes"]

Edges = list[tuple[int, int]]


def _ring_with_chords(size: int, chords: tuple[int, ...]) -> Edges:
    """Join a ring, and node ``i`` to ``i + chords[i]``, taking the chords by turns."""
    ring = {frozenset((i, (i + 1) % size)) for i in range(size)}
    across = {frozenset((i, (i + chords[i % len(chords)]) % size)) for i in range(size)}
    return sorted((min(edge), max(edge)) for edge in ring | across)


_PRISM = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]

SHAPES: dict[str, Edges] = {
    "utility": list(itertools.product(range(3), range(3, 6))),
    "cube": [(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit],
    "prism": [*_PRISM, *((i + 5, (i + 1) % 5 + 5) for i in range(5))],
    "ladder": _ring_with_chords(10, (5,)),
    "petersen": [*_PRISM, *((i + 5, (i + 2) % 5 + 5) for i in range(5))],
    "heawood": _ring_with_chords(14, (5, -5)),
}
"""The edges of every shape by its name."""


def cubic_shapes(*, num_nodes: int = 1200, exchanged: float = 0.04, seed: int = 0) -> Graph:
    """Generate a cubic graph whose labels are kinds of shapes; see the top of the module.

    Parameters
    ----------
    num_nodes
        About so many, at least 200; every shape has about as many nodes as every other.
    exchanged
        Share of the edges that exchange their ends with another, from 0 to 1.
    seed
        Decides which edges these are, and the order of the nodes.

    Returns
    -------
    Graph

    Examples
    --------
    >>> cubic_shapes(num_nodes=300)
    Graph(nodes=302, edges=453, undirected, features=1, classes=6)
    """
    least = whole_number("num_nodes", num_nodes, 200, error=DatasetError) / len(SHAPES)
    share = number("exchanged", exchanged, least=0, most=1, error=DatasetError)
    rng = np.random.default_rng(whole_number("seed", seed, error=DatasetError))
    edges: Edges = []
    labels: list[str] = []
    for name, shape in SHAPES.items():
        size = 1 + max(b for _, b in shape)
        for _ in range(round(least / size)):
            edges.extend((a + len(labels), b + len(labels)) for a, b in shape)
            labels.extend([name] * size)
    _exchange(edges, round(share * len(edges) / 2), rng)
    order = rng.permutation(len(labels))
    ends = order[np.array(edges)]
    y = np.empty(len(labels), object)
    y[order] = labels
    x = np.ones((len(labels), 1))
    return Graph.from_edges(ends[:, 0], ends[:, 1], len(labels), x=x, y=y, strict=True)


def _exchange(edges: Edges, times: int, rng: np.random.Generator) -> None:
    """Let random pairs of edges, a-b and c-d, become a-d and c-b where both are new."""
    known = {frozenset(edge) for edge in edges}
    for i, j in rng.permutation(len(edges))[: 2 * times].reshape(-1, 2).tolist():
        (a, b), (c, d) = edges[i], edges[j]
        new = frozenset((a, d)), frozenset((c, b))
        if len(new[0]) == len(new[1]) == 2 and not known.intersection(new):
            known.difference_update((frozenset((a, b)), frozenset((c, d))))
            known.update(new)
            edges[i], edges[j] = (a, d), (c, b)


DATASETS = (
    Dataset(
        DatasetInfo(
            name="cubic-shapes",
            description="generated: cubic graphs; label: kind of shape, which no named set of "
            "templates tells; constant feature",
            templates="social",
            citation="grape-gnn",
            licence="MIT",
            num_nodes=1194,
            num_edges=1791,
            num_features=1,
            num_classes=6,
        ),
        cubic_shapes,
    ),
)
