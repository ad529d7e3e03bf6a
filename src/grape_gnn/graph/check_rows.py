"""Checking the rows of a graph that come from a file, in pieces, without a copy of them.

The compiled core trusts its arrays, so nothing from a file reaches it unchecked. A mapped file is
larger than what anyone wants in memory: every function here looks at a piece at a time, and calls
`drop` after it, so that the pages read so far can be given back.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError

__all__ = ["arc_pieces", "check_reverse", "check_row_ends", "check_rows"]

PIECE = 1 << 17


def _keep() -> None:
    """Give nothing back."""


def check_rows(
    indptr: NDArray[Any], indices: NDArray[Any], drop: Callable[[], None] = _keep
) -> None:
    """Refuse arrays that are not the sorted, loop-free rows of a graph.

    Examples
    --------
    >>> check_rows(np.array([0, 1, 2]), np.array([1, 2], np.int32))
    Traceback (most recent call last):
        ...
    grape_gnn.errors.GraphError: a neighbour lies outside 0..1
    """
    check_row_ends(indptr, indices)
    # Compared, not subtracted: differences of wild numbers overflow.
    if (indptr[1:] < indptr[:-1]).any():
        raise GraphError("row pointers are inconsistent")
    n = indptr.size - 1
    last = -1
    for rows, members in arc_pieces(indptr, indices):
        if members.min() < 0 or members.max() >= n:
            raise GraphError(f"a neighbour lies outside 0..{n - 1}")
        if (rows == members).any():
            raise GraphError("a row holds a self-loop")
        keys = rows * n + members
        if keys[0] <= last or (keys[1:] <= keys[:-1]).any():
            raise GraphError("a row is not sorted")
        last = int(keys[-1])
        drop()


def check_row_ends(indptr: NDArray[Any], indices: NDArray[Any]) -> None:
    """Refuse rows whose types, beginning and end show that they are none, without reading them."""
    if (
        indptr.dtype != np.int64
        or indices.dtype != np.int32
        or indptr.ndim != 1
        or indices.ndim != 1
    ):
        raise GraphError("rows have the wrong type")
    if indptr.size == 0 or indptr[0] != 0 or indptr[-1] != indices.size:
        raise GraphError("row pointers are inconsistent")


def check_reverse(
    rows: tuple[NDArray[np.int64], NDArray[np.int32]],
    in_rows: tuple[NDArray[np.int64], NDArray[np.int32]],
    drop: Callable[[], None] = _keep,
) -> None:
    """Refuse checked rows of which the second are not the arcs of the first reversed.

    The two sets of arcs are compared by the sum of a random function over each, which needs no
    memory. Sets that differ have the same sum with a probability of about 2^-64, whoever made
    the file: the function is drawn anew in every call.
    """
    if rows[0].size != in_rows[0].size:
        raise GraphError("there are not as many rows of in-arcs as of out-arcs")
    salt = np.uint64(secrets.randbits(64))
    forth, back = np.uint64(0), np.uint64(0)
    with np.errstate(over="ignore"):
        for tails, heads in arc_pieces(*rows):
            forth += _mixed(tails, heads, salt).sum()
            drop()
        for heads, tails in arc_pieces(*in_rows):
            back += _mixed(tails, heads, salt).sum()
            drop()
    if rows[1].size != in_rows[1].size or forth != back:
        raise GraphError("the in-arcs are not the out-arcs reversed")


def arc_pieces(
    indptr: NDArray[Any], indices: NDArray[Any]
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Give the arcs in pieces: the row of each, and its other end."""
    for begin in range(0, indices.size, PIECE):
        end = min(begin + PIECE, indices.size)
        first = int(np.searchsorted(indptr, begin, "right")) - 1
        last = int(np.searchsorted(indptr, end, "left"))
        lengths: NDArray[Any] = np.diff(np.clip(indptr[first : last + 1], begin, end))
        yield np.repeat(np.arange(first, last), lengths), indices[begin:end]


def _mixed(tails: NDArray[Any], heads: NDArray[Any], salt: np.uint64) -> NDArray[np.uint64]:
    """Scatter arcs over 64 bits, with the constants of SplitMix64 (Steele et al., 2014)."""
    bits: NDArray[np.uint64] = (tails.astype(np.uint64) << np.uint64(32)) | heads.astype(np.uint64)
    bits ^= salt
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits ^= bits >> np.uint64(shift)
        bits *= np.uint64(factor)
    bits ^= bits >> np.uint64(31)
    return bits
