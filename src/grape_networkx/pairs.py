"""Scores of pairs of nodes by the neighbours that they have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from grape_gnn.roles.pair_counts import PairCounts
from grape_networkx.graph import BackendGraph

__all__ = ["scores"]

_BLOCK = 1 << 18  # pairs at a time

_Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]


def scores(G: BackendGraph, pairs: Iterable[Any] | None, kind: str) -> Iterator[Any]:
    """Return an iterator of ``(u, v, score)``.

    Parameters
    ----------
    G
        The graph, without self-loops.
    pairs
        Pairs of nodes; None: all pairs without an edge.
    kind
        ``"jaccard"``, ``"adamic-adar"`` or ``"allocation"``.
    """
    return _scored(G, _apart(G) if pairs is None else _blocks(_numbered(G, pairs)), kind)


def _scored(G: BackendGraph, blocks: Iterable[_Pairs], kind: str) -> Iterator[Any]:
    nodes = list(G)
    known = PairCounts(G.rows)
    weight = _weights(G, kind)
    leaves = G.rows.to_scipy() @ (G.degrees == 1)  # neighbours with a single neighbour
    for heads, tails in blocks:
        if kind == "adamic-adar" and leaves[heads[heads == tails]].any():
            raise ZeroDivisionError("a node paired with itself has a neighbour of degree 1")
        values = known.at(heads, tails).weighted_walks([weight])
        if kind == "jaccard":
            # Common neighbours, of all that one of the two has.
            whole = G.degrees[heads] + G.degrees[tails] - values
            values = np.divide(values, whole, out=np.zeros(len(values)), where=whole > 0)
        for u, v, value in zip(heads.tolist(), tails.tolist(), values.tolist(), strict=True):
            yield nodes[u], nodes[v], value or 0


def _weights(G: BackendGraph, kind: str) -> NDArray[np.float64]:
    """Return what a node is worth as a common neighbour."""
    if kind == "jaccard":
        return np.ones(len(G))
    if kind == "allocation":
        return 1.0 / np.maximum(G.degrees, 1)
    return 1.0 / np.log(np.maximum(G.degrees, 2))


def _numbered(G: BackendGraph, pairs: Iterable[Any]) -> NDArray[np.int64]:
    """Return pairs of nodes by their numbers; a node that is not there is an error at once."""
    numbers = []
    for u, v in pairs:
        for node in (u, v):
            if node not in G:
                raise nx.NodeNotFound(f"Node {node} not in G.")
            numbers.append(G.number[node])
    return np.array(numbers, dtype=np.int64).reshape(-1, 2)


def _blocks(pairs: NDArray[np.int64]) -> Iterator[_Pairs]:
    for first in range(0, len(pairs), _BLOCK):
        block = pairs[first : first + _BLOCK]
        yield np.ascontiguousarray(block[:, 0]), np.ascontiguousarray(block[:, 1])


def _apart(G: BackendGraph) -> Iterator[_Pairs]:
    """Yield all pairs of nodes without an edge, some rows at a time."""
    n = len(G)
    step = max(1, _BLOCK // max(n, 1))
    adjacency = G.rows.to_scipy()
    for first in range(0, n, step):
        heads, tails = np.nonzero(adjacency[first : first + step].toarray() == 0)
        heads += first
        later = heads < tails
        yield heads[later], tails[later]
