"""Colour refinement: nodes start alike and are told apart by the colours around them.

In every round a node's new colour is its old one together with, for every relation (the edges of
a graph, or the roles of templates), the multiset of colours it is related to. With the edges
alone this is the one-dimensional Weisfeiler-Leman algorithm, all that message passing can see.

A multiset is written as a sum of 64-bit numbers, one for each kind of member. Equal multisets
have equal sums, so colours that differ are always different; that unlike ones look alike has a
chance below one in ten million for a million nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["SEES", "Colours", "Numbers", "by_appearance", "mixed", "multisets", "refine"]

Colours = NDArray[np.int64]
Numbers = NDArray[np.uint64]

SEES = ("members", "count", "set", "both")


def refine(
    colours: Colours,
    relations: Sequence[sparse.csr_array[Any, Any]],
    sees: str = "members",
    rounds: int | None = None,
) -> tuple[Colours, int]:
    """Refine a colouring until it is stable.

    Parameters
    ----------
    colours
        A colour for every node.
    relations
        ``relation[v, u]``: how often ``u`` is related to ``v``, a whole number.
    sees
        What a node sees of a relation. ``"members"``: every member's colour with its count;
        ``"count"``: for every colour the sum of the counts; ``"set"``: how many members have the
        colour; ``"both"``: the last two.
    rounds
        At most so many; None: until nothing changes.

    Returns
    -------
    tuple
        Colours 0, 1, ... and the rounds that told more nodes apart. The numbers do not depend on
        the order of the nodes.

    Examples
    --------
    >>> path = sparse.csr_array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    >>> colours, rounds = refine(np.zeros(4, np.int64), [path])
    >>> bool(colours[0] == colours[3] != colours[1]), rounds
    (True, 1)
    """
    done = 0
    classes = len(np.unique(colours))
    while rounds is None or done < rounds:
        seen = mixed(colours.astype(np.uint64))
        for relation in relations:
            for sums in multisets(relation, colours, sees):
                seen = mixed(seen ^ mixed(sums))
        _, finer = np.unique(seen, return_inverse=True)
        found = int(finer.max(initial=-1)) + 1
        if found == classes:
            break
        colours, classes, done = finer.astype(np.int64), found, done + 1
    return colours, done


def multisets(
    relation: sparse.csr_array[Any, Any], colours: Colours, sees: str = "members"
) -> list[Numbers]:
    """Return a number for every row: equal if the rows see the same colours as often.

    Examples
    --------
    >>> relation = sparse.csr_array([[1, 2, 0], [0, 2, 1], [2, 2, 0]])
    >>> [number] = multisets(relation, np.zeros(3, np.int64))
    >>> bool(number[0] == number[1] != number[2])
    True
    """
    member = mixed(colours.astype(np.uint64))[relation.indices]
    if sees == "set":
        return [_row_sums(relation, member)]
    count = relation.data.astype(np.uint64)
    if sees == "members":
        return [_row_sums(relation, mixed(member + mixed(count)))]
    summed = _row_sums(relation, member * count)
    return [summed] if sees == "count" else [summed, _row_sums(relation, member)]


def _row_sums(relation: sparse.csr_array[Any, Any], values: Numbers) -> Numbers:
    # Unsigned sums wrap around, and so do their differences.
    upto = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
    sums: Numbers = upto[relation.indptr[1:]] - upto[relation.indptr[:-1]]
    return sums


def mixed(numbers: Numbers) -> Numbers:
    """Scatter numbers over 64 bits (the finaliser of splitmix64)."""
    bits: Numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits


def by_appearance(colours: NDArray[Any]) -> Colours:
    """Return numbers for values, from 0 in the order of first appearance.

    Examples
    --------
    >>> by_appearance(np.array([7, 3, 7])).tolist()
    [0, 1, 0]
    """
    _, first, classes = np.unique(colours, return_index=True, return_inverse=True)
    rank: NDArray[np.int64] = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[classes]
