"""Graphs that are hard to tell apart, and copies that nothing may tell apart."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from grape_gnn.graph import Graph

__all__ = ["SKIPS", "cai_fuerer_immerman", "chang_graphs", "permuted", "rings", "skip_links"]

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


def chang_graphs() -> list[Graph]:
    """Return the four strongly regular graphs of 28 nodes and degree 12 (Chang, 1959).

    The first joins two pairs of eight points if they share one; the others come of it by switching:
    between some nodes and all others, edges become gaps and gaps become edges.

    Examples
    --------
    >>> chang_graphs()[3]
    Graph(nodes=28, edges=168, undirected)
    """
    pairs = list(itertools.combinations(range(8), 2))
    joined = np.array([[len({*a} & {*b}) == 1 for b in pairs] for a in pairs])
    found = [joined]
    # Four pairs without a point in common, a ring of eight points, rings of three and of five.
    for parts in ("01", "23", "45", "67"), ("01234567",), ("012", "34567"):
        rings = [[int(point) for point in part] for part in parts]
        sides = [pair for ring in rings for pair in zip(ring, ring[1:] + ring[:1], strict=True)]
        chosen = {(min(pair), max(pair)) for pair in sides}
        inside = np.array([pair in chosen for pair in pairs])
        found.append(joined ^ (inside[:, None] != inside))
    edges = [np.argwhere(np.triu(each)) for each in found]
    return [Graph.from_edges(each[:, 0], each[:, 1], num_nodes=28) for each in edges]


def cai_fuerer_immerman(edges: Sequence[tuple[int, int]], *, twisted: bool) -> Graph:
    """Return one of the two graphs that Cai, Fuerer and Immerman make of a connected base graph.

    Every node ``v`` of the base becomes one node for each even set of its edges; two of them are
    joined if their base nodes are, and both sets have the edge between or neither has. Twisted,
    the rule is turned round for one edge. The wider the base, the more it takes to tell the two
    apart.

    Examples
    --------
    >>> triangle = [(0, 1), (0, 2), (1, 2)]
    >>> cai_fuerer_immerman(triangle, twisted=False), cai_fuerer_immerman(triangle, twisted=True)
    (Graph(nodes=6, edges=6, undirected), Graph(nodes=6, edges=6, undirected))
    """
    at: dict[int, list[int]] = {}
    for number, edge in enumerate(edges):
        for end in edge:
            at.setdefault(end, []).append(number)
    nodes = {
        (base, frozenset(chosen))
        for base, incident in at.items()
        for size in range(0, len(incident) + 1, 2)
        for chosen in itertools.combinations(incident, size)
    }
    numbers = {node: k for k, node in enumerate(sorted(nodes, key=lambda n: (n[0], sorted(n[1]))))}
    pairs = [
        (numbers[u, one], numbers[v, two])
        for number, (u, v) in enumerate(edges)
        for base, one in numbers
        if base == u
        for other, two in numbers
        if other == v and ((number in one) == (number in two)) != (twisted and number == 0)
    ]
    ends = np.array(pairs)
    return Graph.from_edges(ends[:, 0], ends[:, 1], num_nodes=len(numbers))
