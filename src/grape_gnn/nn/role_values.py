"""All roles of all templates of one graph, arranged for the aggregator of eq. 2.

Roles fall into three kinds: the ego itself (role 0, the identity); roles joined to the ego in
the template, which live on the graph's own entries and are taken in one fused pass; and roles
further away. Those that are stored, or no denser than the graph, get sparse rows of their own; the
others are operators that were never written out (``A A - D`` for the end of a 3-path) and stay so:
training holds no matrix of a counted role that is denser than the graph.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.nn.fused import can_be_fused, fused_backward, fused_product
from grape_gnn.nn.half_sums import half_sum
from grape_gnn.nn.kept_means import RecentMeans
from grape_gnn.nn.structure import Structure, neighbour_structure, own_structure
from grape_gnn.roles.fit_for_training import check_fit_for_training
from grape_gnn.roles.match import match
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.roles.result import RoleMatches
from grape_gnn.template import Template

__all__ = ["RoleValues"]

VALUES = ("matched", "half-sums")
LARGEST_WRITTEN_OUT = 2_000_000  # entries of one role; more are not worth their memory


class RoleValues:
    """What the aggregator multiplies features by.

    The roles are numbered 0, 1, ... over all templates, the ego's role 0 of each left out.

    Parameters
    ----------
    matches
        What `grape_gnn.match` returned.
    values
        ``"matched"``: as they are. ``"half-sums"`` (the preset ``released``): half sums of the row-
        and column-normalised matrices.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,3-path"))
    >>> roles.group.tolist()  # the edge has one role besides the ego, the 3-path has two
    [0, 1, 1]
    >>> ego, scale = torch.zeros(2), torch.ones(3, 4)
    >>> roles.aggregate(ego, scale, torch.ones(4, 1))[:, :, 0].tolist()
    [[2.0, 6.0], [2.0, 6.0], [3.0, 4.0], [1.0, 4.0]]
    """

    def __init__(self, matches: RoleMatches, values: str = "matched") -> None:
        if values not in VALUES:
            raise ModelError(f"unknown values {values!r}: choose one of {', '.join(VALUES)}")
        self.graph = matches.graph
        self.templates: tuple[Template, ...] = tuple(roles.template for roles in matches)
        check_fit_for_training(self.graph, self.templates)
        self.totals = tuple(roles.totals for roles in matches)
        operators = [(g, op) for g, roles in enumerate(matches) for op in roles[1:]]
        self.operators: tuple[RoleOperator, ...] = tuple(
            half_sum(op) if values == "half-sums" else op for _, op in operators
        )
        self.group: NDArray[np.int64] = np.array([g for g, _ in operators], np.int64)
        self._how = (matches.weighting, matches.induced, values)
        self._estimated = any(roles.sampled or roles.truncated for roles in matches)
        self._kept: dict[tuple[str, torch.device, torch.dtype], torch.Tensor] = {}
        self.near = [r for r, op in enumerate(self.operators) if op.is_near]
        self.far = [r for r, op in enumerate(self.operators) if not op.is_near]

    @property
    def num_nodes(self) -> int:
        """Number of nodes of the graph."""
        return self.graph.num_nodes

    @property
    def num_egos(self) -> int:
        """Number of nodes that products have a row for: all, but in a batch."""
        return self.graph.num_nodes

    @property
    def num_roles(self) -> int:
        """Number of roles of all templates, the ego's not counted."""
        return len(self.operators)

    def __reduce__(self) -> tuple[Any, ...]:
        # Operators hold compiled parts that cannot travel; matching again is exact and quick.
        if self._estimated:
            raise ModelError(
                "roles that are sampled or truncated cannot be copied: match them again instead"
            )
        return _match_again, (self.graph, self.templates, *self._how)

    @property
    def stored(self) -> tuple[Structure, ...]:
        """The roles that are written out, by sparsity: those next to the ego first."""
        return self._arranged[0]

    @property
    def lazy(self) -> tuple[tuple[int, int, RoleOperator], ...]:
        """The roles that are not: their number, their group, and what multiplies."""
        return self._arranged[1]

    @cached_property
    def _arranged(self) -> tuple[tuple[Structure, ...], tuple[tuple[int, int, RoleOperator], ...]]:
        """The roles, arranged by how they are multiplied; prepared once."""
        groups = self.group.tolist()
        count = max(groups, default=-1) + 1
        of_near = [groups[r] for r in self.near]
        matrices = (self.operators[r].to_scipy() for r in self.near)
        stored = [neighbour_structure(self.graph, matrices, self.near, of_near, count)]
        lazy = []
        most = min(self.graph.indices.size, LARGEST_WRITTEN_OUT)  # no denser than the graph
        for r in self.far:
            matrix = self.operators[r].materialise(most)
            if matrix is None:
                lazy.append((r, groups[r], self.operators[r]))
            else:
                stored.append(own_structure(matrix, r, groups[r], count))
        # What the sums need would else be computed again behind our back, and stay.
        _ = self.row_sums
        for operator in self.operators:
            operator.forget()
        return tuple(stored), tuple(lazy)

    def ungrouped(self) -> RoleValues:
        """Return the same roles, each a group of its own rather than one of its template's."""
        other = object.__new__(RoleValues)
        group = np.arange(self.num_roles)
        vars(other).update(vars(self), group=group)
        if "_arranged" in vars(self):
            stored = tuple(structure.regrouped(group) for structure in self.stored)
            vars(other)["_arranged"] = stored, tuple((r, r, op) for r, _, op in self.lazy)
        return other

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """How many members every ego has in every role, with multiplicity: (roles, nodes)."""
        return np.stack([np.asarray(op.row_sums(), np.float64) for op in self.operators])

    @cached_property
    def degrees(self) -> NDArray[np.float64]:
        """How many members every node has on edges; in the first role, if no template is one."""
        sizes = [template.num_nodes for template in self.templates for _ in template.roles[1:]]
        edges = [r for r, size in enumerate(sizes) if size == 2]
        degrees: NDArray[np.float64] = self.row_sums[edges or [0]].sum(axis=0)
        return degrees

    def damping(self, like: torch.Tensor) -> torch.Tensor:
        """Return one over the root of one plus the degree, shape (nodes, 1)."""
        key = ("damping", like.device, like.dtype)
        if key not in self._kept:
            weights = torch.from_numpy(1.0 / np.sqrt(1.0 + self.degrees))
            self._kept[key] = weights[:, None].to(like.device, like.dtype)
        return self._kept[key]

    def averages(self, like: torch.Tensor) -> torch.Tensor:
        """Weights that turn the sum over a role's members into their mean, shape (roles, nodes).

        One over the row sum, zero where there is no member.
        """
        key = ("averages", like.device, like.dtype)
        if key not in self._kept:
            sums = self.row_sums
            weights = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
            self._kept[key] = torch.from_numpy(weights).to(like.device, like.dtype)
        return self._kept[key]

    @cached_property
    def recent(self) -> RecentMeans:
        """Which means layers have kept last."""
        return RecentMeans()

    @cached_property
    def _apart(self) -> RoleValues:
        _ = self.row_sums  # shared, and not computed by both
        return self.ungrouped()

    def means(self, h: torch.Tensor) -> torch.Tensor:
        """Return what every role's members are on average, zero without any.

        Parameters
        ----------
        h
            Features, shape (nodes, columns).

        Returns
        -------
        torch.Tensor
            Shape (nodes, roles, columns).
        """
        return self._apart.aggregate(h.new_zeros(self.num_roles), self.averages(h), h)

    def means_backward(self, h: torch.Tensor, by_means: torch.Tensor) -> torch.Tensor:
        """Return the derivative by the features of `means`, given that by what it returned."""
        if can_be_fused(h):
            nothing = h.new_zeros(self.num_roles)
            return fused_backward(self._apart, nothing, self.averages(h), h, by_means)
        with torch.enable_grad():
            leaf = h.detach().requires_grad_()
            return torch.autograd.grad(self.means(leaf), leaf, by_means)[0]

    def log_totals(self, like: torch.Tensor) -> torch.Tensor:
        """Return the logarithm of one plus the number of members, shape (nodes, roles)."""
        key = ("log totals", like.device, like.dtype)
        if key not in self._kept:
            logs = torch.from_numpy(np.ascontiguousarray(np.log1p(self.row_sums.T)))
            self._kept[key] = logs.to(like.device, like.dtype)
        return self._kept[key]

    def aggregate(
        self, ego: torch.Tensor, scale: torch.Tensor, features: torch.Tensor
    ) -> torch.Tensor:
        """Sum the features of all roles of each template: eq. 2 before its MLP.

        Parameters
        ----------
        ego
            Weight of role 0, one per template.
        scale
            Weight of every role and ego, shape (roles, nodes).
        features
            Shape (nodes, columns), or (nodes, templates, columns).

        Returns
        -------
        torch.Tensor
            Shape (nodes, templates, columns).
        """
        return fused_product(self, ego, scale, features)


def _match_again(
    graph: Graph, templates: tuple[Template, ...], weighting: str, induced: bool, values: str
) -> RoleValues:
    return RoleValues(match(graph, templates, weighting=weighting, induced=induced), values)
