"""Intervals of a share: how far a measured accuracy may be from that on all nodes of the kind."""

from __future__ import annotations

import math

__all__ = ["wilson"]

_TWO_SIDED = 1.959964  # of the normal distribution, for 95%


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share of `count` trials.

    Unlike the share plus and minus its standard error, it is right for few trials, stays between
    0 and 1, and does not shrink to nothing at 100%.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(1.0, 50)]
    [0.929, 1.0]
    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    if count <= 0:
        return 0.0, 1.0
    z = _TWO_SIDED**2 / count
    middle = (share + z / 2) / (1 + z)
    half = math.sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)
