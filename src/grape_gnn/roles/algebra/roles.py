"""Engine ``algebra``: the roles of a template as operators, nothing enumerated."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import replace

from grape_gnn.errors import CountOverflowError, MatchError
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.induced import MOST_OPEN, reaches_induced
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.operator import IdentityRole, MatrixRole, RoleOperator
from grape_gnn.roles.result import TemplateRoles
from grape_gnn.template import Template

__all__ = ["algebra_roles"]


def algebra_roles(known: Evaluator, template: Template, settings: MatchSettings) -> TemplateRoles:
    """Return the roles of a template, prepared: everything stored for them has been computed.

    Parameters
    ----------
    known
        The graph and what was computed on it before; what templates have in common is computed
        once.
    template, settings
        What to match, and how. Counts need no enumeration and no role matrix. With
        ``weighting="set"`` the counts are written out, under the memory budget, to see which
        are positive; counts beyond 64 bits cannot be, and such templates are enumerated.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> triangle = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> roles = algebra_roles(Evaluator(triangle), Template("0-1 1-2"), MatchSettings())
    >>> [role.row_sums().tolist() for role in roles]
    [[1, 1, 1], [2, 2, 2], [2, 2, 2]]
    """
    if settings.induced and not reaches_induced(template):
        raise MatchError(
            f"engine 'algebra' does not count induced instances of {template.text!r}, which leaves "
            f"more than {MOST_OPEN} pairs open: use engine='enumerate'"
        )
    compiled(known.graph, template)  # says so if the graph's direction does not fit
    start = clock.monotonic()

    def left() -> MatchSettings:
        if settings.seconds is None:
            return settings
        seconds = max(0.0, settings.seconds - (clock.monotonic() - start))
        return replace(settings, seconds=seconds)

    operators: list[RoleOperator] = [IdentityRole(known.graph, template, 0)]
    for number in range(1, template.num_roles):
        with known.within(left()):
            role = AlgebraicRole(known, template, number, induced=settings.induced).prepare()
            operators.append(role if settings.weighting == "count" else _as_set(role, left))
    first = AlgebraicRole(known, template, 1, induced=settings.induced)
    return TemplateRoles(template, operators, first.totals)


def _as_set(role: AlgebraicRole, left: Callable[[], MatchSettings]) -> MatrixRole:
    graph, template = role.graph, role.template
    try:
        matrix = role.to_scipy()
        matrix.data[:] = 1
    except CountOverflowError:
        matrix = enumerate_roles(graph, template, left()).matrices[role.role - 1]
    return MatrixRole(graph, template, role.role, matrix)
