"""Features that are the same for all nodes, and what training has to respect about them.

Without features only the structure is left to learn from, and learning takes off late: early
stopping from the first epoch on would end it before it begins. The same rule holds for every model.
"""

from __future__ import annotations

import torch

__all__ = ["HOLD_BACK", "hold_back", "is_constant"]

HOLD_BACK = 200  # epochs without early stopping when all nodes have the same features


def is_constant(x: torch.Tensor) -> bool:
    """Whether all nodes have the same features.

    Examples
    --------
    >>> is_constant(torch.ones(4, 2)), is_constant(torch.eye(4))
    (True, False)
    """
    return bool((x == x[:1]).all())


def hold_back(constant: bool, stopping: str = "patience") -> int:
    """Epochs before early stopping may end a training.

    Parameters
    ----------
    constant
        Whether all nodes have the same features.
    stopping
        The rule of `TrainSettings`; ``"window"`` always waits, as the released code does.

    Examples
    --------
    >>> hold_back(True), hold_back(False), hold_back(False, "window")
    (200, 0, 200)
    """
    return HOLD_BACK if constant or stopping == "window" else 0
