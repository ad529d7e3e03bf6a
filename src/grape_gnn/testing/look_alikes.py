"""Graphs that are hard to tell apart, and copies that nothing may tell apart."""

from __future__ import annotations

import numpy as np

from grape_gnn.graph import Graph

__all__ = ["SKIPS", "permuted", "rings", "skip_links"]

SKIPS = (2, 3, 4, 5, 6, 9, 11, 12, 13, 16)
"""Skips that give ten classes of skip-link graphs of 41 nodes (Murphy et al., 2019)."""


def permuted(graph: Graph, seed: int) -> Graph:
    """Return the structure of a graph with its nodes in random order.

    Examples
    --------
    >>> permuted(Graph.from_edges([0, 1], [1, 2]), seed=0)
    Graph(nodes=3, edges=2, undirected)
    """
    order = np.random.default_rng(seed).permutation(graph.num_nodes)
    edges = order[graph.edge_array()]
    return Graph.from_edges(
        edges[:, 0], edges[:, 1], num_nodes=graph.num_nodes, directed=graph.directed
    )


def rings(*sizes: int) -> Graph:
    """Return rings of the given sizes side by side: of one size in all, refinement sees no more.

    Examples
    --------
    >>> rings(3, 3)
    Graph(nodes=6, edges=6, undirected)
    """
    starts = np.cumsum([0, *sizes])
    nodes = np.arange(starts[-1])
    ahead = np.concatenate(
        [start + (np.arange(size) + 1) % size for start, size in zip(starts, sizes, strict=False)]
    )
    return Graph.from_edges(nodes, ahead)


def skip_links(skip: int, num_nodes: int = 41) -> Graph:
    """Return a circulant skip-link graph: a ring where every node is joined to one `skip` ahead.

    Examples
    --------
    >>> skip_links(5)
    Graph(nodes=41, edges=82, undirected)
    """
    nodes = np.arange(num_nodes)
    heads = np.concatenate([(nodes + 1) % num_nodes, (nodes + skip) % num_nodes])
    return Graph.from_edges(np.tile(nodes, 2), heads)
