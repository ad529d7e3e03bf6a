"""A role that is not written out, for the egos of a batch: its product on their surroundings."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.roles.operator import RoleOperator

__all__ = ["LocalRole"]


class LocalRole(RoleOperator):
    """The rows of a role for some egos, as an operator on the nodes of their batch.

    The role is applied to the graph between the nodes of the batch. Its rows for the egos are those
    of the whole graph if everybody within the reach of the template is among the nodes; other
    rows are not, and are left out.

    Parameters
    ----------
    operator
        The role on the graph between the nodes.
    places
        Number in that graph of every node of the batch, the egos first.
    num_egos
        Number of egos.
    by_row, by_column
        For half sums: one over the row sums of the egos, and over the column sums of the nodes, in
        the whole graph.
    transposed
        Make the operator from members to egos.
    """

    def __init__(
        self,
        operator: RoleOperator,
        places: NDArray[np.int64],
        num_egos: int,
        by_row: NDArray[np.float64] | None = None,
        by_column: NDArray[np.float64] | None = None,
        *,
        transposed: bool = False,
    ) -> None:
        super().__init__(operator.graph, operator.template, operator.role)
        self.operator = operator
        self.places = places
        self.num_egos = num_egos
        self.by_row, self.by_column = by_row, by_column
        self.transposed = transposed

    @property
    def shape(self) -> tuple[int, int]:
        """Egos times nodes of the batch."""
        sizes = (self.num_egos, len(self.places))
        return sizes[::-1] if self.transposed else sizes

    @property
    def nnz(self) -> int:
        """At most as many as on the graph between the nodes."""
        return self.operator.nnz

    @cached_property
    def T(self) -> LocalRole:
        """The transposed operator."""
        weights = (self.by_row, self.by_column)
        turned = LocalRole(
            self.operator, self.places, self.num_egos, *weights, transposed=not self.transposed
        )
        turned.__dict__["T"] = self
        return turned

    def multiply(self, features: NDArray[Any]) -> NDArray[Any]:
        """Multiply by a NumPy matrix with one row per node of the batch, or per ego transposed."""
        if self.by_row is None or self.by_column is None:
            return self._product(features)
        before, after = self.by_column, self.by_row
        if self.transposed:
            before, after = after, before
        before, after = (w[:, None].astype(features.dtype) for w in (before, after))
        halves: NDArray[Any] = after * self._product(features) + self._product(before * features)
        return halves / 2

    def _product(self, features: NDArray[Any]) -> NDArray[Any]:
        egos = self.places[: self.num_egos]
        inner = np.zeros((len(self.places), *features.shape[1:]), features.dtype)
        inner[egos if self.transposed else self.places] = features
        operator = self.operator.T if self.transposed else self.operator
        product: NDArray[Any] = operator.multiply(inner)
        return product[self.places if self.transposed else egos]

    def row_sums(self) -> NDArray[Any]:
        """Sum over the members."""
        return self.multiply(np.ones((self.shape[1], 1)))[:, 0]

    def diagonal(self) -> NDArray[np.float64]:
        """Zeros: nobody but the ego plays the ego's part."""
        return np.zeros(self.num_egos)

    def to_scipy(self) -> sparse.csr_array[Any, Any]:
        """Write the rows out."""
        return sparse.csr_array(self.multiply(np.eye(self.shape[1])))
