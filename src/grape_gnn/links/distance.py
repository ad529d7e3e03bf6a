"""How far apart two nodes are when the edge between them, if there is one, is not used.

For a link this is the length of the shortest cycle through it, less one. Like the counts of roles
that are not joined to the ego, it is the same before and after the link is deleted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph

__all__ = ["FARTHEST", "detours"]

FARTHEST = 16
"""Nodes further apart count as not connected."""


def detours(
    graph: Graph, heads: NDArray[np.int64], tails: NDArray[np.int64], farthest: int = FARTHEST
) -> NDArray[np.int64]:
    """Return the length of the shortest path between two nodes that is not their own edge.

    Two breadth-first searches, one from each node, the smaller one always a step further: next to
    a dead end they stop at once.

    Returns
    -------
    numpy.ndarray
        Lengths; ``farthest + 1`` where there is no path of at most ``farthest`` edges.

    Examples
    --------
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> detours(square, np.array([0, 0]), np.array([1, 2])).tolist()
    [3, 2]
    """
    neighbours: dict[int, list[int]] = {}

    def around(node: int) -> list[int]:
        if node not in neighbours:
            neighbours[node] = graph.neighbours(node).tolist()
        return neighbours[node]

    found = [
        _detour(around, a, b, farthest) for a, b in zip(heads.tolist(), tails.tolist(), strict=True)
    ]
    return np.array(found, dtype=np.int64)


def _detour(around: Callable[[int], list[int]], a: int, b: int, farthest: int) -> int:
    if a == b:
        return 0
    seen, fronts = ({a}, {b}), [{a}, {b}]
    for length in range(1, farthest + 1):
        side = 0 if len(fronts[0]) <= len(fronts[1]) else 1
        mine, other = seen[side], seen[1 - side]
        reached = {c for node in fronts[side] for c in around(node)}
        if len(mine) == 1:  # the first step of this side: not by the pair's own edge
            reached.discard(b if side == 0 else a)
        reached -= mine
        if not reached.isdisjoint(other):
            return length
        if not reached:
            return farthest + 1
        mine |= reached
        fronts[side] = reached
    return farthest + 1
