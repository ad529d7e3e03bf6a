"""Pairs of nodes, given by name, as two arrays of node numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError

if TYPE_CHECKING:
    from grape_gnn.graph.graph import Graph

__all__ = ["NodePairs", "node_pairs"]

NodePairs = Any
"""A list of pairs of names, or an array with two columns."""


def node_pairs(graph: Graph, pairs: NodePairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second nodes of pairs as node numbers.

    Parameters
    ----------
    graph
        The graph.
    pairs
        Pairs of names, such as ``[("ann", "bob")]``; where nodes have no names, their numbers. An
        integer array of shape (pairs, 2) is fastest.

    Raises
    ------
    UnknownNodeError
        No node has one of the names.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 1], [1, 2], names=["ann", "bob", "cat"])
    >>> node_pairs(g, [("cat", "ann"), ("bob", "cat")])
    (array([2, 1]), array([0, 2]))
    """
    if not isinstance(pairs, np.ndarray):
        pairs = _table(pairs)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise GraphError(
            f"pairs of nodes have shape {pairs.shape}: give an array with two columns, or a list "
            f"of pairs such as [(a, b), (c, d)]"
        )
    if pairs.dtype.kind in "iu" and graph.names is None:
        outside = (pairs < 0) | (pairs >= graph.num_nodes)
        if outside.any():
            graph.index_of(int(pairs[outside][0]))  # says what names there are
        numbers = pairs.astype(np.int64)
    else:
        known: dict[Any, int] = {}
        for name in pairs.ravel().tolist():
            if name not in known:
                known[name] = graph.index_of(name)
        numbers = np.array([known[name] for name in pairs.ravel().tolist()], dtype=np.int64)
        numbers = numbers.reshape(pairs.shape)
    return np.ascontiguousarray(numbers[:, 0]), np.ascontiguousarray(numbers[:, 1])


def _table(pairs: Any) -> NDArray[Any]:
    """Return pairs as an array with two columns; names keep their types."""
    if not isinstance(pairs, Iterable) or isinstance(pairs, str | bytes):
        raise GraphError(f"{pairs!r} is not a list of pairs of nodes, such as [(a, b), (c, d)]")
    rows = []
    for pair in pairs:
        if isinstance(pair, str | bytes) or not isinstance(pair, Iterable):
            raise GraphError(f"{pair!r} is not a pair of nodes: give two names, such as (a, b)")
        row = tuple(pair)
        if len(row) != 2:
            raise GraphError(f"{row!r} is not a pair of nodes: give two names, such as (a, b)")
        rows.append(row)
    table = np.empty((len(rows), 2), dtype=object)
    table[:] = rows if rows else table
    if rows and all(type(a) is int and type(b) is int for a, b in rows):
        return table.astype(np.int64)
    return table
