"""What `match` returns: the role operators of every template."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.notebook import Raw, html_table
from grape_gnn.progress import report
from grape_gnn.roles.operator import MatrixRole, RoleOperator
from grape_gnn.roles.together import multiply_together
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
        Number of instances around every ego, or a function that counts them when asked.
    complete
        Egos whose counts are complete; None if all are.
    sampled
        Whether counts are estimates from a sample of the instances.

    Examples
    --------
    >>> from grape_gnn.roles import match
    >>> path = match(Graph.from_edges([0, 1, 2], [1, 2, 3]), "3-path")[0]
    >>> ego, middle, end = path @ np.array([1, 10, 100, 1000])
    >>> middle.tolist(), end.tolist()
    ([10, 100, 10, 100], [100, 1000, 1, 10])
    """

    def __init__(
        self,
        template: Template,
        operators: Sequence[RoleOperator],
        totals: NDArray[Any] | Callable[[], NDArray[Any]],
        complete: NDArray[np.bool_] | None = None,
        sampled: bool = False,
    ) -> None:
        self.template = template
        self._totals = totals
        self.complete = complete
        self.sampled = sampled
        self._operators = tuple(operators)

    @cached_property
    def totals(self) -> NDArray[Any]:
        """Number of instances around every ego."""
        return self._totals() if callable(self._totals) else self._totals

    @property
    def num_instances(self) -> int | None:
        """Number of instances around all egos; None if they were not counted yet."""
        known = "totals" in self.__dict__ or not callable(self._totals)
        return int(sum(self.totals.tolist())) if known else None

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

    def __matmul__(self, features: Any) -> tuple[Any, ...]:
        """Multiply every role by the same features, NumPy or torch (with gradients).

        The products are those of ``[role @ features for role in self]`` up to rounding. Roles
        that are not stored share their work, so asking for all at once takes less time.
        """
        return multiply_together(self._operators, features)

    def __repr__(self) -> str:
        name = self.template.name or self.template.text
        flags = ", sampled" if self.sampled else ""
        if self.complete is not None:
            flags += f", TRUNCATED: {int(self.complete.sum())} of {len(self.complete)} egos done"
        found = "" if self.num_instances is None else f", {self.num_instances:,} instances"
        return f"TemplateRoles({name!r}, {len(self)} roles{found}{flags})"


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
        for role in self.operators():
            role.induced = induced

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

    def materialised(self) -> RoleMatches:
        """Return the same matches with every role written out as a sparse matrix.

        Roles found by algebra are computed anew in each product; stored ones take memory
        instead.

        Examples
        --------
        >>> from grape_gnn.roles import match
        >>> roles = match(Graph.from_edges([0, 0, 1], [1, 2, 2]), "3-path").materialised()
        >>> [type(role).__name__ for role in roles[0]], roles[0][2].nnz
        (['IdentityRole', 'MatrixRole', 'MatrixRole'], 6)
        """
        written = [
            TemplateRoles(
                roles.template,
                [
                    roles[0],
                    *(
                        MatrixRole(self.graph, roles.template, role.role, _written(role))
                        for role in roles[1:]
                    ),
                ],
                roles.totals,
                roles.complete,
                roles.sampled,
            )
            for roles in self
        ]
        return RoleMatches(self.graph, self.weighting, self.induced, written)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the matches and their graph to an ``.npz`` file; read it with `load_roles`.

        The graph's features are left out. A crash leaves an old file untouched.
        """
        from grape_gnn.roles.storage import save_roles

        save_roles(self, path)

    def write_table(self, path: str | os.PathLike[str]) -> None:
        """Write who plays which role to ``.csv``, ``.csv.gz`` or ``.parquet`` (extra ``arrow``).

        The columns are those of `to_pandas`. The table is written piece by piece, whatever its
        size, and a crash leaves an old file untouched.
        """
        from grape_gnn.roles.table import write_table

        write_table(self, path)

    def to_pandas(self) -> Any:
        """Return who plays which role as a pandas data frame (extra ``arrow``).

        Returns
        -------
        pandas.DataFrame
            Columns ``ego``, ``template``, ``role``, ``member`` and ``count``, the nodes by their
            own names. An ego without instances has no row; role 0, the ego itself, is left out.

        Examples
        --------
        >>> from grape_gnn.roles import match
        >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2], names=["ann", "bob", "cat"])
        >>> print(match(g, "triangle").to_pandas().head(2).to_string(index=False))
        ego template  role member  count
        ann triangle     1    bob      1
        ann triangle     1    cat      1
        """
        from grape_gnn.roles.table import roles_frame

        return roles_frame(self)

    def __repr__(self) -> str:
        lines = "".join(f"\n  {roles!r}," for roles in self)
        kind = "induced, " if self.induced else ""
        return f"RoleMatches({kind}weighting={self.weighting!r}, [{lines}\n])"

    def _repr_html_(self) -> str:
        rows = [
            (
                roles.template.name or roles.template.text,
                Raw(roles.template.svg(scale=0.5)),
                roles.num_instances if roles.num_instances is not None else "not counted yet",
                len(roles),
                "sampled" if roles.sampled else "truncated" if roles.truncated else "",
            )
            for roles in self
        ]
        kind = "induced" if self.induced else "non-induced"
        note = f"{self.graph!r}; {kind}, weighting {self.weighting}"
        return html_table("RoleMatches", ("template", "", "instances", "roles", ""), rows, note)


def _written(role: RoleOperator) -> Any:
    report(f"writing out role {role.role} of {role.template.name or role.template.text}")
    return role.to_scipy()
