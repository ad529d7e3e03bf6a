"""Features that are mostly zero, such as words of a paper: stored, dropped out and multiplied so.

Dropping entries of a matrix that is 99% zeros, or multiplying it by a dense one, wastes 99% of the
work; on Cora that was most of an epoch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy import sparse

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
        The dense matrix.

    Examples
    --------
    >>> x = SparseFeatures(torch.tensor([[0.0, 2.0], [0.0, 0.0]]))
    >>> (x @ torch.ones(2, 3)).tolist()
    [[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]
    """

    ndim = 2

    def __init__(self, x: torch.Tensor) -> None:
        matrix = sparse.csr_array(x.numpy())
        rows = np.repeat(np.arange(x.shape[0]), np.diff(matrix.indptr))
        entries = np.stack([rows, matrix.indices.astype(np.int64)])
        order = np.lexsort(entries)  # by column, then by row
        self.shape = x.shape
        self.values = torch.from_numpy(matrix.data)
        self._rows = torch.from_numpy(entries)
        self._columns = torch.from_numpy(np.ascontiguousarray(entries[::-1, order]))
        self._order = torch.from_numpy(order)

    def dropout(self, share: float, training: bool) -> SparseFeatures:
        """Drop entries at random and scale the rest, as `torch.nn.Dropout` does."""
        if not training or share == 0:
            return self
        dropped = object.__new__(SparseFeatures)
        vars(dropped).update(vars(self))
        dropped.values = torch.nn.functional.dropout(self.values, share)
        return dropped

    def __matmul__(self, weight: torch.Tensor) -> torch.Tensor:
        product: torch.Tensor = _Product.apply(weight, self)  # type: ignore[no-untyped-call]
        return product

    def to_dense(self) -> torch.Tensor:
        """Return the dense matrix."""
        return self.by_rows(self.values.dtype).to_dense()

    def by_rows(self, dtype: torch.dtype) -> torch.Tensor:
        """Return the matrix as a torch sparse tensor."""
        return torch.sparse_coo_tensor(
            self._rows, self.values.to(dtype), self.shape, is_coalesced=True, check_invariants=False
        )

    def by_columns(self, dtype: torch.dtype) -> torch.Tensor:
        """Return the transposed matrix as a torch sparse tensor."""
        return torch.sparse_coo_tensor(
            self._columns,
            self.values[self._order].to(dtype),
            self.shape[::-1],
            is_coalesced=True,
            check_invariants=False,
        )


class _Product(torch.autograd.Function):
    """Sparse times dense; backward by the transpose prepared once."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, x: SparseFeatures) -> torch.Tensor:
        ctx.x = x
        return x.by_rows(weight.dtype) @ weight

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return ctx.x.by_columns(gradients[0].dtype) @ gradients[0].contiguous(), None
