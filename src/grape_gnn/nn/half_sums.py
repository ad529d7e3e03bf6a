"""Half sums: role matrices normalised by rows and by columns, as the released code does.

    H = (D_row^-1 C + C D_col^-1) / 2

Rows and columns that are empty stay empty. The transpose of H is the half sum of ``C.T``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.roles.operator import MatrixRole, RoleOperator

__all__ = ["HalfSumRole", "half_sum"]


def half_sum(operator: RoleOperator) -> RoleOperator:
    """Return the half sum of a role: as a matrix if the role is one, else as an operator.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> edge = grape.match(grape.Graph.from_edges([0, 1], [1, 2]), "edge")[0][1]
    >>> half_sum(edge).to_scipy().toarray().tolist()
    [[0.0, 0.75, 0.0], [0.75, 0.0, 0.75], [0.0, 0.75, 0.0]]
    """
    lazy = HalfSumRole(operator)
    if operator.is_stored:
        return MatrixRole(operator.graph, operator.template, operator.role, lazy.to_scipy())
    return lazy


class HalfSumRole(RoleOperator):
    """The half sum of an operator that need not be written out.

    Parameters
    ----------
    operator
        The role with its counts.
    """

    def __init__(self, operator: RoleOperator) -> None:
        super().__init__(operator.graph, operator.template, operator.role)
        self.operator = operator
        self.by_row = _inverse(operator.row_sums())
        self.by_column = _inverse(operator.T.row_sums())

    @property
    def nnz(self) -> int:
        """As many entries as the counts have."""
        return self.operator.nnz

    @cached_property
    def T(self) -> HalfSumRole:
        """The half sum of the transposed counts."""
        return HalfSumRole(self.operator.T)

    def multiply(self, features: NDArray[Any]) -> NDArray[Any]:
        """Multiply by a NumPy array, in its precision."""
        h = features if features.ndim == 2 else features[:, None]
        kind = features.dtype if features.dtype.kind == "f" else np.dtype(np.float64)
        rows, columns = (w[:, None].astype(kind) for w in (self.by_row, self.by_column))
        product = rows * self.operator.multiply(h) + self.operator.multiply(columns * h)
        halved: NDArray[Any] = (product / 2).astype(kind).reshape(features.shape)
        return halved

    def row_sums(self) -> NDArray[np.float64]:
        """Sum over the members, for every ego."""
        return self.multiply(np.ones(self.shape[1]))

    def diagonal(self) -> NDArray[np.float64]:
        """Zeros: nobody but the ego plays the ego's part."""
        return np.zeros(self.shape[0])

    def forget(self) -> None:
        """Let go of what the counts keep."""
        self.operator.forget()

    def to_scipy(self) -> sparse.csr_array[Any, Any]:
        """Return the half sums on the entries of the counts."""
        counts = self.operator.to_scipy()
        rows = np.repeat(np.arange(self.shape[0]), np.diff(counts.indptr))
        weights = (self.by_row[rows] + self.by_column[counts.indices]) / 2
        return sparse.csr_array((counts.data * weights, counts.indices, counts.indptr), self.shape)


def _inverse(sums: NDArray[Any]) -> NDArray[np.float64]:
    totals = np.asarray(sums, np.float64)
    return np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
