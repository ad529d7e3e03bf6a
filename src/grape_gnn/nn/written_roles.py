"""The roles of many small graphs, all written out, from which batches of graphs are cut.

Small graphs have few members per role: nothing is gained by operators that are never stored, and
rows that are stored can be cut, so that a batch of graphs costs a copy and no matching.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.graphs.cut import Cut
from grape_gnn.nn.edge_forms import (
    arcs_of,
    is_weighed,
    numbers_of_edges,
    signed_log,
    weighed,
)
from grape_gnn.nn.fused import can_be_fused
from grape_gnn.nn.half_sums import half_sum
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.stacked_means import StackedMeans
from grape_gnn.nn.structure import Structure, neighbour_structure, own_structure
from grape_gnn.roles.result import RoleMatches
from grape_gnn.template import Template

__all__ = ["Form", "WrittenRoles"]

Form = tuple[int, str | int]
"""A role's number, and in what form it is given."""


class WrittenRoles(RoleValues):
    """What the aggregator multiplies features by, where every role is a matrix in memory.

    Parameters
    ----------
    templates
        The templates.
    num_nodes
        Number of nodes.
    structures
        The roles by sparsity, numbered over all templates, the ego's left out.
    row_sums
        How many members every ego has in every role, with multiplicity: (roles, nodes).
    forms
        What every role is: its number among those of the templates, and ``""`` (as matched),
        ``"set"``, the type of the edge between ego and member, or ``"feature 0"``, members weighed
        by that feature of the edge; an arc to the ego is written ``"to 3"``, ``"to feature 0"``.
        None: all as matched.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3)])
    >>> roles = WrittenRoles.of(grape.match(graphs, "edge,3-path"))
    >>> roles.num_nodes, roles.num_roles
    (8, 3)
    >>> roles.cut(Cut.of(graphs.ptr, np.array([1]))).row_sums.tolist()
    [[1.0, 2.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    """

    def __init__(
        self,
        templates: Sequence[Template],
        num_nodes: int,
        structures: Sequence[Structure],
        row_sums: NDArray[np.float64],
        forms: Sequence[Form] | None = None,
    ) -> None:
        self.templates = tuple(templates)
        self._num_nodes = num_nodes
        self._structures = tuple(structures)
        self._row_sums = row_sums
        groups = [g for g, template in enumerate(self.templates) for _ in template.roles[1:]]
        self.forms = tuple((r, "") for r in range(len(groups))) if forms is None else tuple(forms)
        self.group: NDArray[np.int64] = np.array([groups[r] for r, _ in self.forms], np.int64)
        self._kept: dict[tuple[str, torch.device, torch.dtype], torch.Tensor] = {}
        self._stacked: dict[torch.dtype, StackedMeans] = {}

    @property
    def weighed_roles(self) -> list[int]:
        """The numbers of the roles whose members are weighed by a feature of edges."""
        return [k for k, (_, form) in enumerate(self.forms) if is_weighed(form)]

    @classmethod
    def of(
        cls,
        matches: RoleMatches,
        values: str = "matched",
        both: bool = False,
        edge_types: NDArray[np.int64] | None = None,
        num_edge_types: int = 0,
        edge_features: NDArray[np.float64] | None = None,
    ) -> WrittenRoles:
        """Write out what was matched.

        Parameters
        ----------
        matches
            What `grape_gnn.match` returned, counts if `both`.
        values
            As for `RoleValues`.
        both
            Give every role a second time by its sets: who plays it, not how often.
        edge_types
            The type of every entry of the graph's rows. Every role next to the ego is given once
            more for each type, with the members that an edge of this type leads to; of a directed
            graph for each type of each arc that the template has between the two.
        num_edge_types
            Number of types.
        edge_features
            Numbers of every entry of the graph's rows, shape (entries, features). Every role next
            to the ego is given once more for each, likewise, its members weighed by the number on
            the edge that leads there. Means are still over the number of members.
        """
        operators = [op for roles in matches for op in roles[1:]]
        written = [(half_sum(op) if values == "half-sums" else op).to_scipy() for op in operators]
        near = [r for r, op in enumerate(operators) if op.is_near]
        forms: list[Form] = [(r, "") for r in range(len(operators))]
        matrices = dict(zip(forms, written, strict=True))
        if both:
            matrices |= {(r, "set"): _as_set(matrix) for (r, _), matrix in matrices.items()}
        on_edges = numbers_of_edges(edge_types, num_edge_types, edge_features)
        ways = [(r, way) for r in near for way in arcs_of(operators[r].template, operators[r].role)]
        for what, numbers in on_edges.items():
            for r, way in ways:
                form = (r, what if way == "from" else f"to {what}")
                matrices[form] = weighed(matches.graph, written[r], numbers, way)
        forms = list(matrices)
        joined = [k for k, (r, _) in enumerate(forms) if r in near]
        listed, count = list(matrices.values()), len(forms)
        structures = [
            neighbour_structure(matches.graph, [listed[k] for k in joined], joined, joined, count),
            *(own_structure(listed[k], k, k, count) for k in range(count) if k not in joined),
        ]
        members = [written[r] if is_weighed(form) else matrices[r, form] for r, form in forms]
        sums = np.stack([np.asarray(matrix.sum(axis=1), np.float64) for matrix in members])
        templates = [roles.template for roles in matches]
        return cls(templates, matches.graph.num_nodes, structures, sums, forms)

    @classmethod
    def of_entries(
        cls, templates: Sequence[Template], num_nodes: int, role: NDArray[np.int64],
        ego: NDArray[np.int64], member: NDArray[np.int64], value: NDArray[Any],
    ) -> WrittenRoles:  # fmt: skip
        """Arrange entries ``C_role[ego, member] = value``, which may come in any order."""
        count = sum(len(template.roles) - 1 for template in templates)
        n = max(num_nodes, 1)
        order = np.argsort(role * n * n + ego * n + member, kind="stable")
        role, ego, member, value = (part[order] for part in (role, ego, member, value))
        ends = np.searchsorted(role, np.arange(count + 1))
        near = _near(templates)
        shared = np.isin(role, near)
        keys, place = np.unique(ego[shared] * n + member[shared], return_inverse=True)
        values = np.zeros((len(near), keys.size), value.dtype)
        values[np.searchsorted(near, role[shared]), place] = value[shared]
        columns = tuple(values)
        numbers = np.array(near, np.int32)
        structures = [
            Structure(
                np.searchsorted(keys, np.arange(num_nodes + 1) * n).astype(np.int64),
                (keys % n).astype(np.int32), columns, numbers, numbers, count, num_nodes,
            )
        ]  # fmt: skip
        for r in sorted(set(range(count)) - set(near)):
            rows = slice(ends[r], ends[r + 1])
            ptr = np.searchsorted(ego[rows], np.arange(num_nodes + 1)).astype(np.int64)
            parts = value[rows], member[rows], ptr
            matrix = sparse.csr_array(parts, shape=(num_nodes, num_nodes))
            structures.append(own_structure(matrix, r, r, count))
        counted = np.bincount(role * n + ego, value, minlength=count * n)
        sums = counted.astype(np.float64).reshape(count, n)
        return cls(templates, num_nodes, structures, np.ascontiguousarray(sums[:, :num_nodes]))

    # -------------------------------------------------------------- as `RoleValues`

    @property
    def num_nodes(self) -> int:
        """Number of nodes of all graphs."""
        return self._num_nodes

    @property
    def num_egos(self) -> int:
        """Number of nodes that products have a row for: all."""
        return self._num_nodes

    @property
    def num_roles(self) -> int:
        """Number of roles, the ego's not counted; those given twice count twice."""
        return len(self.forms)

    @property
    def num_entries(self) -> int:
        """Number of stored values."""
        return sum(each.idx.size * len(each.values) for each in self._structures)

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """How many members every ego has in every role, with multiplicity: (roles, nodes)."""
        return self._row_sums

    @cached_property
    def _log_sums(self) -> NDArray[np.float64]:
        sums = np.log1p(self.row_sums)
        for structure in self._structures:
            rows = structure.rows
            for role in set(self.weighed_roles) & set(structure.role.tolist()):
                values = structure.values[structure.role.tolist().index(role)]
                sums[role] = signed_log(np.bincount(rows, values, minlength=self._num_nodes))
        return np.ascontiguousarray(sums.T)

    def log_sums(self, like: torch.Tensor) -> torch.Tensor:
        """Return the logarithms of totals, of weighed roles those of their weights added up.

        Sums of weights may be negative: of ``s`` it is ``sign(s) log(1 + |s|)``, the shape (nodes,
        roles).
        """
        if not self.weighed_roles:
            return self.log_totals(like)
        key = ("log sums", like.device, like.dtype)
        if key not in self._kept:
            self._kept[key] = torch.from_numpy(self._log_sums).to(like.device, like.dtype)
        return self._kept[key]

    @cached_property
    def _arranged(self) -> tuple[tuple[Structure, ...], tuple[Any, ...]]:
        if np.array_equal(self.group, np.arange(self.num_roles)):
            return self._structures, ()
        return tuple(each.regrouped(self.group) for each in self._structures), ()

    def stacked(self, like: torch.Tensor) -> StackedMeans:
        """Return the means of all roles as one matrix, in the type of a tensor; made once."""
        if like.dtype not in self._stacked:
            kind = like.new_empty(0, device="cpu").numpy().dtype
            self._stacked[like.dtype] = StackedMeans.of(self._structures, self.row_sums, kind)
        return self._stacked[like.dtype]

    def means(self, h: torch.Tensor) -> torch.Tensor:
        """Return what every role's members are on average: (nodes, roles, columns)."""
        by_itself = can_be_fused(h) and not (torch.is_grad_enabled() and h.requires_grad)
        return self.stacked(h)(h) if by_itself else super().means(h)

    def means_backward(self, h: torch.Tensor, by_means: torch.Tensor) -> torch.Tensor:
        """Return the derivative by the features of `means`, given that by what it returned."""
        if can_be_fused(h):
            return self.stacked(h).derivative(by_means)
        return super().means_backward(h, by_means)

    def ungrouped(self) -> WrittenRoles:
        """Return the same roles, each a group of its own rather than one of its template's."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), group=np.arange(self.num_roles))
        vars(other).pop("_arranged", None)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        bare = tuple(replace(each) for each in self._structures)  # without compiled parts
        return WrittenRoles, (
            self.templates, self._num_nodes, bare, self._row_sums, self.forms,
        )  # fmt: skip

    # -------------------------------------------------------------- some graphs

    def cut(self, cut: Cut) -> WrittenRoles:
        """Return the roles of some of the graphs."""
        return _OfSomeGraphs(self, cut)

    def without(self, role: int, nodes: NDArray[np.int64] | None = None) -> WrittenRoles:
        """Return the roles with no members of one role, in all its forms, around some nodes.

        Parameters
        ----------
        role
            Its number among those of the templates.
        nodes
            The egos; None: all.
        """
        chosen = [k for k, (number, _) in enumerate(self.forms) if number == role]
        rows = np.full(self._num_nodes, nodes is None)
        if nodes is not None:
            rows[nodes] = True
        sums = self._row_sums.copy()
        sums[np.ix_(np.array(chosen), rows)] = 0
        emptied = [_emptied(structure, chosen, rows) for structure in self._structures]
        without = WrittenRoles(self.templates, self._num_nodes, emptied, sums, self.forms)
        vars(without)["degrees"] = self.degrees  # members of other roles are damped as before
        return without


class _OfSomeGraphs(WrittenRoles):
    """The roles of some graphs of a set; what is not asked for is not cut."""

    def __init__(self, whole: WrittenRoles, cut: Cut) -> None:
        vars(self).update(templates=whole.templates, forms=whole.forms, group=whole.group)
        self._num_nodes = int(cut.ptr[-1])
        self._kept, self._stacked = {}, {}
        self._whole, self._cut, self._nodes = whole, cut, cut.nodes

    @cached_property
    def _structures(self) -> tuple[Structure, ...]:  # type: ignore[override]
        return tuple(_cut(structure, self._cut) for structure in self._whole._structures)

    @cached_property
    def _row_sums(self) -> NDArray[np.float64]:  # type: ignore[override]
        return np.ascontiguousarray(self._whole.row_sums[:, self._nodes])

    @property
    def num_entries(self) -> int:
        """Number of stored values."""
        begin, end = self._cut.starts, self._cut.starts + self._cut.sizes
        whole = self._whole._structures
        return sum(len(s.values) * int((s.ptr[end] - s.ptr[begin]).sum()) for s in whole)

    def stacked(self, like: torch.Tensor) -> StackedMeans:
        """Return the means of all roles as one matrix, cut from that of all graphs."""
        if like.dtype not in self._stacked:
            self._stacked[like.dtype] = self._whole.stacked(like).cut(self._cut)
        return self._stacked[like.dtype]

    def log_totals(self, like: torch.Tensor) -> torch.Tensor:
        """Return the logarithm of one plus the number of members, shape (nodes, roles)."""
        return self._picked("log totals", self._whole.log_totals, like)

    def log_sums(self, like: torch.Tensor) -> torch.Tensor:
        """Return the logarithms of totals, of weighed roles those of their weights added up."""
        if not self.weighed_roles:
            return self.log_totals(like)
        return self._picked("log sums", self._whole.log_sums, like)

    def _picked(
        self, name: str, of_all: Callable[[torch.Tensor], torch.Tensor], like: torch.Tensor
    ) -> torch.Tensor:
        key = (name, like.device, like.dtype)
        if key not in self._kept:
            nodes = torch.from_numpy(self._nodes).to(like.device)
            self._kept[key] = of_all(like)[nodes]
        return self._kept[key]


def _emptied(structure: Structure, chosen: list[int], rows: NDArray[np.bool_]) -> Structure:
    kept = ~np.repeat(rows, np.diff(structure.ptr))
    values = tuple(
        np.where(kept, each, 0).astype(each.dtype) if role in chosen else each
        for role, each in zip(structure.role.tolist(), structure.values, strict=True)
    )
    return replace(structure, values=values)


def _as_set(matrix: sparse.csr_array[Any, Any]) -> sparse.csr_array[Any, Any]:
    ones = np.ones_like(matrix.data)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _near(templates: Sequence[Template]) -> list[int]:
    """Return the numbers of the roles whose members are neighbours of the ego."""
    joined = [
        any((0, role[0]) in (edge, edge[::-1]) for edge in template.edges)
        for template in templates
        for role in template.roles[1:]
    ]
    return [r for r, near in enumerate(joined) if near]


def _cut(structure: Structure, cut: Cut) -> Structure:
    ptr, idx, entries = cut.rows(structure.ptr, structure.idx)
    values = tuple(each[entries] for each in structure.values)
    return replace(structure, ptr=ptr, idx=idx, values=values, num_columns=int(cut.ptr[-1]))
