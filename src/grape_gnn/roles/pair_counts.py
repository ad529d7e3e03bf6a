"""Counts of many roles, and weighted walks, at the same pairs of nodes; their work is shared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.at_pairs import PairValues
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.engine import make_settings
from grape_gnn.template import Template

__all__ = ["CountsAt", "PairCounts"]


class PairCounts:
    """Roles of one graph at pairs given by node numbers.

    Parameters
    ----------
    graph
        The graph.
    threads
        Number of threads; None: as many as there are processors.

    Examples
    --------
    >>> path = PairCounts(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> path.at(np.array([0, 0]), np.array([2, 3])).counts(Template("0-1 1-2"), 2)
    array([1, 0])
    """

    def __init__(self, graph: Graph, threads: int | None = None) -> None:
        self.evaluator = Evaluator(graph, make_settings(threads=threads))

    def at(self, egos: NDArray[np.int64], members: NDArray[np.int64]) -> CountsAt:
        """Choose the pairs."""
        return CountsAt(self.evaluator, egos, members)


class CountsAt:
    """What there is to know about chosen pairs."""

    def __init__(
        self, evaluator: Evaluator, egos: NDArray[np.int64], members: NDArray[np.int64]
    ) -> None:
        self._evaluator = evaluator
        self._values = PairValues(evaluator, egos, members)

    def counts(self, template: Template, role: int, *, turned: bool = False) -> NDArray[np.int64]:
        """Return how often the member plays the role for the ego; ``turned``: the other way."""
        operator = AlgebraicRole(self._evaluator, template, role, transposed=turned)
        return self._values.of(operator.plan, f"role {role} of template {template.text!r}")

    def weighted_walks(self, weights: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return walks, each worth the product of the weights of its inner nodes.

        Parameters
        ----------
        weights
            For every inner node of the walk a weight for each node of the graph: one array for
            walks of two edges, two for walks of three.
        """
        return self._values.weighted_walks(weights)
