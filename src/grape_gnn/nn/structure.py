"""Roles that share one sparsity: index arrays once, one column of values per role.

Roles whose members are neighbours of the ego all live on the entries of the graph itself
(an edge template has ones there, a triangle the number of triangles on the edge, and so
on), so a layer can take them all in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
        ``values[r][e]`` is the entry ``C_r[v, u]`` of role ``r``, in single precision if that is
        exact, as it is for counts up to 16 million.
    role
        The number of every role among all roles of the model, ascending.
    group
        The group (template) of every role.
    num_groups
        Number of groups of the model.
    num_columns
        Number of nodes that may be members, the egos first among them.

    Examples
    --------
    >>> path = Structure(
    ...     np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32), (np.ones(4),),
    ...     np.zeros(1, np.int32), np.zeros(1, np.int32), 1, 3,
    ... )
    >>> path.rows.tolist()
    [0, 1, 1, 2]
    """

    ptr: NDArray[np.int64]
    idx: NDArray[np.int32]
    values: tuple[NDArray[np.floating[Any]], ...]
    role: NDArray[np.int32]
    group: NDArray[np.int32]
    num_groups: int
    num_columns: int

    @property
    def num_rows(self) -> int:
        """Number of egos."""
        return self.ptr.size - 1

    @property
    def rows(self) -> NDArray[np.int64]:
        """The ego of every entry."""
        return np.repeat(np.arange(self.num_rows), np.diff(self.ptr))

    @cached_property
    def unit(self) -> int | None:
        """The place of a role that every member plays once, as in an edge; None: there is none."""
        places = (k for k, each in enumerate(self.values) if (each == 1).all())
        return next(places, None)

    @cached_property
    def single(self) -> _native.FusedRoles32:
        """The compiled structure in single precision."""
        return _native.FusedRoles32(*self._arrays(np.float32))

    @cached_property
    def double(self) -> _native.FusedRoles64:
        """The compiled structure in double precision."""
        return _native.FusedRoles64(*self._arrays(np.float64))

    def regrouped(self, group: NDArray[np.int64]) -> Structure:
        """Return the same roles in other groups, given for all roles of the model."""
        mine, count = group[self.role].astype(np.int32), int(group.max(initial=-1)) + 1
        other = replace(self, group=mine, num_groups=count)
        if "unit" in vars(self):
            vars(other)["unit"] = self.unit
        return other

    def _arrays(self, kind: type[np.floating[Any]]) -> tuple[Any, ...]:
        values = [np.ascontiguousarray(each, kind) for each in self.values]
        numbers = (self.role, self.group, self.num_groups, self.num_columns)
        return self.ptr, self.idx, values, *numbers

    def tensors(self, like: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, list[torch.Tensor]]:
        """Ego, member and values of every entry, on the device and in the type of `like`."""
        key = f"tensors {like.device} {like.dtype}"
        kept: dict[str, Any] = self.__dict__
        if key not in kept:
            kept[key] = (
                torch.from_numpy(self.rows).to(like.device),
                torch.from_numpy(self.idx.astype(np.int64)).to(like.device),
                [torch.from_numpy(each).to(like) for each in self.values],
            )
        found: tuple[torch.Tensor, torch.Tensor, list[torch.Tensor]] = kept[key]
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
    values = []
    for matrix in matrices:
        values.append(np.zeros(keys.size, _kind(matrix.data)))
        if matrix.nnz == keys.size:
            values[-1][:] = matrix.data  # all rows and members are there, in the same order
        else:
            rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
            values[-1][np.searchsorted(keys, rows * n + matrix.indices)] = matrix.data
    if graph.directed:
        ptr = np.searchsorted(keys, np.arange(n + 1) * n).astype(np.int64)
        idx = (keys % max(n, 1)).astype(np.int32)
    else:
        ptr, idx = graph.indptr, graph.indices
    numbers = np.array(roles, np.int32), np.array(groups, np.int32)
    return Structure(ptr, idx, tuple(values), *numbers, num_groups, n)


def own_structure(
    matrix: sparse.csr_array[Any, Any], role: int, group: int, num_groups: int
) -> Structure:
    """Put a role that reaches beyond the neighbours on rows of its own."""
    return Structure(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32),
        (matrix.data.astype(_kind(matrix.data)),),
        np.array([role], np.int32),
        np.array([group], np.int32),
        num_groups,
        matrix.shape[1],
    )


def _kind(values: NDArray[Any]) -> type[np.floating[Any]]:
    """Return the type that holds the values exactly, single precision if it does."""
    return np.float32 if (values.astype(np.float32) == values).all() else np.float64
