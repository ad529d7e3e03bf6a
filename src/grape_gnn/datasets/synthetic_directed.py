"""Feedback or feed-forward: triangles that differ only in the direction of their arcs.

Every node takes part in six triangles. In class ``feedback`` all are cycles, a > b > c > a; in
class ``feed-forward`` none is: in a > b, a > c, b > c the node is source, middle and target twice
each; in class ``mixed`` half of the six are of each kind. The triangles are dealt so that no two
nodes meet twice. Hence every node has six arcs in, six out, none of them both ways, and six planted
triangles if one forgets the directions.

A network has to count directed triangles. *Message passing sees nothing at all*, with directions
or without, because all nodes have the same in- and out-degree and the feature 1: the best it can do
is to guess one class in three. Counting triangles without their directions hardly helps. The few
triangles that come about by accident are the only noise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.datasets.generated import checked_size, generated, seeded
from grape_gnn.graph import Graph

__all__ = ["DATASETS", "directed_roles"]

NAMES = ("feedback", "mixed", "feed-forward")
FEEDBACK = ((0, 1), (1, 2), (2, 0))
FEED_FORWARD = ((0, 1), (0, 2), (1, 2))


def directed_roles(*, num_nodes: int = 1800, seed: int = 0) -> Graph:
    """Generate a directed graph of feedback and feed-forward triangles; see the top of the module.

    Parameters
    ----------
    num_nodes
        A multiple of 9, at least 180.
    seed
        Seed of everything random.

    Returns
    -------
    Graph

    Examples
    --------
    >>> directed_roles(num_nodes=180)
    Graph(nodes=180, edges=1080, directed, features=1, classes=3)
    """
    reason = "so that each of three classes falls into triangles"
    n = checked_size("num_nodes", num_nodes, 180, 9, reason)
    rng = seeded(seed)
    y = rng.permutation(np.arange(n) % len(NAMES))
    arcs: list[tuple[int, int]] = []
    met: set[frozenset[int]] = set()
    # Two helpings of three triangles each: nodes of the mixed class are fed forward in one.
    for forward in (y >= 1, y >= 2):
        for members, kind in ((~forward, FEEDBACK), (forward, FEED_FORWARD)):
            thirds = rng.permutation(np.flatnonzero(members)).reshape(3, -1)
            for turn in range(3):  # every third plays every part once
                corners = _deal(np.roll(thirds, turn, axis=0), met, rng)
                arcs.extend((corner[a], corner[b]) for corner in corners for a, b in kind)
    src, dst = np.array(arcs, np.int64).T
    return Graph.from_edges(
        src, dst, n, directed=True, x=np.ones((n, 1)), y=y, label_names=NAMES, strict=True
    )


def _deal(
    thirds: NDArray[np.int64], met: set[frozenset[int]], rng: np.random.Generator
) -> list[tuple[int, int, int]]:
    """Make triangles with one corner from each third, of nodes that have not `met` before."""
    dealt = thirds.T.copy()
    for column in dealt.T[1:]:
        rng.shuffle(column)
    while True:
        triangles = [tuple(row) for row in dealt.tolist()]
        clashes = [i for i, row in enumerate(triangles) if met.intersection(_pairs(row))]
        if not clashes:
            break
        for i in clashes:
            column, other = rng.integers(1, 3), rng.integers(len(dealt))
            dealt[[i, other], column] = dealt[[other, i], column]
    for row in triangles:
        met.update(_pairs(row))
    return [(a, b, c) for a, b, c in triangles]


def _pairs(triangle: tuple[int, ...]) -> list[frozenset[int]]:
    a, b, c = triangle
    return [frozenset((a, b)), frozenset((a, c)), frozenset((b, c))]


DATASETS = (
    generated(
        "directed-roles",
        "feedback and feed-forward triangles; label: which of them a node is in; constant feature",
        directed_roles,
        (1800, 10800, 1, 3),
        templates="to,from,directed-3-cycle,feed-forward-source,feed-forward-middle,"
        "feed-forward-target",
        directed=True,
    ),
)
