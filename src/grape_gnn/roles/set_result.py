"""What `match` returns for a set of graphs: the roles of the union, cut by graph when asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from grape_gnn.graph import Graph
from grape_gnn.graphs import GraphSet
from grape_gnn.graphs.cut import Cut
from grape_gnn.roles.operator import IdentityRole, MatrixRole
from grape_gnn.roles.result import RoleMatches, TemplateRoles

__all__ = ["SetMatches"]


class SetMatches(RoleMatches):
    """The roles of several templates on a set of graphs.

    As a `RoleMatches` it is that of the union: an operator of all nodes. `of` gives the roles of
    one graph, `some` those of several.

    Examples
    --------
    >>> import networkx as nx
    >>> from grape_gnn.roles import match
    >>> graphs = GraphSet.of([nx.cycle_graph(5), nx.path_graph(3), nx.complete_graph(3)])
    >>> roles = match(graphs, "edge,triangle")
    >>> roles.of(2)[1].totals.tolist()
    [1, 1, 1]
    >>> roles.totals_by_graph().tolist()  # members of the edge's role 1 and of the triangle's
    [[10.0, 0.0], [4.0, 0.0], [6.0, 6.0]]
    """

    def __init__(
        self, graphs: GraphSet, weighting: str, induced: bool, templates: Sequence[TemplateRoles]
    ) -> None:
        super().__init__(graphs.union, weighting, induced, templates)
        self.graphs = graphs

    def of(self, number: int) -> RoleMatches:
        """Return the roles of graph `number`, exactly as matching it alone would give them."""
        alone = self.graphs[number]
        which = np.array([range(len(self.graphs))[number]])
        return RoleMatches(alone, self.weighting, self.induced, self._cut(alone, which))

    def some(self, which: slice | ArrayLike) -> SetMatches:
        """Return the roles of some graphs: a slice, a list of numbers or a mask."""
        chosen = self.graphs[which]
        numbers = self.graphs.numbers(which)
        cut = self._cut(chosen.union, numbers)
        return SetMatches(chosen, self.weighting, self.induced, cut)

    def materialised(self) -> SetMatches:
        """Return the same matches with every role written out as a sparse matrix."""
        return SetMatches(self.graphs, self.weighting, self.induced, super().materialised()[:])

    def totals_by_graph(self) -> NDArray[np.float64]:
        """Return how many members every role has around all egos of a graph: (graphs, roles).

        The columns are the roles of all templates one after the other, role 0 of each left out.
        """
        found = [
            np.bincount(
                self.graphs.graph_of_node,
                np.asarray(role.row_sums(), np.float64),
                minlength=len(self.graphs),
            )
            for roles in self
            for role in roles[1:]
        ]
        return np.stack(found, axis=1)

    @cached_property
    def _written(self) -> SetMatches:
        stored = all(role.is_stored for roles in self for role in roles[1:])
        return self if stored else self.materialised()

    def _cut(self, graph: Graph, which: NDArray[np.int64]) -> list[TemplateRoles]:
        cut = Cut.of(self.graphs.ptr, which)
        nodes = cut.nodes
        return [
            TemplateRoles(
                roles.template,
                [
                    IdentityRole(graph, roles.template, 0),
                    *(
                        MatrixRole(graph, roles.template, role.role, _part(role.to_scipy(), cut))
                        for role in roles[1:]
                    ),
                ],
                roles.totals[nodes],
                None if roles.complete is None else roles.complete[nodes],
                roles.sampled,
            )
            for roles in self._written
        ]


def _part(matrix: sparse.csr_array[Any, Any], cut: Cut) -> sparse.csr_array[Any, Any]:
    indptr, indices, entries = cut.rows(matrix.indptr.astype(np.int64), matrix.indices)
    n = int(cut.ptr[-1])
    return sparse.csr_array((matrix.data[entries], indices, indptr), shape=(n, n))
