"""A checksum of a graph's edges and types, and of what else is given: to tell data apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from grape_gnn.files.texts import Texts
from grape_gnn.graph.feature_matrix import feature_members
from grape_gnn.graph.graph import Graph

__all__ = ["checksum", "feature_parts"]


def checksum(graph: Graph, *parts: Any) -> str:
    """Return a SHA-256 of direction, edges and types of a graph, and of further parts.

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
    types = (graph.types, graph.type_names, graph.edge_types, graph.edge_type_names)
    typed = [part for part in types if part is not None]
    for part in (graph.directed, graph.indptr, graph.indices, *typed, *_flat(parts)):
        if isinstance(part, np.ndarray) and part.dtype != object:
            digest.update(f"{part.dtype} {part.shape}".encode())
            digest.update(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data)
        else:
            if isinstance(part, Texts):  # mapped or not, they are the same names
                part = tuple(part)
            text = repr(part.tolist() if isinstance(part, np.ndarray) else part)
            digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _flat(parts: Iterable[Any]) -> Iterator[Any]:
    """Give the arrays of a sparse matrix in its place."""
    for part in parts:
        if isinstance(part, csr_array):
            yield from (part.shape, *feature_members(part).values())
        else:
            yield part


def feature_parts(graph: Graph) -> tuple[Any, ...]:
    """Return what makes up the features of a graph, for `checksum`: a matrix, or columns."""
    if graph.columns is None:
        return (graph.x,)
    return tuple(part for c in graph.columns for part in (c.name, c.kind, c.values))
