"""A graph as compact data for the page, small enough to hold all edges of a social network.

Neighbours are sorted, so only the steps from one to the next are kept, each in as few bytes as it
needs (seven bits a byte, the eighth says that more follow): about one byte per edge.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph

__all__ = ["pack_edges", "pack_integers"]


def pack_edges(graph: Graph) -> str:
    """Return the edges as base64 text: for every node how many follow, then steps.

    Undirected edges are kept once, at their smaller end.

    Examples
    --------
    >>> pack_edges(Graph.from_edges([0, 0, 2], [1, 300, 1]))[:8]
    'AgGrAgEB'
    """
    edges = graph.edge_array()
    rows, columns = edges[:, 0], edges[:, 1]
    counts = np.bincount(rows, minlength=graph.num_nodes)
    # Steps from the previous neighbour; the first of a row from 0, or from the node itself.
    before = np.concatenate([[0], columns[:-1]])
    starts = np.concatenate([[True], rows[1:] != rows[:-1]]) if rows.size else np.array([], bool)
    first = np.zeros_like(rows) if graph.directed else rows
    steps = columns - np.where(starts, first, before)
    # Each row's count stands before its steps.
    stream = np.insert(steps, np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    return base64.b64encode(pack_integers(stream).tobytes()).decode("ascii")


def pack_integers(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Write non-negative integers in groups of seven bits, the lowest first.

    Examples
    --------
    >>> pack_integers(np.array([1, 127, 300])).tolist()
    [1, 127, 172, 2]
    """
    rest = values.astype(np.uint64)
    lengths = np.ones(rest.size, dtype=np.int64)
    while (more := rest >> np.uint64(7) * lengths.astype(np.uint64)).any():
        lengths += more > 0
    ends = np.cumsum(lengths)
    which = np.repeat(np.arange(rest.size), lengths)
    place = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
    packed = (rest[which] >> (np.uint64(7) * place.astype(np.uint64))) & np.uint64(127)
    packed[place < lengths[which] - 1] |= np.uint64(128)
    found: NDArray[np.uint8] = packed.astype(np.uint8)
    return found
