"""From the parts of many graphs to one union: what every reader and conversion ends with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import Label, as_objects, encode_labels

__all__ = ["Piece", "Union", "join"]


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
    """

    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    num_nodes: int
    types: Sequence[Any] | NDArray[Any] | None = None
    x: NDArray[Any] | None = None
    edge_types: Sequence[Any] | NDArray[Any] | None = None
    y: Any = None


class Union(NamedTuple):
    """All graphs in one, their boundaries, and the types of the edges by entry of the rows."""

    graph: Graph
    ptr: NDArray[np.int64]
    edge_types: NDArray[np.int64] | None
    edge_type_names: tuple[Label, ...] | None


def join(pieces: Sequence[Piece], directed: bool = False, strict: bool = False) -> Union:
    """Put graphs side by side; edges that are given from both ends count once.

    Examples
    --------
    >>> edge = Piece(np.array([0]), np.array([1]), 2, types=["C", "N"])
    >>> found = join([edge, edge])
    >>> found.graph, found.ptr.tolist()
    (Graph(nodes=4, edges=2, undirected, classes=2), [0, 2, 4])
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
    types = _gathered(pieces, "types", sizes)
    edge_types = _gathered(pieces, "edge_types", lengths)
    kept = slice(None) if directed else ~_second_arcs(src, dst, n)
    graph = Graph.from_edges(
        src[kept], dst[kept], n, directed, x=_features(pieces), strict=strict, **_classes(types, n)
    )
    found, names = None, None
    if edge_types is not None:
        codes, names = encode_labels(edge_types, src.size)
        found = _by_entry(graph, src, dst, codes)
    return Union(graph, ptr, found, names)


def _second_arcs(src: NDArray[np.int64], dst: NDArray[np.int64], n: int) -> NDArray[np.bool_]:
    """Tell which arcs are the second one of an edge that is given from both of its ends."""
    found: NDArray[np.bool_] = (src > dst) & np.isin(src * n + dst, dst * n + src)
    return found


def _classes(types: NDArray[Any] | None, n: int) -> dict[str, Any]:
    if types is None:
        return {}
    codes, names = encode_labels(types, n)
    return {"y": codes, "label_names": names}


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
    widths = {None if piece.x is None else piece.x.shape[1] for piece in pieces}
    if widths <= {None}:
        return None
    if len(widths) > 1:
        raise GraphError(
            f"the graphs have different numbers of node features, "
            f"{sorted(map(str, widths))}: give all the same"
        )
    return np.concatenate([piece.x for piece in pieces if piece.x is not None])


def _by_entry(
    graph: Graph, src: NDArray[np.int64], dst: NDArray[np.int64], codes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the type of every entry of the graph's rows; of repeated edges the last counts."""
    n = max(graph.num_nodes, 1)
    keys = np.repeat(np.arange(graph.num_nodes), graph.degrees) * n + graph.indices
    found = np.full(keys.size, -1, np.int64)
    for tails, heads in ((src, dst),) if graph.directed else ((dst, src), (src, dst)):
        proper = tails != heads
        found[np.searchsorted(keys, tails[proper] * n + heads[proper])] = codes[proper]
    return found
