"""Cheaper evaluations: fewer epochs for genes that will not win.

``median``: at a few epochs, training ends if the best accuracy so far is below the median of what
earlier rounds had at the same epoch (the median stopping rule of Google Vizier). Only complete
rounds count, so the outcome does not depend on who evaluates when.

``halving``: all new genes of a round are trained for a ninth of the epochs, the better third of
them for a third, and the better third of those to the end (successive halving). The accuracy of a
gene that was left behind is the one it had then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

__all__ = ["RUNGS", "Rung", "halving_rungs", "hopeless_below", "survivors"]

RUNGS = (25, 50, 100, 200)
"""Epochs at which the median rule looks."""
_ENOUGH = 5  # evaluations before the median means something
_SHARE = 3

Rung = tuple[int, bool]
"""Epochs to train, and whether this is the last rung."""


def hopeless_below(curves: Sequence[Sequence[float]]) -> dict[int, float]:
    """Return for every rung the accuracy below which training is hopeless.

    Parameters
    ----------
    curves
        For every evaluation its best validation accuracy by each of `RUNGS` it reached.

    Examples
    --------
    >>> hopeless_below([[0.5, 0.6], [0.4, 0.6], [0.6, 0.7], [0.3], [0.5, 0.5], [0.5, 0.8]])
    {25: 0.5, 50: 0.6}
    """
    reached = [[curve[k] for curve in curves if len(curve) > k] for k in range(len(RUNGS))]
    return {
        epoch: median(values)
        for epoch, values in zip(RUNGS, reached, strict=True)
        if len(values) >= _ENOUGH
    }


def halving_rungs(epochs: int) -> list[Rung]:
    """Return the rungs of successive halving.

    Examples
    --------
    >>> halving_rungs(500)
    [(56, False), (167, False), (500, True)]
    """
    short = [(math.ceil(epochs / _SHARE**k), False) for k in (2, 1)]
    return [*(rung for rung in short if rung[0] < epochs), (epochs, True)]


def survivors(accuracies: Sequence[float]) -> list[int]:
    """Return the places of the better third, at least one, in their order.

    Examples
    --------
    >>> survivors([0.5, 0.7, 0.6, 0.7])
    [1, 3]
    """
    count = math.ceil(len(accuracies) / _SHARE)
    best = sorted(range(len(accuracies)), key=lambda place: -accuracies[place])[:count]
    return sorted(best)
