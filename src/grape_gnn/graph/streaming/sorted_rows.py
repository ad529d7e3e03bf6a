"""Third and fourth step of a conversion: arcs into buckets of rows, then every bucket sorted.

An arc is one 64-bit number, its row in the upper half. The arcs of a chunk are sorted, which makes
its share of every bucket one slice; a bucket is the rows of a range of nodes, chosen so that its
arcs fit into memory. Self-loops and repeated edges are dropped and counted, as in `build_rows`.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grape_gnn.files.npy import GrowingArray
from grape_gnn.graph.streaming.numbering import Numbering
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.progress import report

__all__ = ["dropped", "fill_buckets", "number_chunks", "sort_buckets"]

ARC_BYTES = 64  # of working memory for an arc of a bucket
CELLS = 1 << 16  # ranges of nodes for which arcs are counted
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
Arcs = NDArray[np.uint64]


def number_chunks(work: Workspace, chunks: int, numbering: Numbering) -> None:
    """Replace the names of every chunk by numbers of nodes, and count the arcs of every cell."""
    shift = _cell_shift(numbering.nodes)
    done = {note["chunk"] for note in work.notes("numbers")}
    for k in range(chunks):
        report("numbering the edges", k, chunks)
        if k in done:
            continue
        ends = numbering.of_chunk(k, work.array(f"ends_{k}"))
        work.keep(f"numbers_{k}", ends)
        cells = [np.bincount(ends[:, side] >> shift, minlength=CELLS) for side in (0, 1)]
        work.keep(f"cells_{k}", np.stack(cells))
        work.note("numbers", chunk=k)


def _cell_shift(nodes: int) -> int:
    """Return by how many bits a node number is shifted to be the number of its cell."""
    return max(0, (max(nodes, 1) - 1).bit_length() - CELLS.bit_length() + 1)


def _borders(work: Workspace, chunks: int, nodes: int, side: int, *, directed: bool) -> list[int]:
    """Return where the buckets of rows begin, and the number of nodes at the end.

    `side` is 0 for rows of out-arcs, 1 for rows of in-arcs.
    """
    cells = np.zeros(CELLS, np.int64)
    for k in range(chunks):
        counted = work.array(f"cells_{k}")
        cells += counted[side] if directed else counted.sum(axis=0)
    most = max(1, work.memory // ARC_BYTES)
    shift = _cell_shift(nodes)
    borders, held = [0], 0
    for cell in np.flatnonzero(cells).tolist():
        if held and held + cells[cell] > most:
            borders.append(cell << shift)
            held = 0
        held += int(cells[cell])
    return [*borders, nodes]


def fill_buckets(work: Workspace, chunks: int, nodes: int, side: int, *, directed: bool) -> None:
    """Distribute the arcs of all chunks over buckets on disk."""
    step = f"buckets_{side}"
    borders = _borders(work, chunks, nodes, side, directed=directed)
    notes = work.notes(step)
    for b in range(len(borders) - 1):  # what a cut-off chunk left behind
        size = notes[-1]["sizes"][b] if notes else 0
        with _bucket(work, side, b).open("ab") as file:
            file.truncate(size)
    for k in range(len(notes), chunks):
        report("distributing the arcs", k, chunks)
        arcs, loops, repeats = _arcs(work.array(f"numbers_{k}"), side, directed=directed)
        cuts = np.searchsorted(arcs, np.array(borders, np.uint64) << HALF)
        sizes = []
        for b, (begin, end) in enumerate(pairwise(cuts.tolist())):
            with _bucket(work, side, b).open("ab") as file:
                file.write(arcs[begin:end].data)
                file.flush()
                os.fsync(file.fileno())
                sizes.append(file.tell())
        work.note(step, chunk=k, sizes=sizes, loops=loops, repeats=repeats)


def dropped(work: Workspace) -> tuple[int, int]:
    """Return how many self-loops and repeated edges were dropped."""
    chunks = work.notes("buckets_0")
    repeats = sum(note["repeats"] for note in (*chunks, *work.notes("rows_0")))
    return sum(note["loops"] for note in chunks), repeats


def sort_buckets(work: Workspace, chunks: int, nodes: int, side: int, *, directed: bool) -> None:
    """Sort every bucket and append its rows to the graph."""
    step, prefix = f"rows_{side}", "in_" if side else ""
    borders = _borders(work, chunks, nodes, side, directed=directed)
    notes = work.notes(step)
    arcs = notes[-1]["arcs"] if notes else 0
    done = borders[len(notes)] if notes else 0
    path = work.graph.array_path
    with (
        GrowingArray(path(f"{prefix}indptr"), np.int64, rows=1 + done if notes else 0) as indptr,
        GrowingArray(path(f"{prefix}indices"), np.int32, rows=arcs) as indices,
    ):
        if not notes:
            indptr.append(np.zeros(1, np.int64))
        for b in range(len(notes), len(borders) - 1):
            report("sorting the arcs", b, len(borders) - 1)
            low, high = borders[b], borders[b + 1]
            found = np.fromfile(_bucket(work, side, b), np.uint64)
            found, repeats = _unique(found, forward=not directed)
            rows = (found >> HALF).astype(np.int64) - low
            indices.append((found & LOW).astype(np.int32))
            indptr.append(arcs + np.cumsum(np.bincount(rows, minlength=high - low)))
            arcs += found.size
            indices.sync()
            indptr.sync()
            work.note(step, arcs=arcs, repeats=repeats)
            _bucket(work, side, b).unlink()


def _bucket(work: Workspace, side: int, bucket: int) -> Path:
    return work.path / f"bucket_{side}_{bucket}.bin"


def _arcs(ends: NDArray[np.int32], side: int, *, directed: bool) -> tuple[Arcs, int, int]:
    """Return the sorted arcs of a chunk, and how many self-loops and repeats were dropped."""
    proper = ends[ends[:, 0] != ends[:, 1]]
    wide = proper.astype(np.uint64)
    if not directed:
        wide.sort(axis=1)
    arcs, repeats = _unique((wide[:, side] << HALF) | wide[:, 1 - side])
    if not directed:
        arcs = np.concatenate([arcs, (arcs << HALF) | (arcs >> HALF)])
        arcs.sort()
    return arcs, len(ends) - len(proper), repeats


def _unique(arcs: Arcs, *, forward: bool = False) -> tuple[Arcs, int]:
    """Sort arcs and drop repeats; count them, or only those that lead to a larger number."""
    arcs.sort()
    first = np.ones(arcs.size, bool)
    np.not_equal(arcs[1:], arcs[:-1], out=first[1:])
    dropped = arcs[~first]
    counted = dropped[dropped >> HALF < dropped & LOW] if forward else dropped
    return arcs[first] if dropped.size else arcs, counted.size
