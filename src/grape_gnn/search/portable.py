"""Role matches that can travel to another process.

Stored matrices travel as they are. Operators of the algebra hold compiled parts that cannot
travel; they were cheaper than enumeration, and are built again where they arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.graph import Graph
from grape_gnn.roles import RoleMatches, TemplateRoles, match
from grape_gnn.roles.operator import IdentityRole, MatrixRole, RoleOperator
from grape_gnn.template import Template

__all__ = ["PackedRoles", "pack", "unpack"]


@dataclass(frozen=True, eq=False)
class PackedRoles:
    """The roles of one template: a matrix each, or None where the algebra is to be used."""

    template: Template
    matrices: tuple[sparse.csr_array[Any, Any] | None, ...]
    totals: NDArray[Any] | None


def pack(matches: RoleMatches) -> tuple[PackedRoles, ...]:
    """Pack matches for the journey; `unpack` is the other way."""
    return tuple(_packed(roles) for roles in matches)


def unpack(graph: Graph, weighting: str, packed: tuple[PackedRoles, ...]) -> RoleMatches:
    """Make role matches on the graph at hand.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> found = unpack(g, "count", pack(match(g, "triangle,3-path", engine="esu")))
    >>> [roles.totals.tolist() for roles in found]
    [[1, 1, 1, 0], [3, 3, 2, 2]]
    """
    return RoleMatches(graph, weighting, False, [_unpacked(graph, weighting, p) for p in packed])


def _packed(roles: TemplateRoles) -> PackedRoles:
    matrices = tuple(op.to_scipy() if op.is_stored else None for op in roles[1:])
    algebraic = any(matrix is None for matrix in matrices)
    return PackedRoles(roles.template, matrices, None if algebraic else roles.totals)


def _unpacked(graph: Graph, weighting: str, packed: PackedRoles) -> TemplateRoles:
    rebuilt: list[RoleOperator] = []
    totals: Any = packed.totals
    if any(matrix is None for matrix in packed.matrices):
        again = match(graph, [packed.template], weighting=weighting, engine="algebra", threads=1)
        rebuilt, totals = list(again[0]), again[0].totals
    operators: list[RoleOperator] = [IdentityRole(graph, packed.template, 0)]
    for role, matrix in enumerate(packed.matrices, start=1):
        if matrix is None:
            operators.append(rebuilt[role])
        else:
            operators.append(MatrixRole(graph, packed.template, role, matrix))
    return TemplateRoles(packed.template, operators, totals)
