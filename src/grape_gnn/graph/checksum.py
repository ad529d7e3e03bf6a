"""A checksum of a graph's edges, and of what else is given: to tell whether data is the same."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from grape_gnn.graph.graph import Graph

__all__ = ["checksum"]


def checksum(graph: Graph, *parts: Any) -> str:
    """Return a SHA-256 of the direction and edges of a graph, and of further parts.

    Parameters
    ----------
    graph
        The graph; of its features, labels and names only what is among `parts` counts.
    *parts
        Arrays, with their types and shapes, or anything whose ``repr`` tells it all.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> checksum(path, np.ones(4)) == checksum(path, np.ones((2, 2)))
    False
    """
    digest = hashlib.sha256()
    for part in (graph.directed, graph.indptr, graph.indices, *parts):
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype} {part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(repr(part).encode())
    return digest.hexdigest()
