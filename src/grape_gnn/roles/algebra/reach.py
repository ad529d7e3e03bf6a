"""How far walks go from every node, and where two halves of a walk should meet.

A product such as ``A⁶`` at given pairs is met in the middle: some steps from the ego, pushed once
for all its pairs, the others from each member. The split is the one expected to cost least.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.exact import Floats
from grape_gnn.roles.algebra.stored import Pattern, StoredMatrix

__all__ = ["Reach"]

_PUSHED = 2.5  # what an entry costs that is pushed on, compared with one that is gathered


class Reach:
    """Entries that are visited on the way from the nodes of one graph, roughly.

    Examples
    --------
    >>> star = Reach(Graph.from_edges([0, 0, 0], [1, 2, 3]))
    >>> star.of(2).tolist()
    [6.0, 4.0, 4.0, 4.0]
    >>> star.best_front(4, np.array([0]), np.array([1, 2, 3]))
    2
    """

    def __init__(self, graph: Graph) -> None:
        self._edges = StoredMatrix(Pattern(graph.indptr, graph.indices)).to_scipy()
        self._walks: list[Floats] = [np.diff(graph.indptr).astype(np.float64)]

    def of(self, steps: int) -> Floats:
        """Return the entries visited on the way so many steps from every node."""
        while len(self._walks) < steps:
            self._walks.append(np.minimum(self._edges @ self._walks[-1], self._edges.nnz))
        return np.sum(self._walks[:steps], axis=0) if steps else np.zeros(len(self._walks[0]))

    def best_front(self, steps: int, heads: NDArray[np.integer], tails: NDArray[np.integer]) -> int:
        """Return how many steps to go from the heads, once each, before the tails' steps meet."""
        # At least one step is walked from the tail: it is gathered from the row.
        costs = [
            _PUSHED * self.of(front)[heads].sum() + self.of(steps - front)[tails].sum()
            for front in range(1, steps)
        ]
        return 1 + int(np.argmin(costs)) if costs else 0

    def one_way(self, places: Pattern) -> tuple[Pattern, NDArray[np.int64]]:
        """Return half of the places of a symmetric pattern, and which they are.

        Of ``(v, u)`` and ``(u, v)`` the one whose row reaches further: its walk serves many places.
        """
        heads = np.repeat(np.arange(places.num_rows), np.diff(places.ptr))
        own, other = (self.of(2)[nodes] for nodes in (heads, places.idx))
        kept = (own > other) | ((own == other) & (heads <= places.idx))
        ptr = np.concatenate([[0], np.cumsum(kept)])[places.ptr]
        return Pattern(ptr.astype(np.int64), places.idx[kept]), np.flatnonzero(kept)
