"""The two densest graphs of five nodes but the clique, counted in ego networks.

The wheel (a hub and a rim of four) and the clique short of an edge are what the algebra can only
search for. In the ego network of a node h let p(a, c) be the number of common neighbours of a
and c; then around every edge (h, a) there are

    sum over c of C(p(a, c), 2)                          wheels with the hub h,
    sum over common neighbours c of C(p(a, c), 2)        short cliques with h and a joined to all.

One pass over all p (``native/matching/ego_networks.hpp``) gives these numbers for every edge and
place, and the sums over the edges of a node those of the node.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.errors import CountOverflowError
from grape_gnn.roles.algebra import Evaluator
from grape_gnn.roles.algebra.expression import Adjacency
from grape_gnn.roles.algebra.totals import node_totals
from grape_gnn.roles.profiles.orbits import Orbit

__all__ = ["EgoNetworks", "node_column"]

# By their degrees, which no other graph has.
_WHEEL = (3, 3, 3, 3, 4)
_SHORT_CLIQUE = (3, 3, 4, 4, 4)
_WORD = 2.0**63


class EgoNetworks:
    """Wheels and short cliques of one graph.

    Parameters
    ----------
    known
        The graph, with the limits of the run.
    of
        ``"nodes"`` or ``"edges"``: whose orbits will be asked for.

    Examples
    --------
    >>> from itertools import combinations
    >>> from grape_gnn.graph import Graph
    >>> from grape_gnn.roles.profiles.orbits import node_orbits
    >>> clique = Graph.from_edges(*zip(*combinations(range(5), 2)))
    >>> EgoNetworks(Evaluator(clique), "nodes").node_column(node_orbits(5)[69])  # hub of a wheel
    array([3, 3, 3, 3, 3])
    """

    def __init__(self, known: Evaluator, of: str) -> None:
        self._known = known
        self._of = of

    @staticmethod
    def can_count(orbit: Orbit) -> bool:
        """Whether an orbit is one of these two graphs'."""
        return _kind(orbit) in (_WHEEL, _SHORT_CLIQUE)

    @cached_property
    def _counts(self) -> tuple[NDArray[np.int64], ...]:
        known = self._known
        limits, progress = known.watch
        *counts, stop = _native.ego_network_counts(
            known.graph.native, self._of == "edges", known.threads, limits, progress
        )
        known.check(stop)
        return tuple(counts)

    @cached_property
    def opposite(self) -> NDArray[np.int64]:
        """Where the edge (u, v) is stored, for every stored edge (v, u)."""
        return self._known.matrix(Adjacency("out")).pattern.origin

    def edge_column(self, orbit: Orbit) -> NDArray[np.int64]:
        """Count the instances around v with u in the orbit's role, for every stored edge (v, u)."""
        spoke, rim, full, open_ = self._counts
        degrees = _degrees(orbit)
        ends = degrees[0], degrees[orbit.template.roles[orbit.role][0]]
        if _kind(orbit) == _WHEEL:
            found = {(4, 3): spoke, (3, 4): spoke, (3, 3): rim}[ends]
        else:
            found = {(4, 4): full, (4, 3): open_, (3, 4): open_}[ends]
        return found[self.opposite] if ends == (3, 4) else found

    def node_column(self, orbit: Orbit) -> NDArray[np.int64]:
        """Count the instances of an orbit around every node."""
        spoke, _, full, open_ = self._counts
        joined_to_all = _degrees(orbit)[0] == 4
        if _kind(orbit) == _WHEEL:
            edges, times = (spoke, 4) if joined_to_all else (spoke[self.opposite], 1)
        else:
            edges, times = (full, 2) if joined_to_all else (open_[self.opposite], 3)
        return self._row_sums(edges, orbit) // times

    def _row_sums(self, edges: NDArray[np.int64], orbit: Orbit) -> NDArray[np.int64]:
        ptr = self._known.graph.indptr
        largest = np.diff(np.concatenate([[0.0], np.cumsum(edges, dtype=np.float64)])[ptr])
        if len(largest) and largest.max() >= _WORD / 2:
            raise CountOverflowError(
                f"template {orbit.template.text!r} has too many instances around a node to be "
                f"counted in 64 bits: use a smaller size"
            )
        # Where the sum over all edges wraps around, differences are right all the same.
        return np.diff(np.concatenate([[0], np.cumsum(edges)])[ptr])


def node_column(known: Evaluator, networks: EgoNetworks, orbit: Orbit) -> NDArray[np.int64]:
    """Count the non-induced instances of a node orbit around every node."""
    if networks.can_count(orbit):
        return networks.node_column(orbit)
    return node_totals(known, orbit.template)


def _degrees(orbit: Orbit) -> list[int]:
    degrees: list[int] = orbit.template.adjacency().sum(axis=0).tolist()
    return degrees


def _kind(orbit: Orbit) -> tuple[int, ...]:
    return tuple(sorted(_degrees(orbit)))
