"""Roles and totals for one block of egos after the other, by algebra or by enumeration.

Enumeration goes ego by ego. The algebra has first to store numbers on the graph's edges, once for
all blocks; the rows of a block are then products of the block's own rows with the whole graph, and
totals are those of all nodes, counted once. Pairs off the edges are not stored for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import LARGEST
from grape_gnn.errors import BudgetExceededError, CountOverflowError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import AlgebraicRole, algebra_roles, choose_engine
from grape_gnn.roles.algebra.induced import reaches_induced
from grape_gnn.roles.dispatch import stored_roles
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.profiles.totals import TotalCounter
from grape_gnn.roles.result import TemplateRoles
from grape_gnn.template import Template

__all__ = ["EgoBlocks"]

Found = TypeVar("Found")

_CLEARLY = 2.0  # every process prepares the algebra for itself, while egos are shared out


class EgoBlocks:
    """Counts around consecutive egos; equal to the rows of `match`, to the last count.

    Parameters
    ----------
    graph
        The graph.
    settings
        How to count. Its bytes bound what the algebra keeps for all blocks: a template that needs
        more is enumerated, or refused with the engine ``"algebra"``.
    engine
        ``"algebra"``, ``"enumerate"``, or ``"auto"``: for each template the one that is expected to
        cost less, for what is asked for.

    Examples
    --------
    >>> path = EgoBlocks(Graph.from_edges([0, 1, 2], [1, 2, 3]), MatchSettings())
    >>> path.roles(Template("0-1 1-2"), range(2))[2].to_scipy().toarray().tolist()
    [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    >>> path.totals(Template("0-1 1-2"), range(2)).tolist()
    [[1, 1, 1], [1, 1, 1]]
    """

    def __init__(self, graph: Graph, settings: MatchSettings, engine: str = "auto") -> None:
        self.graph = graph
        self.engine = engine
        self.settings = settings
        self._counter = TotalCounter(graph, replace(settings, weighting="count"))
        self._kept: dict[tuple[str, Template], Any] = {}
        self._alone = Lock()  # a worker of Dask has several threads, an evaluator is for one

    def roles(self, template: Template, egos: range) -> TemplateRoles:
        """Return the roles around the egos; the rows of all other nodes are empty."""
        found = self._written(template, egos)
        if found is None:
            found = self._enumerated(template, egos)
        return stored_roles(self.graph, template, found)

    def totals(self, template: Template, egos: range) -> NDArray[np.int64]:
        """Return one row per ego: the instances around it, then the sum of each of its roles."""
        rows = slice(egos.start, egos.stop)
        if self.settings.weighting == "set":
            roles = self.roles(template, egos)
            sums = [roles.totals, *(role.row_sums() for role in roles[1:])]
            return np.stack([column[rows] for column in sums], axis=1).astype(np.int64)
        instances = self._instances(template)
        if instances is None:
            instances = self._enumerated(template, egos, pairs=False).totals
        # Every instance fills a role once with each node of the role.
        sizes = np.array([1, *(len(role) for role in template.roles[1:])])
        if int(instances[rows].max(initial=0)) > LARGEST // int(sizes.max()):
            raise CountOverflowError(
                f"the sum of a role of template {template.text!r} does not fit into 64 bits: use "
                f"a smaller template"
            )
        totals: NDArray[np.int64] = instances[rows, None] * sizes
        return totals

    # ------------------------------------------------------------ the two engines

    def _enumerated(self, template: Template, egos: range, *, pairs: bool = True) -> EngineOutput:
        chosen = np.arange(egos.start, egos.stop, dtype=np.int32)
        free = replace(self.settings, bytes=None)
        return enumerate_roles(self.graph, template, free, chosen, pairs=pairs)

    def _written(self, template: Template, egos: range) -> EngineOutput | None:
        """Write rows out by the algebra; None if they are to be enumerated."""
        operators = self._once("roles", template, self._prepared)
        instances = None if operators is None else self._instances(template)
        if operators is None or instances is None:
            return None
        try:
            matrices = [role.to_scipy(memory=LARGEST, egos=egos) for role in operators]
        except CountOverflowError:  # the sum of a row does not fit into 64 bits; its entries may
            return None
        if self.settings.weighting == "set":
            for matrix in matrices:
                matrix.data[:] = 1
        return EngineOutput(matrices, instances, None)

    def _prepared(self, template: Template) -> list[AlgebraicRole] | None:
        known, model = self._counter.known, self._counter.model
        if self.engine == "auto":
            compiled(self.graph, template)  # complains in terms of the user's template
            if model.induced and not reaches_induced(template):
                return None
            if not all(plan.keeps_to_edges for plan in model.plans(template)):
                return None
            algebra, enumeration = model.written(template)
            if enumeration < _CLEARLY * algebra:
                return None
        roles = algebra_roles(known, template, known.settings)
        return [role for role in roles if isinstance(role, AlgebraicRole)]

    def _instances(self, template: Template) -> NDArray[np.int64] | None:
        """Return the instances around all nodes; None if they are to be enumerated."""
        return self._once("totals", template, self._counted)

    def _counted(self, template: Template) -> NDArray[np.int64] | None:
        known, model = self._counter.known, self._counter.model
        if self.engine == "auto":
            found = self._counter.by_algebra(template)
            if found is not None or choose_engine(model, template, known.settings) == "enumerate":
                return found
        return algebra_roles(known, template, known.settings).totals

    def _once(
        self, what: str, template: Template, compute: Callable[[Template], Found | None]
    ) -> Found | None:
        """Compute by the algebra for all blocks; None if not wanted, or for want of memory."""
        if self.engine == "enumerate":
            return None
        with self._alone:
            if (what, template) not in self._kept:
                try:
                    self._kept[what, template] = compute(template)
                except BudgetExceededError:
                    if self.engine == "algebra":
                        raise
                    self._kept[what, template] = None
            kept: Found | None = self._kept[what, template]
            return kept
