"""The mean over the members of every role as one sparse matrix: a row for every ego and role.

    M[v R + r, u] = C_r[v, u] / sum over w of C_r[v, w],     means[v, r] = (M h)[v R + r]

On a large graph roles that share a sparsity share its indices, which saves memory that has to be
read. A batch of small graphs is in a cache anyhow, and what counts is how many passes there are:
here one forward and one back, and one cut of rows for a batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn import _native
from grape_gnn.graphs.cut import Cut, ranges
from grape_gnn.nn.structure import Structure

__all__ = ["StackedMeans"]


@dataclass(frozen=True, eq=False)
class _Rows:
    """Compressed rows, `high` of them for a node, with `wide` columns for a node."""

    ptr: NDArray[np.int64]
    idx: NDArray[np.int32]
    values: NDArray[Any]
    high: int
    wide: int

    def cut(self, cut: Cut) -> _Rows:
        """Keep the rows of some graphs, and number their columns anew."""
        first, count = cut.starts * self.high, cut.sizes * self.high
        begin = self.ptr[first]
        lengths = self.ptr[first + count] - begin
        entries = ranges(begin, lengths)
        shift = (cut.starts - cut.ptr[:-1]) * self.wide
        idx = self.idx[entries] - np.repeat(shift, lengths).astype(np.int32)
        ends = self.ptr[ranges(first + 1, count)]  # behind each row, in the whole
        moved = np.cumsum(lengths) - lengths - begin
        ptr = np.concatenate([[0], ends + np.repeat(moved, count)])
        return _Rows(ptr, idx, self.values[entries], self.high, self.wide)

    def times(self, h: torch.Tensor) -> torch.Tensor:
        """Multiply (columns, features)."""
        out = h.new_empty(self.ptr.size - 1, 1, h.shape[1])
        dense = h.detach().contiguous()[None].numpy()
        threads = torch.get_num_threads()
        _native.feature_product(self.ptr, self.idx, self.values, dense, out.numpy(), False, threads)
        return out


@dataclass(frozen=True, eq=False)
class StackedMeans:
    """All roles of many small graphs, ready for one product.

    Parameters
    ----------
    forward, backward
        The rows of `M`, and of its transpose.
    num_roles
        Number of roles.

    Examples
    --------
    >>> path = Structure(
    ...     np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32), (np.ones(4),),
    ...     np.zeros(1, np.int32), np.zeros(1, np.int32), 1, 3,
    ... )
    >>> means = StackedMeans.of([path], np.array([[1.0, 2.0, 1.0]]), np.dtype("float32"))
    >>> means(torch.tensor([[1.0], [2.0], [5.0]])).flatten().tolist()
    [2.0, 3.0, 2.0]
    """

    forward: _Rows
    backward: _Rows
    num_roles: int

    @classmethod
    def of(
        cls, structures: Iterable[Structure], row_sums: NDArray[np.float64], kind: np.dtype[Any]
    ) -> StackedMeans:
        """Put structures together; `row_sums` are of all roles, shape (roles, nodes)."""
        count, n = row_sums.shape
        rows, columns, values = [], [], []
        for structure in structures:
            egos = structure.rows
            for role, weights in zip(structure.role.tolist(), structure.values, strict=True):
                there = weights != 0
                rows.append(egos[there] * count + role)
                columns.append(structure.idx[there])
                values.append(weights[there] / row_sums[role, egos[there]])
        parts = [np.concatenate(each) if each else np.empty(0) for each in (values, rows, columns)]
        whole = sparse.csr_array((parts[0], (parts[1], parts[2])), shape=(n * count, n))
        turned = whole.T.tocsr()
        return cls(_rows(whole, kind, count, 1), _rows(turned, kind, 1, count), count)

    def cut(self, cut: Cut) -> StackedMeans:
        """Return the means of some of the graphs."""
        return StackedMeans(self.forward.cut(cut), self.backward.cut(cut), self.num_roles)

    def __call__(self, h: torch.Tensor) -> torch.Tensor:
        """Return the means of (nodes, features), shape (nodes, roles, features)."""
        return self.forward.times(h).view(h.shape[0], self.num_roles, h.shape[1])

    def derivative(self, by_means: torch.Tensor) -> torch.Tensor:
        """Return the derivative by the features, given that by the means."""
        return self.backward.times(by_means.reshape(-1, by_means.shape[2]))[:, 0]


def _rows(matrix: sparse.csr_array[Any, Any], kind: np.dtype[Any], high: int, wide: int) -> _Rows:
    return _Rows(
        matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32),
        matrix.data.astype(kind), high, wide,
    )  # fmt: skip
