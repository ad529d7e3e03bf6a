"""k-means by SciPy, and how many groups there are.

The number of groups is the one with the largest mean silhouette, in its simplified form: with `a`
a point's distance to the centre of its group and `b` to the nearest other centre, it is
``(b - a) / b``, and zero for a point that is a group of its own.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Groups", "best_groups", "group", "nearest"]

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_TRIES, _ROUNDS = 10, 50
_DIGITS = 9  # of what tells two points apart
_SAMPLE = 20_000  # of more points, so many find the centres


@dataclass(frozen=True)
class Groups:
    """Points in groups, the largest group first.

    Parameters
    ----------
    labels
        The number of every point's group.
    centres
        The mean of every group.
    silhouette
        How well the groups are apart, at most 1; zero for a single one.
    """

    labels: _Integers
    centres: _Floats
    silhouette: float


def nearest(points: _Floats, centres: _Floats) -> tuple[_Integers, _Floats]:
    """Return the number of the nearest centre, and squared distances to all, for every point.

    Examples
    --------
    >>> nearest(np.array([[0.0], [5.0]]), np.array([[1.0], [4.0]]))[0].tolist()
    [0, 1]
    """
    squares = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)
    apart = np.maximum(squares - 2.0 * points @ centres.T, 0.0)
    # What rounding adds must not decide between centres that are equally far.
    return apart.round(_DIGITS).argmin(axis=1).astype(np.int64), apart


def group(points: _Floats, k: int, seed: int = 0) -> Groups:
    """Find `k` groups, fewer if there are fewer different points; the best of ten tries.

    Examples
    --------
    >>> group(np.array([[0.0], [0.1], [9.0]]), 2).labels.tolist()
    [0, 0, 1]
    """
    rng = np.random.default_rng(seed)
    sample = points
    if len(points) > _SAMPLE:
        sample = points[np.sort(rng.choice(len(points), _SAMPLE, replace=False))]
    k = min(k, len(np.unique(sample.round(_DIGITS), axis=0)))
    if k == 1:
        centres = sample.mean(axis=0, keepdims=True)
    else:
        tries = [_centres(sample, k, rng) for _ in range(_TRIES)]
        centres = min(tries, key=lambda tried: round(_loss(sample, tried), _DIGITS))
    return _ordered(points, nearest(points, centres)[0], centres)


def _centres(points: _Floats, k: int, rng: np.random.Generator) -> _Floats:
    from scipy.cluster.vq import kmeans2  # takes a tenth of a second to import

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "One of the clusters is empty")  # it is left out
        return kmeans2(points, k, iter=_ROUNDS, minit="++", seed=rng)[0]


def _loss(points: _Floats, centres: _Floats) -> float:
    return float(nearest(points, centres)[1].min(axis=1).sum())


def best_groups(points: _Floats, most: int, seed: int = 0) -> tuple[Groups, dict[int, float]]:
    """Return the groups with the largest silhouette, and the silhouette for every number of them.

    Examples
    --------
    >>> points = np.array([[0.0], [0.1], [5.0], [5.2], [9.0], [9.1]])
    >>> found, scores = best_groups(points, most=4)
    >>> len(found.centres), sorted(scores)
    (3, [2, 3, 4])
    """
    tried = {k: group(points, k, seed) for k in range(2, most + 1)}
    scores = {k: one.silhouette for k, one in tried.items() if len(one.centres) == k}
    if not scores:
        return group(points, 1, seed), {}
    best = max(scores, key=lambda k: (round(scores[k], _DIGITS), -k))
    return tried[best], scores


def _ordered(points: _Floats, labels: _Integers, centres: _Floats) -> Groups:
    """Sort the groups by size, those of one size by their first points; drop empty ones."""
    used, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    place = np.empty(len(centres), np.int64)
    place[used[order]] = np.arange(len(used))
    labels, centres = place[labels], centres[used[order]]
    return Groups(labels, centres, _silhouette(points, labels, centres, sizes[order]))


def _silhouette(points: _Floats, labels: _Integers, centres: _Floats, sizes: _Integers) -> float:
    if len(centres) < 2:
        return 0.0
    apart = np.sqrt(nearest(points, centres)[1])
    rows = np.arange(len(points))
    own = apart[rows, labels]
    apart[rows, labels] = np.inf
    others = apart.min(axis=1)
    alone = sizes[labels] == 1
    worth = np.where(alone | (others <= 0), 0.0, (others - own) / np.maximum(others, own))
    return float(worth.mean())
