"""Room for the large tensors of a training, in memory that is soon used again.

On the processor torch asks for aligned memory. The C library looks for a little more than was asked
for, so that what one tensor leaves behind is too small for the next of the same size: a training
comes to hold half as much again as it needs. NumPy asks for plain memory, which fits, and in large
pages: the first touch of small ones takes longer than what is written there. A few bytes more than
needed let rows begin with a line of the cache; others would be read from one line more than they
fill.

What is beyond 32 MB the C library gives back to the system at once, and gets it again page by page,
each of them cleared first: for the means of a layer that takes as long as to compute them. While a
training lasts, the largest block that is let go waits for the next who wants one.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

__all__ = ["large_tensor", "memory_used_again"]

_LINE = 64  # bytes of a line of the cache
_GIVEN_BACK = 32 << 20  # bytes; larger blocks do not stay with the C library
_trainings: list[_SpareBlock] = []  # that are running, the innermost last


class _SpareBlock:
    """The largest block of memory that nobody uses at the moment."""

    def __init__(self) -> None:
        self.block = np.empty(0, np.uint8)

    def take(self, size: int) -> NDArray[np.uint8]:
        """Return a block of at least this many bytes."""
        if size > self.block.size:
            return np.empty(size, np.uint8)
        block, self.block = self.block, np.empty(0, np.uint8)
        return block

    def wait_for(self, block: NDArray[np.uint8], user: NDArray[Any]) -> None:
        """Take a block back when the array that uses it is gone."""
        weakref.finalize(user, self._take_back, block).atexit = False

    def _take_back(self, block: NDArray[np.uint8]) -> None:
        if self in _trainings and block.size > self.block.size:
            self.block = block


@contextmanager
def memory_used_again() -> Iterator[None]:
    """Keep the largest block that large tensors leave behind for the next ones, until the end.

    Examples
    --------
    >>> with memory_used_again():
    ...     first = large_tensor((1 << 24,), torch.zeros(1))
    ...     place = first.data_ptr()
    ...     del first
    ...     large_tensor((1 << 12, 1 << 11), torch.zeros(1)).data_ptr() == place
    True
    """
    _trainings.append(_SpareBlock())
    try:
        yield
    finally:
        _trainings.pop()


def large_tensor(shape: Sequence[int], like: torch.Tensor) -> torch.Tensor:
    """Return a tensor that is not filled in, of the type and on the device of another.

    Examples
    --------
    >>> large_tensor((3, 2), torch.zeros(1, dtype=torch.float64)).dtype
    torch.float64
    """
    if like.device.type != "cpu" or like.dtype not in (torch.float32, torch.float64):
        return like.new_empty(tuple(shape))
    kind: Any = np.float32 if like.dtype == torch.float32 else np.float64
    size = math.prod(shape) * like.element_size()
    room = size + _LINE
    spare = _trainings[-1] if _trainings and room > _GIVEN_BACK else None
    block = np.empty(room, np.uint8) if spare is None else spare.take(room)
    first = -block.ctypes.data % _LINE
    array = block[first : first + size].view(kind).reshape(tuple(shape))
    if spare is not None:
        spare.wait_for(block, array)
    return torch.from_numpy(array)
