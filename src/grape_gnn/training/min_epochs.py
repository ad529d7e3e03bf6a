"""Features that are the same for all nodes, and what training has to respect about them.

Without features only the structure is left to learn from, and learning takes off late: early
stopping from the first epoch on would end it before it begins. The same rule holds for every model.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray

__all__ = ["LATE_START", "is_constant", "min_epochs"]

_ROWS = 1 << 16  # compared together
LATE_START = 200  # epochs without early stopping when all nodes have the same features


def is_constant(x: torch.Tensor | NDArray[Any]) -> bool:
    """Whether all nodes have the same features.

    Examples
    --------
    >>> is_constant(torch.ones(4, 2)), is_constant(torch.eye(4))
    (True, False)
    """
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
