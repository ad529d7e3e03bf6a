"""Features that are mostly zero, such as words of a paper: stored, dropped out and multiplied so.

Dropping entries of a matrix that is 99% zeros, or multiplying it by a dense one, wastes 99% of the
work; on Cora that was most of an epoch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy import sparse

from grape_gnn import _native

__all__ = ["SparseFeatures", "as_sparse"]

LARGEST_SHARE = 0.1  # of entries that are not zero, above which dense is faster


def as_sparse(x: torch.Tensor) -> torch.Tensor | SparseFeatures:
    """Store features sparsely where that pays: on the processor, wide and mostly zero."""
    if x.device.type != "cpu" or x.shape[1] < 64:
        return x
    if torch.count_nonzero(x).item() > LARGEST_SHARE * x.numel():
        return x
    return SparseFeatures(x)


class SparseFeatures:
    """A constant matrix that is mostly zero; it acts like a tensor of shape (nodes, features).

    Parameters
    ----------
    x
        The matrix, on the processor.

    Examples
    --------
    >>> x = SparseFeatures(torch.tensor([[0.0, 2.0], [0.0, 0.0]]))
    >>> (x @ torch.ones(2, 3)).tolist()
    [[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]
    """

    ndim = 2

    def __init__(self, x: torch.Tensor | sparse.csr_array[Any, Any]) -> None:
        matrix = sparse.csr_array(x.numpy()) if isinstance(x, torch.Tensor) else x
        rows = np.repeat(np.arange(x.shape[0]), np.diff(matrix.indptr))
        order = np.lexsort((rows, matrix.indices))  # by column, then by row
        self.shape = torch.Size(x.shape)
        self.values = torch.from_numpy(matrix.data)
        self._by_row = _starts(rows, x.shape[0]), matrix.indices.astype(np.int32)
        self._by_column = (
            _starts(matrix.indices, x.shape[1]),
            rows[order].astype(np.int32),
        )
        self._order = torch.from_numpy(order)

    def dropout(self, share: float, training: bool) -> SparseFeatures:
        """Drop entries at random and scale the rest, as `torch.nn.Dropout` does."""
        if not training or share == 0:
            return self
        return self._with_values(torch.nn.functional.dropout(self.values, share))

    def without_last(self, rows: torch.Tensor) -> SparseFeatures:
        """Set the last stored entry of the given rows (a mask) to zero."""
        ends = torch.from_numpy(self._by_row[0])[1:]
        values = self.values.clone()
        values[ends[rows] - 1] = 0.0
        return self._with_values(values)

    def _with_values(self, values: torch.Tensor) -> SparseFeatures:
        changed = object.__new__(SparseFeatures)
        vars(changed).update(vars(self))
        changed.values = values
        return changed

    def __matmul__(self, weight: torch.Tensor) -> torch.Tensor:
        """Multiply by (features, columns), or by a matrix per group: (groups, features, columns).

        Returns
        -------
        torch.Tensor
            Shape (nodes, columns), or (nodes, groups, columns).
        """
        groups = weight if weight.ndim == 3 else weight[None]
        product: torch.Tensor = _Product.apply(groups, self)
        return product if weight.ndim == 3 else product[:, 0]

    def __getitem__(self, rows: torch.Tensor) -> SparseFeatures:
        """Return some rows, by their numbers."""
        return SparseFeatures(self._matrix()[rows.numpy()])

    def to_dense(self) -> torch.Tensor:
        """Return the dense matrix."""
        return torch.from_numpy(self._matrix().toarray())

    def _matrix(self) -> sparse.csr_array[Any, Any]:
        ptr, idx = self._by_row
        return sparse.csr_array((self.values.numpy(), idx, ptr), (self.shape[0], self.shape[1]))

    def times(self, weight: torch.Tensor) -> torch.Tensor:
        """Multiply by (groups, features, columns), without gradients."""
        out = weight.new_empty(self.shape[0], weight.shape[0], weight.shape[2])
        self._run(self._by_row, self.values, weight, out, transposed=False)
        return out

    def transposed_times(self, gradient: torch.Tensor) -> torch.Tensor:
        """Multiply the transpose by (nodes, groups, columns), without gradients."""
        out = gradient.new_empty(gradient.shape[1], self.shape[1], gradient.shape[2])
        self._run(self._by_column, self.values[self._order], gradient, out, transposed=True)
        return out

    @staticmethod
    def _run(
        rows: tuple[Any, Any],
        values: torch.Tensor,
        dense: torch.Tensor,
        out: torch.Tensor,
        transposed: bool,
    ) -> None:
        _native.feature_product(
            *rows,
            values.to(dense.dtype).numpy(),
            dense.contiguous().numpy(),
            out.numpy(),
            transposed,
            torch.get_num_threads(),
        )


def _starts(rows: Any, count: int) -> Any:
    """Where every row begins, from the row of each entry."""
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=count), out=starts[1:])
    return starts


class _Product(torch.autograd.Function):
    """Sparse times dense; backward by the transpose prepared once."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, x: SparseFeatures) -> torch.Tensor:
        ctx.x = x
        return x.times(weight.detach())

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return ctx.x.transposed_times(gradient), None
