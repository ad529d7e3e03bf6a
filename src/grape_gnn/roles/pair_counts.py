"""Counts of many roles, and weighted walks, at the same pairs of nodes; their work is shared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.at_pairs import PairValues
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.engine import make_settings

__all__ = ["PairCounts", "PairValues"]


class PairCounts:
    """Roles of one graph at pairs given by node numbers; no number of threads: all processors.

    Examples
    --------
    >>> from grape_gnn.template import Template
    >>> path = PairCounts(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> path.at(np.array([0, 0]), np.array([2, 3])).counts(Template("0-1 1-2"), 2)
    array([1, 0])
    """

    def __init__(self, graph: Graph, threads: int | None = None) -> None:
        self._known = Evaluator(graph, make_settings(threads=threads))

    def at(self, egos: NDArray[np.int64], members: NDArray[np.int64]) -> PairValues:
        """Choose the pairs."""
        return PairValues(self._known, egos, members)
