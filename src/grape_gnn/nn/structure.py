"""Roles that share one sparsity: index arrays once, one column of values per role.

Roles whose members are neighbours of the ego all live on the entries of the graph itself
(an edge template has ones there, a triangle the number of triangles on the edge, and so
on), so a layer can take them all in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn import _native
from grape_gnn.graph import Graph

__all__ = ["Structure", "neighbour_structure", "own_structure"]


@dataclass(frozen=True, eq=False)
class Structure:
    """Sparse rows with several values per entry.

    Parameters
    ----------
    ptr, idx
        Compressed rows: ego ``v`` has the members ``idx[ptr[v]:ptr[v + 1]]``.
    values
        ``values[r, e]`` is the entry ``C_r[v, u]`` of role ``r``, in single precision if that is
        exact, as it is for counts up to 16 million.
    role
        The number of every role among all roles of the model, ascending.
    group
        The group (template) of every role.
    num_groups
        Number of groups of the model.

    Examples
    --------
    >>> path = Structure(
    ...     np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32), np.ones((1, 4)),
    ...     np.zeros(1, np.int32), np.zeros(1, np.int32), 1,
    ... )
    >>> path.rows.tolist()
    [0, 1, 1, 2]
    """

    ptr: NDArray[np.int64]
    idx: NDArray[np.int32]
    values: NDArray[np.floating[Any]]
    role: NDArray[np.int32]
    group: NDArray[np.int32]
    num_groups: int

    @property
    def num_rows(self) -> int:
        """Number of egos."""
        return self.ptr.size - 1

    @property
    def rows(self) -> NDArray[np.int64]:
        """The ego of every entry."""
        return np.repeat(np.arange(self.num_rows), np.diff(self.ptr))

    @cached_property
    def reverse(self) -> Structure:
        """The transposed structure, from members to egos; prepared once."""
        n = self.num_rows
        order = np.argsort(self.idx, kind="stable")
        ptr = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(self.idx, minlength=n), out=ptr[1:])
        idx = self.rows.astype(np.int32)[order]
        if np.array_equal(ptr, self.ptr) and np.array_equal(idx, self.idx):
            ptr, idx = self.ptr, self.idx  # undirected: one copy is enough
        turned = Structure(
            ptr,
            idx,
            np.ascontiguousarray(self.values[:, order]),
            self.role,
            self.group,
            self.num_groups,
        )
        turned.__dict__["reverse"] = self
        return turned

    @cached_property
    def single(self) -> _native.FusedRoles32:
        """The compiled structure in single precision."""
        return _native.FusedRoles32(*self._arrays(np.ascontiguousarray(self.values, np.float32)))

    @cached_property
    def double(self) -> _native.FusedRoles64:
        """The compiled structure in double precision."""
        return _native.FusedRoles64(*self._arrays(np.ascontiguousarray(self.values, np.float64)))

    def _arrays(self, values: Any) -> tuple[Any, ...]:
        return self.ptr, self.idx, values, self.role, self.group, self.num_groups

    def tensors(self, like: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Ego, member and values of every entry, on the device and in the type of `like`."""
        key = f"tensors {like.device} {like.dtype}"
        kept: dict[str, Any] = self.__dict__
        if key not in kept:
            kept[key] = (
                torch.from_numpy(self.rows).to(like.device),
                torch.from_numpy(self.idx.astype(np.int64)).to(like.device),
                torch.from_numpy(self.values).to(like),
            )
        found: tuple[torch.Tensor, torch.Tensor, torch.Tensor] = kept[key]
        return found


def neighbour_structure(
    graph: Graph,
    matrices: Iterable[sparse.csr_array[Any, Any]],
    roles: list[int],
    groups: list[int],
    num_groups: int,
) -> Structure:
    """Put role matrices that live on the graph's edges (in either direction) on shared rows.

    The matrices are taken one after the other, so that they need not all be there at once.
    """
    n = graph.num_nodes
    keys = np.repeat(np.arange(n), graph.degrees) * n + graph.indices
    if graph.directed:
        tails = np.repeat(np.arange(n), np.diff(graph.in_indptr)) * n + graph.in_indices
        keys = np.union1d(keys, tails)
    values = np.zeros((len(roles), keys.size), np.float32)
    for row, matrix in enumerate(matrices):
        if values.dtype == np.float32 and not _exact_in_single(matrix.data):
            values = values.astype(np.float64)
        if matrix.nnz == keys.size:
            values[row] = matrix.data  # the rows and their members are all there, in order
        else:
            rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
            values[row, np.searchsorted(keys, rows * n + matrix.indices)] = matrix.data
    if graph.directed:
        ptr = np.searchsorted(keys, np.arange(n + 1) * n).astype(np.int64)
        idx = (keys % max(n, 1)).astype(np.int32)
    else:
        ptr, idx = graph.indptr, graph.indices
    numbers = np.array(roles, np.int32), np.array(groups, np.int32)
    return Structure(ptr, idx, values, *numbers, num_groups)


def own_structure(
    matrix: sparse.csr_array[Any, Any], role: int, group: int, num_groups: int
) -> Structure:
    """Put a role that reaches beyond the neighbours on rows of its own."""
    dtype = np.float32 if _exact_in_single(matrix.data) else np.float64
    return Structure(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32),
        matrix.data.astype(dtype)[None],
        np.array([role], np.int32),
        np.array([group], np.int32),
        num_groups,
    )


def _exact_in_single(values: NDArray[Any]) -> bool:
    return bool((values.astype(np.float32) == values).all())
