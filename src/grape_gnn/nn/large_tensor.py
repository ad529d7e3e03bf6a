"""Room for the large tensors of a training, in memory that is soon used again.

On the processor torch asks for aligned memory. The C library looks for a little more than was asked
for, so that what one tensor leaves behind is too small for the next of the same size: a training
comes to hold half as much again as it needs. NumPy asks for plain memory, which fits, and in large
pages: the first touch of small ones takes longer than what is written there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

__all__ = ["large_tensor"]


def large_tensor(shape: Sequence[int], like: torch.Tensor) -> torch.Tensor:
    """Return a tensor that is not filled in, of the type and on the device of another.

    Examples
    --------
    >>> large_tensor((3, 2), torch.zeros(1, dtype=torch.float64)).dtype
    torch.float64
    """
    if like.device.type != "cpu" or like.dtype not in (torch.float32, torch.float64):
        return like.new_empty(tuple(shape))
    kind = np.float32 if like.dtype == torch.float32 else np.float64
    return torch.from_numpy(np.empty(tuple(shape), kind))
