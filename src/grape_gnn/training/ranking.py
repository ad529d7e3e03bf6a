"""How well numbers rank the nodes that have a label above those that have not.

The area under the ROC curve is the probability that a node with the label gets a higher number than
one without, ties counted half. With R the sum of the ranks of the P nodes that have it among all
P + N (ties share their mean rank), it is ``(R - P (P + 1) / 2) / (P N)``. The average precision is
the sum over the thresholds of the precision there, times what the recall gains.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["average_precision_of", "roc_auc_of"]


def roc_auc_of(numbers: NDArray[Any], positive: NDArray[np.bool_]) -> float | None:
    """Return the area under the ROC curve; None unless some nodes have the label and some not.

    Examples
    --------
    >>> roc_auc_of(np.array([1, 2, 2, 3]), np.array([False, False, True, True]))
    0.875
    """
    p = int(positive.sum())
    n = positive.size - p
    if p == 0 or n == 0:
        return None
    _, place, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    mean_ranks = sizes.cumsum() - (sizes - 1) / 2
    ranks = float(mean_ranks[place][positive].sum())
    return float((ranks - p * (p + 1) / 2) / (p * n))


def average_precision_of(numbers: NDArray[Any], positive: NDArray[np.bool_]) -> float | None:
    """Return the average precision; None if no node has the label.

    Examples
    --------
    >>> round(average_precision_of(np.array([3, 2, 1]), np.array([True, False, True])), 3)
    0.833
    """
    p = int(positive.sum())
    if p == 0:
        return None
    _, place, sizes = np.unique(-numbers, return_inverse=True, return_counts=True)
    hits = np.bincount(place, positive, minlength=sizes.size)
    precision = hits.cumsum() / sizes.cumsum()
    return float((precision * hits).sum() / p)
