"""How many threads torch computes on: one where several would only wait for each other.

Results are the same to the last bit for one number of threads only. On a processor that others use
too, threads that meet after every operation wait for the one that has lost its turn: with two of
them, training on 300 nodes took 28 times as long as with one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch

__all__ = ["FEW_ROWS", "threads_for", "torch_threads"]

FEW_ROWS = 4096
"""Fewer nodes than this take a thread a few thousandths of a second, too little to share."""


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let torch compute on `count` threads within the block.

    Examples
    --------
    >>> with torch_threads(1):
    ...     torch.get_num_threads()
    1
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def threads_for(rows: int) -> AbstractContextManager[None]:
    """Let torch compute on one thread within the block if there are few rows, else as it does.

    Examples
    --------
    >>> with threads_for(300):
    ...     torch.get_num_threads()
    1
    """
    return torch_threads(1) if rows < FEW_ROWS else nullcontext()
