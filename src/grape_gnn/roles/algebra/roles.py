"""Engine ``algebra``: every role of every template as an operator, nothing enumerated."""

from __future__ import annotations

from collections.abc import Sequence

from grape_gnn.errors import MatchError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.operator import MatrixRole, RoleOperator
from grape_gnn.template import Template

__all__ = ["algebra_roles"]


def algebra_roles(
    graph: Graph,
    templates: Sequence[Template],
    settings: MatchSettings,
    evaluator: Evaluator | None = None,
) -> list[list[RoleOperator]]:
    """Roles 1, 2, ... of every template; what they have in common is computed once.

    Parameters
    ----------
    graph, templates, settings
        What to match, and how. Counts need no enumeration and no role matrix. With
        ``weighting="set"`` the counts are written out, under the memory budget, to see which
        are positive.
    evaluator
        What is already known of this graph from an earlier call.

    Examples
    --------
    >>> triangle = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> roles = algebra_roles(triangle, [Template("0-1 1-2")], MatchSettings())
    >>> [role.row_sums().tolist() for role in roles[0]]
    [[2, 2, 2], [2, 2, 2]]
    """
    if settings.induced:
        raise MatchError("engine 'algebra' counts non-induced: use engine='enumerate'")
    known = evaluator or Evaluator(graph, settings)
    found: list[list[RoleOperator]] = []
    for template in templates:
        compiled(graph, template)  # says so if the graph's direction does not fit
        roles: list[RoleOperator] = []
        for number in range(1, template.num_roles):
            role = AlgebraicRole(known, template, number).prepare()
            roles.append(_as_set(role) if settings.weighting == "set" else role)
        found.append(roles)
    known.without_time_limit()
    return found


def _as_set(role: AlgebraicRole) -> MatrixRole:
    matrix = role.to_scipy()
    matrix.data[:] = 1
    return MatrixRole(role.graph, role.template, role.role, matrix)
