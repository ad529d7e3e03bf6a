"""Second step of a conversion, for integer names: nodes are numbered in ascending order of names.

If a table over all integers up to the largest fits into memory, it is one; that is the rule. If
not, the chunks are sorted one by one, and what is different in them is merged range by range, so
that never more than a range is in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.files.array_file import page_dropper
from grape_gnn.files.npy import GrowingArray
from grape_gnn.graph.streaming.numbering import Numbering, refuse_many
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.progress import report

__all__ = ["integer_numbers"]

ENTRY_BYTES = 13  # of the table, per integer: a mark, a 32-bit number, and a name to write
NAME_BYTES = 128  # of working memory for a name that is merged
SAMPLE = 4096  # names of a chunk by which the ranges are chosen


def integer_numbers(work: Workspace, chunks: int, listed: NDArray[np.int64]) -> Numbering:
    """Give numbers to the nodes; write their names, unless these are 0, 1, 2, ...

    Parameters
    ----------
    work
        Where the chunks are.
    chunks
        How many there are.
    listed
        Names of the nodes that a table lists.
    """
    largest = int(listed.max(initial=-1))
    for k in range(chunks):
        report("finding the largest name", k, chunks)
        largest = max(largest, int(work.array(f"ends_{k}").max(initial=-1)))
    if (largest + 1) * ENTRY_BYTES <= work.memory // 2:
        return _by_table(work, chunks, listed, largest)
    return _by_merging(work, chunks, listed)


def _by_table(work: Workspace, chunks: int, listed: NDArray[np.int64], largest: int) -> Numbering:
    seen = np.zeros(largest + 1, bool)
    for k in range(chunks):
        report("numbering the nodes", k, chunks)
        seen[work.array(f"ends_{k}").reshape(-1)] = True
    on_edges = int(np.count_nonzero(seen))
    seen[listed] = True
    nodes = int(np.count_nonzero(seen))
    refuse_many(nodes)
    if nodes == largest + 1:
        return Numbering(nodes, on_edges, lambda _, names: names.astype(np.int32))
    work.graph.write_arrays({"names": np.flatnonzero(seen)})
    number = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return Numbering(nodes, on_edges, lambda _, names: number[names])


def _by_merging(work: Workspace, chunks: int, listed: NDArray[np.int64]) -> Numbering:
    samples, total = [np.zeros(1, np.int64)], 0
    for k in range(chunks):
        report("sorting the names", k, chunks)
        different = _distinct(work.array(f"ends_{k}").reshape(-1))
        work.keep(f"different_{k}", different)
        samples.append(different[:: max(1, different.size // SAMPLE)])
        total += different.size
    every = np.sort(np.concatenate(samples))
    ranges = 1 + total * NAME_BYTES // work.memory
    borders = [*every[:: 1 + every.size // ranges][1:].tolist(), np.iinfo(np.int64).max]
    ascending = _distinct(listed.copy())
    nodes = on_edges = 0
    low, path = -1, work.graph.array_path("names")
    parts = [work.array(f"different_{k}", mmap=True) for k in range(chunks)]
    drop = page_dropper(*parts)
    with GrowingArray(path, np.int64) as names:
        for count, high in enumerate(borders):
            report("merging the names", count, len(borders))
            inside = [_between(part, low, high) for part in parts] or [np.zeros(0, np.int64)]
            on_edge = _distinct(np.concatenate(inside))
            both = _distinct(np.concatenate([on_edge, _between(ascending, low, high)]))
            names.append(both)
            on_edges, nodes, low = on_edges + on_edge.size, nodes + both.size, high
            refuse_many(nodes)
            drop()
    work.forget(*(f"different_{k}" for k in range(chunks)))

    def number_of(_: int, given: NDArray[np.int64]) -> NDArray[np.int32]:
        # Looked up in ascending order, so that the mapped names are passed through once.
        different, place = np.unique(given, return_inverse=True)
        found = np.searchsorted(np.load(path, mmap_mode="r"), different).astype(np.int32)
        return found[place.reshape(given.shape)]

    return Numbering(nodes, on_edges, number_of)


def _distinct(names: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort names in place and return what is different; `np.unique` takes several times as much."""
    names.sort()
    first = np.ones(names.size, bool)
    np.not_equal(names[1:], names[:-1], out=first[1:])
    return names[first]


def _between(ascending: NDArray[np.int64], low: int, high: int) -> NDArray[np.int64]:
    """Return the names above `low` and up to `high`."""
    begin, end = np.searchsorted(ascending, [low, high], "right")
    return ascending[begin:end]
