"""Roles that are not written out, on another graph: the surroundings of some egos, say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.operator import RoleOperator

__all__ = ["roles_on"]


def roles_on(graph: Graph, roles: Sequence[RoleOperator]) -> list[RoleOperator]:
    """Return the same roles of the same templates on another graph, by algebra.

    Examples
    --------
    >>> from grape_gnn.roles import match
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> (end,) = roles_on(path, [match(Graph.from_edges([0], [1]), "3-path")[0][2]])
    >>> (end @ [1, 10, 100, 1000]).tolist()
    [100, 1000, 1, 10]
    """
    evaluator = Evaluator(graph)
    return [role.on(evaluator) for role in cast("Sequence[AlgebraicRole]", roles)]
