"""Mean and variance of columns over several batches, as if they had been one."""

from __future__ import annotations

import torch

__all__ = ["Pooled"]


class Pooled:
    """Mean and plain variance (over n) of all rows so far, batch by batch.

    The variance of the whole is the mean of the parts' variances and of what lies between their
    means (Chan, Golub and LeVeque, 1983). One batch comes out to the last bit.

    Examples
    --------
    >>> pooled, rows = Pooled(), torch.tensor([[1.0], [2.0], [6.0]])
    >>> for part in rows.split(2):
    ...     pooled.add(part.mean(dim=0), part.var(dim=0, correction=0), len(part))
    >>> pooled.mean.item(), round(pooled.variance.item(), 3)
    (3.0, 4.667)
    """

    mean: torch.Tensor
    variance: torch.Tensor

    def __init__(self) -> None:
        self.count = 0

    def add(self, mean: torch.Tensor, variance: torch.Tensor, count: int) -> None:
        """Take in a batch of `count` rows."""
        if self.count == 0:
            self.mean, self.variance, self.count = mean.clone(), variance.clone(), count
            return
        self.count += count
        share = count / self.count
        step = mean - self.mean
        self.mean = self.mean + step * share
        between = step.square() * (share * (1 - share))
        self.variance = self.variance.lerp(variance, share) + between
