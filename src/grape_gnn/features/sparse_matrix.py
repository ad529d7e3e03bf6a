"""A sparse matrix as features: every column is divided by its largest training value.

Zeros stay zeros, so it stays sparse; taking off the mean, as for the columns of a table, would fill
it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grape_gnn.errors import ModelError

__all__ = ["MatrixCode", "fit_matrix"]


@dataclass(frozen=True)
class MatrixCode:
    """How the columns of a sparse matrix become features.

    Parameters
    ----------
    scales
        What each is divided by.
    name
        What the matrix is called.
    """

    scales: tuple[float, ...]
    name: str = "x"

    @property
    def feature_names(self) -> list[str]:
        """Names of the features."""
        return [f"{self.name}{k}" for k in range(len(self.scales))]

    @property
    def kind(self) -> str:
        """The kind of the matrix."""
        return "sparse matrix"

    def describe(self) -> str:
        """Say what is done to the matrix."""
        changed = sum(scale != 1 for scale in self.scales)
        return f"{len(self.scales):,} columns, {changed:,} divided by their largest training value"

    def transform(self, x: Any) -> csr_array[Any, Any]:
        """Return the features."""
        if x.shape[1] != len(self.scales):
            raise ModelError(
                f"the graph has {x.shape[1]} features per node, the model was trained with "
                f"{len(self.scales)}: give the same features in the same order"
            )
        found = csr_array(x, dtype=np.float32, copy=True)
        found.data /= np.array(self.scales, np.float32)[found.indices]
        return found

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return {"code": "matrix", **asdict(self), "scales": list(self.scales)}


def fit_matrix(x: Any, training: NDArray[np.bool_], scaling: bool) -> MatrixCode:
    """Learn from the training rows.

    Examples
    --------
    >>> x = csr_array([[0.0, 4.0], [1.0, 2.0], [9.0, 0.0]])
    >>> fit_matrix(x, np.array([True, True, False]), True).scales
    (1.0, 4.0)
    """
    if not scaling:
        return MatrixCode((1.0,) * x.shape[1])
    largest = np.zeros(x.shape[1])
    if training.any():
        largest = abs(x[np.flatnonzero(training)]).max(axis=0).toarray().ravel()
    return MatrixCode(tuple(np.where(largest > 0, largest, 1.0).tolist()))
