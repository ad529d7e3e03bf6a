"""From counts in the graph and in rewired ones to z-scores and p-values.

The empirical p-value of `b` out of `n` rewired graphs with at least the count of the graph is
`(1 + b) / (1 + n)`: the graph itself is one of the `n + 1` (Phipson and Smyth 2010). So no p-value
is below `1 / (1 + n)`, however extreme the count is; the z-score tells more there, for what a
normal distribution is worth. Where all rewired graphs have the same count there is no z-score: it
is nan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALTERNATIVES", "Scores", "Tally", "corrected"]

ALTERNATIVES = ("two-sided", "more", "fewer")

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """Counts of the graph beside those of rewired graphs; all arrays have one shape.

    Attributes
    ----------
    observed
        The counts of the graph.
    mean, std
        Mean and standard deviation of the counts in rewired graphs.
    z
        ``(observed - mean) / std``; nan where all rewired graphs have the same count.
    p_more, p_fewer
        Share of the graphs, this one among them, with at least, or at most, the observed count.
    p
        Of the two, the one that was asked for; two-sided: twice the smaller, at most 1.
    q
        `p` corrected for the number of tests, by Benjamini and Hochberg.
    """

    observed: NDArray[np.int64]
    mean: _Floats
    std: _Floats
    z: _Floats
    p_more: _Floats
    p_fewer: _Floats
    p: _Floats
    q: _Floats


class Tally:
    """Adds up the counts of one rewired graph after the other.

    Parameters
    ----------
    observed
        The counts of the graph.

    Examples
    --------
    >>> tally = Tally(np.array([5, 5, 0]))
    >>> for counts in ([1, 5, 0], [2, 7, 0], [3, 6, 0]):
    ...     tally.add(np.array(counts))
    >>> scores = tally.scores("more")
    >>> scores.z.tolist(), scores.p.tolist()
    ([3.0, -1.0, nan], [0.25, 1.0, 1.0])
    """

    def __init__(self, observed: NDArray[np.int64]) -> None:
        self.observed = observed
        self.samples = 0
        self._mean = np.zeros(observed.shape)  # of what a count is beyond the observed one
        self._squares = np.zeros(observed.shape)
        self._least: NDArray[np.int64] | None = None
        self._most: NDArray[np.int64] | None = None
        self._as_many = np.zeros(observed.shape, dtype=np.int64)
        self._as_few = np.zeros(observed.shape, dtype=np.int64)

    def add(self, counts: NDArray[np.int64]) -> None:
        """Take the counts of one more graph; their order matters to the last digit only."""
        self.samples += 1
        beyond = counts - self.observed  # large counts have more digits than their mean could keep
        distance = beyond - self._mean
        self._mean += distance / self.samples
        self._squares += distance * (beyond - self._mean)
        self._least = beyond if self._least is None else np.minimum(self._least, beyond)
        self._most = beyond if self._most is None else np.maximum(self._most, beyond)
        self._as_many += beyond >= 0
        self._as_few += beyond <= 0

    def scores(self, alternative: str) -> Scores:
        """Return what there is to say; `alternative` is one of `ALTERNATIVES`."""
        assert self._least is not None
        varies = self._least != self._most
        std = np.where(varies, np.sqrt(self._squares / max(1, self.samples - 1)), 0.0)
        z = np.full(std.shape, np.nan)
        np.divide(-self._mean, std, out=z, where=varies)
        more = (1 + self._as_many) / (1 + self.samples)
        fewer = (1 + self._as_few) / (1 + self.samples)
        two_sided = np.minimum(1.0, 2 * np.minimum(more, fewer))
        p = {"more": more, "fewer": fewer, "two-sided": two_sided}[alternative]
        mean = self.observed + self._mean
        return Scores(self.observed, mean, std, z, more, fewer, p, corrected(p))


def corrected(p: _Floats) -> _Floats:
    """Correct p-values for their number: the false discovery rate of Benjamini and Hochberg.

    Examples
    --------
    >>> corrected(np.array([0.01, 0.04, 0.03, 0.5])).round(3).tolist()
    [0.04, 0.053, 0.053, 0.5]
    """
    flat = p.ravel()
    order = np.argsort(flat, kind="stable")[::-1]  # from the largest on
    ranks = np.arange(len(flat), 0, -1)
    q = np.empty_like(flat)
    q[order] = np.minimum.accumulate(flat[order] * len(flat) / ranks)
    return q.reshape(p.shape)
