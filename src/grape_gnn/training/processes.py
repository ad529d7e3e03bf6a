"""Training by several processes that `torchrun` started, here or on many machines.

Every batch is split into as many shares as there are processes. Each computes the gradient of its
share, normalised by the nodes of that share alone; the gradients are added up, and everybody takes
the same step. What is random (the order of the nodes, samples, dropout) is drawn from seeds that
all know. So one process that goes through the shares one after the other comes to the same weights
up to the order of sums, and a training may go on with fewer processes than it was begun with.
"""

from __future__ import annotations

import atexit
import os
import textwrap
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import torch
from torch import distributed

from grape_gnn.errors import ModelError

__all__ = ["Processes", "is_first", "processes", "several"]

PATIENCE = timedelta(minutes=30)  # with a process that prepares more slowly than the others


def is_first() -> bool:
    """Whether this process writes and prints: the only one, or the first of several."""
    return int(os.environ.get("RANK", "0")) == 0


def several() -> bool:
    """Whether `torchrun` started more than this process."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


class Processes:
    """The processes of a training.

    Parameters
    ----------
    rank, count
        Number of this process, from 0, and of all.
    """

    def __init__(self, rank: int = 0, count: int = 1) -> None:
        self.rank = rank
        self.count = count

    def shares(self, count: int) -> Sequence[int]:
        """Return which of the shares of a batch are computed here."""
        if count % self.count:
            raise ModelError(
                f"the training has {count} shares of every batch, which {self.count} processes "
                f"cannot divide among them: go on with {count}, or with one"
            )
        return range(self.rank, count, self.count)

    def add_up(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the sum of what all processes have."""
        if self.count > 1:
            try:
                distributed.all_reduce(numbers)
            except RuntimeError as error:
                raise _gone(error) from error
        return numbers

    def from_first(self, value: Any) -> Any:
        """Return what the first process has."""
        if self.count == 1:
            return value
        box = [value]
        try:
            distributed.broadcast_object_list(box)
        except RuntimeError as error:
            raise _gone(error) from error
        return box[0]


def processes(device: torch.device) -> Processes:
    """Return the processes that `torchrun` started, joined now; without it this one alone."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        return Processes()
    if not distributed.is_initialized():
        kind = "nccl" if device.type == "cuda" else "gloo"
        try:
            distributed.init_process_group(kind, timeout=PATIENCE)
        except (RuntimeError, ValueError) as error:
            raise ModelError(
                f"the {count} processes of the training did not find each other: start them by "
                f"torchrun ({error})"
            ) from error
        atexit.register(_leave)
    return Processes(distributed.get_rank(), count)


def _leave() -> None:
    """End the threads that listen to the others: the end of Python may abort them."""
    if distributed.is_initialized():
        distributed.destroy_process_group()


def _gone(error: RuntimeError) -> ModelError:
    lines = str(error).strip().splitlines()
    first = textwrap.shorten(lines[0], 160, placeholder=" ...") if lines else "no word"
    return ModelError(
        f"another process of the training is gone ({first}): see its own message; then go on by "
        f"--resume, with as many processes or with one"
    )
