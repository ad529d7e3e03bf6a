"""Features that are the same for all nodes, and what training has to respect about them.

Without features only the structure is left to learn from, and learning takes off late: early
stopping from the first epoch on would end it before it begins. The same rule holds for every model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy.sparse import issparse

from grape_gnn.graph.feature_matrix import Features
from grape_gnn.nn import SparseFeatures

__all__ = ["LATE_START", "is_constant", "min_epochs"]

_ROWS = 1 << 16  # compared together
LATE_START = 200  # epochs without early stopping when all nodes have the same features


def is_constant(x: torch.Tensor | Features | SparseFeatures) -> bool:
    """Whether all nodes have the same features.

    Examples
    --------
    >>> is_constant(torch.ones(4, 2)), is_constant(torch.eye(4))
    (True, False)
    """
    if isinstance(x, SparseFeatures):
        x = x.matrix
    if issparse(x):
        sizes = np.diff(x.indptr)
        if (sizes != sizes[:1]).any():
            return False
        stored = (part.reshape(x.shape[0], -1) for part in (x.indices, x.data))
        return all(bool((rows == rows[:1]).all()) for rows in stored)
    first: Any = x[:1]
    parts = range(0, len(x), _ROWS)  # of which the first usually tells
    return all(bool((x[begin : begin + _ROWS] == first).all()) for begin in parts)


def min_epochs(constant: bool, stopping: str = "patience") -> int:
    """Epochs before early stopping may end a training.

    Parameters
    ----------
    constant
        Whether all nodes have the same features.
    stopping
        The rule of `TrainSettings`; ``"window"`` always waits, as the released code does.

    Examples
    --------
    >>> min_epochs(True), min_epochs(False), min_epochs(False, "window")
    (200, 0, 200)
    """
    return LATE_START if constant or stopping == "window" else 0
