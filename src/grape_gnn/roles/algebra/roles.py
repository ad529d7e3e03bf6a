"""Engine ``algebra``: every role of every template as an operator, nothing enumerated."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from dataclasses import replace

from grape_gnn.errors import CountOverflowError, MatchError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.operator import MatrixRole, RoleOperator
from grape_gnn.template import Template

__all__ = ["algebra_role", "algebra_roles"]


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
        are positive; counts beyond 64 bits cannot be, and such templates are enumerated.
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
    start = clock.monotonic()
    found: list[list[RoleOperator]] = []
    for template in templates:
        compiled(graph, template)  # says so if the graph's direction does not fit
        found.append([])
        for role in range(1, template.num_roles):
            left = settings
            if settings.seconds is not None:
                spent = clock.monotonic() - start
                left = replace(settings, seconds=max(0.0, settings.seconds - spent))
            found[-1].append(algebra_role(known, template, role, left))
    return found


def algebra_role(
    known: Evaluator, template: Template, number: int, settings: MatchSettings
) -> RoleOperator:
    """Return one role, prepared: everything that is stored for it has been computed."""
    start = clock.monotonic()
    with known.within(settings):
        role = AlgebraicRole(known, template, number).prepare()
        if settings.weighting == "count":
            return role
        try:
            return _as_set(role)
        except CountOverflowError:
            pass
    if settings.seconds is not None:
        left = max(0.0, settings.seconds - (clock.monotonic() - start))
        settings = replace(settings, seconds=left)
    matrices = enumerate_roles(known.graph, template, settings).matrices
    return MatrixRole(known.graph, template, number, matrices[number - 1])


def _as_set(role: AlgebraicRole) -> MatrixRole:
    matrix = role.to_scipy()
    matrix.data[:] = 1
    return MatrixRole(role.graph, role.template, role.role, matrix)
