"""From the parts of many graphs to one union: what every reader and conversion ends with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.typed import encode_types, types_by_entry
from grape_gnn.graphs.edge_features import EdgeFeatures, joined_features

__all__ = ["Piece", "join"]


@dataclass(frozen=True, eq=False)
class Piece:
    """One graph of a set, before it has a place in the union.

    Parameters
    ----------
    src, dst
        Edges between nodes 0..n-1.
    num_nodes
        Number of nodes.
    types
        The type of every node (integers or texts, None where it is missing), or None.
    x
        Features of the nodes, or None.
    edge_types
        The type of every edge, or None.
    y
        What is to be predicted of the graph, or None.
    edge_features
        Numbers of every edge, or None.
    """

    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    num_nodes: int
    types: Sequence[Any] | NDArray[Any] | None = None
    x: NDArray[Any] | None = None
    edge_types: Sequence[Any] | NDArray[Any] | None = None
    y: Any = None
    edge_features: EdgeFeatures | None = None


def join(
    pieces: Sequence[Piece], directed: bool = False, strict: bool = False
) -> tuple[Graph, NDArray[np.int64], EdgeFeatures | None]:
    """Put graphs side by side, say where each begins, and what numbers the edges have.

    Edges that are given from both ends count once.

    Examples
    --------
    >>> edge = Piece(np.array([0]), np.array([1]), 2, types=["C", "N"])
    >>> join([edge, edge])
    (Graph(nodes=4, edges=2, undirected, node types=2), array([0, 2, 4]), None)
    """
    sizes = np.array([piece.num_nodes for piece in pieces], np.int64)
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    lengths = np.array([len(piece.src) for piece in pieces], np.int64)
    shift = np.repeat(ptr[:-1], lengths)
    src, dst = (
        np.concatenate([np.empty(0, np.int64), *(getattr(p, end) for p in pieces)]) + shift
        for end in ("src", "dst")
    )
    bounds = np.repeat(ptr[1:], lengths)
    outside = (src >= bounds) | (dst >= bounds) | (src < shift) | (dst < shift)
    if outside.any():
        number = int(np.repeat(np.arange(len(pieces)), lengths)[np.argmax(outside)])
        raise GraphError(
            f"graph number {number} has {sizes[number]} nodes, and an edge to a node that it does "
            f"not have"
        )
    n = int(ptr[-1])
    kept = slice(None) if directed else ~_second_arcs(src, dst, n)
    types = _gathered(pieces, "types", sizes)
    graph = Graph.from_edges(
        src[kept], dst[kept], n, directed, x=_features(pieces), strict=strict, types=types
    )
    edge_types = _gathered(pieces, "edge_types", lengths)
    codes, names = encode_types("edge_types", edge_types, src.size, "edge")
    if codes is not None:
        codes = types_by_entry(graph, (src, dst), codes, directed=directed)
    numbers = joined_features([p.edge_features for p in pieces], lengths, graph, (src, dst))
    return replace(graph, edge_types=codes, edge_type_names=names), ptr, numbers


def _second_arcs(src: NDArray[np.int64], dst: NDArray[np.int64], n: int) -> NDArray[np.bool_]:
    """Tell which arcs are the second one of an edge that is given from both of its ends."""
    found: NDArray[np.bool_] = (src > dst) & np.isin(src * n + dst, dst * n + src)
    return found


def _gathered(pieces: Iterable[Piece], what: str, sizes: NDArray[np.int64]) -> NDArray[Any] | None:
    """Return one value per node or edge of all graphs; None if no graph has any."""
    given = [getattr(piece, what) for piece in pieces]
    if all(values is None for values in given):
        return None
    for number, (values, size) in enumerate(zip(given, sizes.tolist(), strict=True)):
        if values is not None and len(values) != size:
            raise GraphError(f"graph number {number} has {len(values)} {what}, and needs {size}")
    if all(isinstance(values, np.ndarray) and values.dtype.kind in "iu" for values in given):
        return np.concatenate(given)
    flat: list[Any] = []
    for values, size in zip(given, sizes.tolist(), strict=True):
        flat += [None] * size if values is None else list(values)
    return as_objects(flat)


def _features(pieces: Sequence[Piece]) -> NDArray[Any] | None:
    """Return the features of all nodes; a graph without nodes need not have any."""
    filled = [(k, piece.x) for k, piece in enumerate(pieces) if piece.num_nodes]
    widths = [0 if x is None else x.shape[1] for _, x in filled]
    if not any(widths):
        return None
    other = next((k for k, width in enumerate(widths) if width != widths[0]), None)
    if other is not None:
        raise GraphError(
            f"graph number {filled[other][0]} has {widths[other]} features per node, graph number "
            f"{filled[0][0]} has {widths[0]}: give all the same"
        )
    return np.concatenate([x for _, x in filled if x is not None])
