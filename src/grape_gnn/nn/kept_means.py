"""The means of a layer, kept for its way back; large ones only until the next layer has its own.

Means are the largest tensors of a training. The way back begins with the last layer, so its means
are worth their room; those of other layers wait longest and are computed again.
"""

from __future__ import annotations

import weakref
from typing import Any

import torch

from grape_gnn.planning.training import LARGEST_KEPT

__all__ = ["KeptMeans", "RecentMeans"]


class KeptMeans:
    """The means of one pass through one layer."""

    def __init__(self, means: torch.Tensor) -> None:
        self._means: torch.Tensor | None = means

    def take(self) -> torch.Tensor | None:
        """Return the means if they are still there; they are not for a second time."""
        means, self._means = self._means, None
        return means


class RecentMeans:
    """Remembers which large means were kept last, by the layers that share some roles.

    Examples
    --------
    >>> recent = RecentMeans()
    >>> first, second = recent.keep(torch.zeros(2)), recent.keep(torch.zeros(1 << 25))
    >>> recent.let_go()
    >>> first.take().tolist(), second.take()
    ([0.0, 0.0], None)
    """

    def __init__(self) -> None:
        self._large: weakref.ref[KeptMeans] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return RecentMeans, ()  # what a copy computes is its own

    def keep(self, means: torch.Tensor) -> KeptMeans:
        """Keep means for as long as the result is there, and no longer than until `let_go`."""
        kept = KeptMeans(means)
        if means.nbytes > LARGEST_KEPT:
            self._large = weakref.ref(kept)
        return kept

    def let_go(self) -> None:
        """Give up large means, before there are others."""
        kept = None if self._large is None else self._large()
        if kept is not None:
            kept.take()
