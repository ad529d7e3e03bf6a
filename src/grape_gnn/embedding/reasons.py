"""What sets a group of nodes apart: the features in which it differs most from all others.

A feature's gap is the difference of its mean in the group and outside of it, in standard deviations
of the whole graph. Features say much the same of each other, so the next one named is that whose
gap is largest after what it has in common with those already named is taken off. A mean over a role
is harder to understand than a count, so a gap counts half for every mean that was taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mark", "marks_of"]

_Floats = NDArray[np.float64]
_SMALLEST = 0.1  # standard deviations: less sets nothing apart


@dataclass(frozen=True)
class Mark:
    """A feature in which a group differs from the other nodes.

    Parameters
    ----------
    feature
        The template, by its name; ``"triangle of edge (1)"`` is the mean of the triangles over
        those who play role 1 of the edge, the neighbours.
    gap
        By how many standard deviations of the graph the group's mean is larger.
    inside, outside
        Typical numbers of instances in the group and outside: geometric means of one plus the
        number, less one.
    """

    feature: str
    gap: float
    inside: float
    outside: float

    def __str__(self) -> str:
        return f"{self.feature} {_short(self.inside)} (others {_short(self.outside)})"


def marks_of(
    inside: NDArray[np.bool_],
    logs: _Floats,
    scale: _Floats,
    names: list[str],
    hops: NDArray[np.int64],
    most: int = 3,
) -> list[Mark]:
    """Return what sets some nodes apart, the clearest first.

    Parameters
    ----------
    inside
        Which nodes are in the group.
    logs
        Features on their log scale, a column each.
    scale
        Standard deviation of every feature.
    names, hops
        The features' names, and how often means were taken for each.
    most
        How many to return, at most.

    Examples
    --------
    >>> logs = np.log1p(np.array([[9.0, 1.0], [9.0, 1.0], [0.0, 1.0]]))
    >>> last, hops = np.array([False, False, True]), np.array([0, 0])
    >>> marks = marks_of(last, logs, logs.std(axis=0), ["edge", "triangle"], hops)
    >>> [str(mark) for mark in marks]
    ['edge 0 (others 9)']
    """
    if inside.all() or not inside.any():
        return []
    standard = (logs - logs.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    mine, others = logs[inside].mean(axis=0), logs[~inside].mean(axis=0)
    gaps = standard[inside].mean(axis=0) - standard[~inside].mean(axis=0)
    left = np.abs(gaps) * 0.5**hops
    found: list[Mark] = []
    while len(found) < min(most, len(names)):
        best = int(left.round(9).argmax())
        if left[best] < _SMALLEST:
            break
        typical = [max(0.0, round(float(np.expm1(log[best])), 6)) for log in (mine, others)]
        found.append(Mark(names[best], float(gaps[best]), *typical))
        shared = np.abs(standard.T @ standard[:, best]) / len(logs)
        left = np.where(shared >= 1.0 - 1e-9, 0.0, left * np.sqrt(np.maximum(1.0 - shared**2, 0.0)))
        left[best] = 0.0
    return found


def _short(count: float) -> str:
    return f"{count:,.0f}" if count >= 9.95 else f"{count:.2g}"
