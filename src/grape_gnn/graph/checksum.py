"""A checksum of a graph's edges, and of what else is given: to tell whether data is the same."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from grape_gnn.graph.graph import Graph

__all__ = ["checksum"]


def checksum(graph: Graph, *arrays: Any) -> str:
    """Return a SHA-256 of the direction and edges of a graph, and of arrays; None is left out.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> checksum(path) == checksum(path, None), checksum(path) == checksum(path, np.ones(3))
    (True, False)
    """
    digest = hashlib.sha256(b"directed" if graph.directed else b"undirected")
    for array in (graph.indptr, graph.indices, *arrays):
        if array is not None:
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
