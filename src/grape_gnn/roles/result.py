"""What `match` returns: the role operators of every template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.template import Template

__all__ = ["RoleMatches", "TemplateRoles"]


class TemplateRoles(Sequence[RoleOperator]):
    """The roles of one template, in the order of ``template.roles``; role 0 is the identity.

    Parameters
    ----------
    template
        The template.
    operators
        One operator per role.
    totals
        Number of instances around every ego.
    complete
        Egos whose counts are complete; None if all are.
    sampled
        Whether counts are estimates from a sample of the instances.
    """

    def __init__(
        self,
        template: Template,
        operators: Sequence[RoleOperator],
        totals: NDArray[Any],
        complete: NDArray[np.bool_] | None = None,
        sampled: bool = False,
    ) -> None:
        self.template = template
        self.totals = totals
        self.complete = complete
        self.sampled = sampled
        self._operators = tuple(operators)

    @property
    def truncated(self) -> bool:
        """Whether a budget ended the counting before every ego was done."""
        return self.complete is not None

    @overload
    def __getitem__(self, role: int) -> RoleOperator: ...
    @overload
    def __getitem__(self, role: slice) -> Sequence[RoleOperator]: ...
    def __getitem__(self, role: int | slice) -> RoleOperator | Sequence[RoleOperator]:
        """Return the operator of a role."""
        return self._operators[role]

    def __len__(self) -> int:
        return len(self._operators)

    def __repr__(self) -> str:
        name = self.template.name or self.template.text
        flags = ", sampled" if self.sampled else ""
        if self.complete is not None:
            flags += f", TRUNCATED: {int(self.complete.sum())} of {len(self.complete)} egos done"
        return (
            f"TemplateRoles({name!r}, {len(self)} roles, {int(self.totals.sum()):,} "
            f"instances{flags})"
        )


class RoleMatches(Sequence[TemplateRoles]):
    """The roles of several templates on one graph, in the order the templates were given.

    Examples
    --------
    >>> from grape_gnn.roles import match
    >>> roles = match(Graph.from_edges([0, 0, 1], [1, 2, 2]), "edge,triangle")
    >>> len(roles), roles[1].totals.tolist()
    (2, [1, 1, 1])
    """

    def __init__(
        self, graph: Graph, weighting: str, induced: bool, templates: Sequence[TemplateRoles]
    ) -> None:
        self.graph = graph
        self.weighting = weighting
        self.induced = induced
        self._templates = tuple(templates)

    @property
    def truncated(self) -> bool:
        """Whether any template is truncated."""
        return any(roles.truncated for roles in self)

    @overload
    def __getitem__(self, index: int) -> TemplateRoles: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TemplateRoles]: ...
    def __getitem__(self, index: int | slice) -> TemplateRoles | Sequence[TemplateRoles]:
        """Return the roles of a template."""
        return self._templates[index]

    def __len__(self) -> int:
        return len(self._templates)

    def operators(self) -> Iterator[RoleOperator]:
        """All roles of all templates, one after the other."""
        for roles in self:
            yield from roles

    def __repr__(self) -> str:
        lines = "".join(f"\n  {roles!r}," for roles in self)
        kind = "induced, " if self.induced else ""
        return f"RoleMatches({kind}weighting={self.weighting!r}, [{lines}\n])"
