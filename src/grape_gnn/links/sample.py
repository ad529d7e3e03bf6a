"""Pairs that are not linked: drawn at random, or the likeliest to be suggested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph

__all__ = ["candidates", "unlinked_pairs"]

_Pairs = NDArray[np.int64]
_ROWS = 1024  # rows of a product that are there at a time


def unlinked_pairs(graph: Graph, wanted: int, rng: np.random.Generator) -> _Pairs:
    """Draw different pairs without a link, all with the same probability.

    Raises
    ------
    GraphError
        The graph has fewer pairs without a link.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> unlinked_pairs(path, 3, np.random.default_rng(0)).tolist()
    [[0, 2], [0, 3], [1, 3]]
    """
    n = graph.num_nodes
    there = n * (n - 1) // 2 - graph.num_edges
    if wanted > there:
        raise GraphError(
            f"{graph!r} has {there:,} pairs without a link, and {wanted:,} are needed to learn "
            f"from: it is too dense, or too small"
        )
    edges = graph.edge_array()
    linked = edges[:, 0] * n + edges[:, 1]
    found = np.zeros(0, dtype=np.int64)
    while len(found) < wanted:
        pairs = np.sort(rng.integers(0, n, (2 * wanted + 16, 2)), axis=1)
        fresh = (pairs[:, 0] * n + pairs[:, 1])[pairs[:, 0] != pairs[:, 1]]
        found = np.union1d(found, np.setdiff1d(fresh, linked))
    chosen = np.sort(rng.choice(found, wanted, replace=False))
    return np.stack(np.divmod(chosen, n), axis=1)


def candidates(graph: Graph, most: int) -> _Pairs:
    """Return pairs two steps apart, then three, those with the best connections first.

    A step through a node is worth one over its degree, so that a hub joins everyone a little.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> candidates(path, 10).tolist()
    [[0, 2], [1, 3], [0, 3]]
    """
    edges = sparse.csr_array(graph.to_scipy().astype(np.float64))
    step = sparse.csr_array(sparse.diags_array(1.0 / np.maximum(graph.degrees, 1)) @ edges)
    near = _best(graph, lambda rows: edges[rows] @ step, most)
    if len(near) == most:
        return near
    further = _best(graph, lambda rows: (edges[rows] @ step) @ step, most)
    n = graph.num_nodes
    new = ~np.isin(further[:, 0] * n + further[:, 1], near[:, 0] * n + near[:, 1])
    return np.concatenate([near, further[new]])[:most]


def _best(graph: Graph, product: Callable[[_Pairs], Any], most: int) -> _Pairs:
    """Return the unlinked pairs of a product with the largest entries, the largest first."""
    pairs, scores = np.zeros((0, 2), dtype=np.int64), np.zeros(0)
    n, edges = graph.num_nodes, graph.edge_array()
    linked = edges[:, 0] * n + edges[:, 1]
    for start in range(0, n, _ROWS):
        rows = np.arange(start, min(start + _ROWS, n))
        block = sparse.coo_array(product(rows))
        heads, tails = block.coords[0].astype(np.int64) + start, block.coords[1].astype(np.int64)
        mine = (heads < tails) & ~np.isin(heads * n + tails, linked)
        pairs = np.concatenate([pairs, np.stack([heads[mine], tails[mine]], axis=1)])
        scores = np.concatenate([scores, block.data[mine]])
        order = np.lexsort((pairs[:, 1], pairs[:, 0], -scores))[:most]
        pairs, scores = pairs[order], scores[order]
    return pairs
