"""A few members of every role and ego, drawn so that sums over them are right on average.

An ego with at most K members in a role keeps them. Of more, K are drawn with replacement, each with
a probability in proportion to its count: member u has the weight ``total / K`` whenever it is
drawn, and ``K * C[v, u] / total`` times on average. So the expectation of the sum is the sum over
all members (Hansen and Hurwitz, 1943), and the mean over the drawn is the mean over all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.graph import Graph
from grape_gnn.graph.surroundings import places_of_rows

__all__ = ["Rows", "rows_of_matrix", "sample_path_ends", "sample_rows"]


class Rows(NamedTuple):
    """Compressed rows with one value per entry; a member may be there several times."""

    ptr: NDArray[np.int64]
    idx: NDArray[np.int32]
    values: NDArray[np.float64]


def sample_rows(rows: Rows, most: int, random: np.random.Generator) -> Rows:
    """Draw at most so many entries of every row.

    Examples
    --------
    >>> rows = Rows(np.array([0, 1, 4]), np.array([7, 3, 5, 9]), np.array([2.0, 1.0, 4.0, 0.0]))
    >>> drawn = sample_rows(rows, 1, np.random.default_rng(0))
    >>> drawn.ptr.tolist(), drawn.idx.tolist(), drawn.values.tolist()
    ([0, 1, 2], [7, 5], [2.0, 5.0])
    """
    before = np.zeros(len(rows.values) + 1)
    np.cumsum(rows.values, out=before[1:])
    found = np.zeros(len(rows.values) + 1, np.int64)
    np.cumsum(rows.values > 0, out=found[1:])
    counts = found[rows.ptr[1:]] - found[rows.ptr[:-1]]
    many = np.flatnonzero(counts > most)
    ptr = np.zeros(len(rows.ptr), np.int64)
    np.cumsum(np.minimum(counts, most), out=ptr[1:])
    idx, values = np.empty(ptr[-1], np.int32), np.empty(ptr[-1])

    whole = np.repeat(counts <= most, np.diff(rows.ptr)) & (rows.values > 0)
    kept = np.repeat(counts <= most, np.diff(ptr))
    idx[kept], values[kept] = rows.idx[whole], rows.values[whole]

    first, last = rows.ptr[many], rows.ptr[many + 1]
    start, total = before[first], before[last] - before[first]
    points = start[:, None] + random.random((len(many), most)) * total[:, None]
    points = np.minimum(points, np.nextafter(before[last], 0)[:, None])  # it may be rounded up
    places = np.searchsorted(before, points.ravel(), side="right") - 1
    idx[~kept], values[~kept] = rows.idx[places], np.repeat(total / most, most)
    return Rows(ptr, idx, values)


def sample_path_ends(
    graph: Graph, egos: NDArray[np.int64], most: int, random: np.random.Generator
) -> Rows:
    """Draw ends of 3-paths from some egos, without writing out all ends.

    A path is drawn by its middle, in proportion to the paths through it, and then by its end.
    """
    starts, places = places_of_rows(graph.indptr, egos)
    middles = graph.indices[places]
    onward = (graph.degrees[middles] - 1).astype(np.float64)
    drawn = sample_rows(Rows(starts, middles, onward), most, random)
    # Kept middles stand for all their ends, drawn ones for one path: either way an end is drawn
    # for each, with the weight of the middle.
    ego = np.repeat(egos, np.diff(drawn.ptr))
    first, count = graph.indptr[drawn.idx], graph.degrees[drawn.idx]
    ends = np.full(len(ego), -1, np.int32)
    left = np.arange(len(ego))
    while left.size:  # a path does not return: draw again where it did
        step = (random.random(left.size) * count[left]).astype(np.int64)
        ends[left] = graph.indices[first[left] + step]
        left = left[ends[left] == ego[left]]
    return Rows(drawn.ptr, ends, drawn.values)


def rows_of_matrix(matrix: sparse.csr_array[Any, Any]) -> Rows:
    """Return the rows of a matrix."""
    data = matrix.data.astype(np.float64)
    return Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), data)
