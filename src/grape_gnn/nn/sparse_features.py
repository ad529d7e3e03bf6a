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
from grape_gnn.graph.feature_matrix import Features, made_dense
from grape_gnn.nn.dropout import drop

__all__ = ["SparseFeatures", "as_sparse"]

LARGEST_SHARE = 0.1  # of entries that are not zero, above which dense is faster
ENTRIES = 1 << 18  # looked at together
NARROWEST = 64  # columns, below which it is as well


def as_sparse(
    x: torch.Tensor | Features | SparseFeatures, device: str = "cpu"
) -> torch.Tensor | SparseFeatures:
    """Store features sparsely where that pays: on the processor, wide and mostly zero.

    Parameters
    ----------
    x
        The features; an array is copied.
    device
        Where arrays go.
    """
    if isinstance(x, SparseFeatures):
        return x
    if sparse.issparse(x):
        pays = x.nnz <= LARGEST_SHARE * x.shape[0] * x.shape[1] and x.shape[1] >= NARROWEST
        if pays and torch.device(device).type == "cpu":
            return SparseFeatures(x)
        x = made_dense(x, f"the device {device}")
    if isinstance(x, np.ndarray):
        x = torch.from_numpy(np.array(x)).to(device)
    if x.device.type != "cpu" or x.shape[1] < NARROWEST:
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
        self.values = torch.from_numpy(np.array(matrix.data))  # the graph's must not change
        self._by_row = _starts(rows, x.shape[0]), matrix.indices.astype(np.int32)
        self._by_column = (
            _starts(matrix.indices, x.shape[1]),
            rows[order].astype(np.int32),
        )
        self._order = torch.from_numpy(order)

    def dropout(self, share: float, training: bool) -> SparseFeatures:
        """Drop entries at random and scale the rest, as `Dropout` does."""
        if not training or share == 0:
            return self
        return self.with_values(drop(self.values, share))

    def without(self, rows: torch.Tensor, first: int) -> SparseFeatures:
        """Set all columns from `first` on to zero, in the given rows (a mask)."""
        starts, columns = self._by_row
        gone = np.repeat(rows.numpy(), np.diff(starts)) & (columns >= first)
        return self.with_values(self.values.masked_fill(torch.from_numpy(gone), 0.0))

    def beside(self, columns: torch.Tensor) -> SparseFeatures:
        """Return these features followed by further columns."""
        more = sparse.csr_array(columns.to(self.values.dtype).numpy())
        return SparseFeatures(sparse.csr_array(sparse.hstack([self.matrix, more], format="csr")))

    def __matmul__(self, weight: torch.Tensor) -> torch.Tensor:
        """Multiply by (features, columns), or by a matrix per group: (groups, features, columns).

        Returns
        -------
        torch.Tensor
            Shape (nodes, columns), or (nodes, groups, columns).
        """
        groups = weight if weight.ndim == 3 else weight[None]
        product: torch.Tensor = _Product.apply(groups, self.values, self)
        return product if weight.ndim == 3 else product[:, 0]

    def __getitem__(self, rows: torch.Tensor) -> SparseFeatures:
        """Return some rows, by their numbers."""
        return SparseFeatures(self.matrix[rows.numpy()])

    def to(self, device: torch.device | str) -> torch.Tensor | SparseFeatures:
        """Return the same on a device: itself on the processor, elsewhere a dense tensor."""
        return self if torch.device(device).type == "cpu" else self.to_dense().to(device)

    def to_dense(self) -> torch.Tensor:
        """Return the dense matrix."""
        return torch.from_numpy(made_dense(self.matrix, "the network"))

    @property
    def matrix(self) -> sparse.csr_array[Any, Any]:
        """The same as SciPy has it."""
        ptr, idx = self._by_row
        return sparse.csr_array(
            (self.values.detach().numpy(), idx, ptr), (self.shape[0], self.shape[1])
        )

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

    def at_entries(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """Return the product of (nodes, groups, columns) and (groups, features, columns), summed.

        Only where an entry is stored, so the product is never formed.
        """
        starts, columns = self._by_row
        rows = np.repeat(np.arange(self.shape[0]), np.diff(starts))
        found = left.new_empty(len(rows))
        for begin in range(0, len(rows), ENTRIES):
            part = slice(begin, begin + ENTRIES)
            of_row = left[torch.from_numpy(rows[part])]
            of_column = right[:, torch.from_numpy(columns[part]).long()].transpose(0, 1)
            found[part] = (of_row * of_column).sum(dim=(1, 2))
        return found

    def with_values(self, values: torch.Tensor) -> SparseFeatures:
        """Return a matrix with other values at the same places."""
        changed = object.__new__(SparseFeatures)
        vars(changed).update(vars(self))
        changed.values = values
        return changed

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
            values.detach().to(dense.dtype).numpy(),
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
    """Sparse times dense; backward by the transpose prepared once.

    The derivative by the stored values is for explanations, which ask what the loss reacts to.
    """

    @staticmethod
    def forward(
        ctx: Any, weight: torch.Tensor, values: torch.Tensor, x: SparseFeatures
    ) -> torch.Tensor:
        ctx.x = x
        if values.requires_grad:
            ctx.save_for_backward(weight)
        return x.times(weight.detach())

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(
        ctx: Any, gradient: torch.Tensor
    ) -> tuple[torch.Tensor | None, torch.Tensor | None, None]:
        by_weight, by_values, _ = ctx.needs_input_grad
        return (
            ctx.x.transposed_times(gradient) if by_weight else None,
            ctx.x.at_entries(gradient, ctx.saved_tensors[0]) if by_values else None,
            None,
        )
