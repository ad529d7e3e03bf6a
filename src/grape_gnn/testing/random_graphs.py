"""Small graphs for tests: seeded random families, and a few whose answers are known by hand.

Every generator is a plain function of its arguments, so a test that prints its arguments can
be repeated. Labels come as ``y``, types of nodes and edges as such, with some of them missing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph

__all__ = [
    "FAMILIES",
    "bipartite",
    "complete",
    "disconnected",
    "gnp",
    "hubs",
    "named",
    "random_graph",
    "reciprocal",
    "star",
    "typed",
]


def gnp(num_nodes: int, p: float, seed: int, directed: bool = False, labels: int = 0) -> Graph:
    """Erdos-Renyi graph: every edge (or arc) is there with probability ``p``.

    Parameters
    ----------
    num_nodes, p, seed, directed
        The usual parameters of the family.
    labels
        Number of node labels to draw from; about one in six is missing. 0: no labels.

    Examples
    --------
    >>> gnp(5, 1.0, seed=0).num_edges
    10
    """
    rng = np.random.default_rng(seed)
    present = rng.random((num_nodes, num_nodes)) < p
    if not labels:
        return _from_matrix(present, directed)
    y = np.where(rng.random(num_nodes) < 1 / 6, -1, rng.integers(0, labels, num_nodes))
    return _from_matrix(present, directed, y, tuple(range(labels)))


def star(leaves: int, directed: bool = False) -> Graph:
    """One centre (node 0) with an edge, or an arc, to each of the leaves.

    Examples
    --------
    >>> star(4).degrees.tolist()
    [4, 1, 1, 1, 1]
    """
    return Graph.from_edges(
        np.zeros(leaves, np.int64),
        np.arange(1, leaves + 1),
        num_nodes=leaves + 1,
        directed=directed,
    )


def hubs(num_nodes: int, num_hubs: int, seed: int, directed: bool = False) -> Graph:
    """Hubs joined to almost everyone, the others to almost no one.

    Examples
    --------
    >>> bool(hubs(12, 1, seed=0).degrees[0] >= 6)
    True
    """
    rng = np.random.default_rng(seed)
    chance = np.full((num_nodes, num_nodes), 0.08)
    chance[:num_hubs, :] = chance[:, :num_hubs] = 0.85
    return _from_matrix(rng.random((num_nodes, num_nodes)) < chance, directed)


def bipartite(left: int, right: int, p: float, seed: int, directed: bool = False) -> Graph:
    """Edges only between the first ``left`` nodes and the rest: no odd cycles.

    Examples
    --------
    >>> bipartite(2, 3, 1.0, seed=0).num_edges
    6
    """
    rng = np.random.default_rng(seed)
    side = np.arange(left + right) < left
    present = rng.random((left + right, left + right)) < p
    return _from_matrix(present & (side[:, None] != side[None, :]), directed)


def complete(num_nodes: int, directed: bool = False) -> Graph:
    """Every edge, or both arcs of every pair.

    Examples
    --------
    >>> complete(4).num_edges, complete(4, directed=True).num_edges
    (6, 12)
    """
    return gnp(num_nodes, 1.1, seed=0, directed=directed)


def disconnected(sizes: tuple[int, ...], p: float, seed: int, directed: bool = False) -> Graph:
    """Several random components next to each other; a size of 1 is an isolated node.

    Examples
    --------
    >>> disconnected((2, 1, 3), 1.0, seed=0).degrees.tolist()
    [1, 1, 0, 2, 2, 2]
    """
    rng = np.random.default_rng(seed)
    part = np.repeat(np.arange(len(sizes)), sizes)
    present = rng.random((len(part), len(part))) < p
    return _from_matrix(present & (part[:, None] == part[None, :]), directed)


def reciprocal(num_nodes: int, p: float, mutual: float, seed: int) -> Graph:
    """Directed graph in which an arc is answered with probability ``mutual``.

    Examples
    --------
    >>> both = reciprocal(6, 0.5, 1.0, seed=1)
    >>> bool((both.indices == both.in_indices).all())
    True
    """
    rng = np.random.default_rng(seed)
    shape = (num_nodes, num_nodes)
    arcs = np.triu(rng.random(shape) < p, 1)
    turned = arcs & (rng.random(shape) < 0.5)
    answered = arcs & (rng.random(shape) < mutual)
    return _from_matrix((arcs & ~turned) | turned.T | answered | answered.T, directed=True)


def typed(num_nodes: int, p: float, seed: int, directed: bool = False, types: int = 2) -> Graph:
    """Erdos-Renyi graph whose nodes and edges have types ``0 .. types - 1``, or none.

    Labels are drawn as well, of which no template is to take notice.

    Examples
    --------
    >>> typed(6, 1.0, seed=0).edge_type_names
    (0, 1)
    """
    plain = gnp(num_nodes, p, seed, directed, labels=types)
    rng = np.random.default_rng([seed, 1])
    edges = plain.edge_array()

    def drawn(count: int) -> NDArray[np.int64]:
        return np.where(rng.random(count) < 1 / 8, -1, rng.integers(0, types, count))

    return Graph.from_edges(
        edges[:, 0],
        edges[:, 1],
        num_nodes=num_nodes,
        directed=directed,
        y=plain.y,
        label_names=plain.label_names,
        types=drawn(num_nodes),
        edge_types=drawn(len(edges)),
    )


FAMILIES: dict[str, Callable[[int, int, bool], Graph]] = {
    "sparse": lambda n, seed, directed: gnp(n, 0.25, seed, directed),
    "dense": lambda n, seed, directed: gnp(n, 0.65, seed, directed),
    "hubs": lambda n, seed, directed: hubs(n, max(1, n // 5), seed, directed),
    "bipartite": lambda n, seed, directed: bipartite(n // 2, n - n // 2, 0.6, seed, directed),
    "complete": lambda n, seed, directed: complete(n, directed),
    "empty": lambda n, seed, directed: gnp(n, 0.0, seed, directed),
    "disconnected": lambda n, seed, directed: disconnected(
        (n // 2, min(1, n), max(0, n - n // 2 - 1)), 0.7, seed, directed
    ),
    "reciprocal": lambda n, seed, directed: (
        reciprocal(n, 0.5, 0.5, seed) if directed else gnp(n, 0.5, seed)
    ),
    "labelled": lambda n, seed, directed: gnp(n, 0.5, seed, directed, labels=2),
    "typed": lambda n, seed, directed: typed(n, 0.6, seed, directed),
}


def random_graph(family: str, num_nodes: int, seed: int, directed: bool = False) -> Graph:
    """Draw a graph of one of the `FAMILIES`.

    Examples
    --------
    >>> random_graph("complete", 5, seed=0).num_edges
    10
    """
    return FAMILIES[family](num_nodes, seed, directed)


_NAMED: dict[str, tuple[int, str]] = {
    # Two 4-cycles at node 1, one of them with a chord and a tail: the example by which the
    # paper's appendix explains incremental matching (its v1..v8 are our 0..7).
    "paper": (8, "0-1 0-2 1-3 2-3 0-6 2-5 6-5 3-7 1-2 0-4"),
    "bowtie": (5, "0-1 0-2 1-2 0-3 0-4 3-4"),
    "petersen": (
        10,
        "0-1 1-2 2-3 3-4 4-0 0-5 1-6 2-7 3-8 4-9 5-7 7-9 9-6 6-8 8-5",
    ),
    "two triangles and an edge": (8, "0-1 0-2 1-2 3-4 3-5 4-5 6-7"),
    "wheel": (6, "0-1 0-2 0-3 0-4 0-5 1-2 2-3 3-4 4-5 5-1"),
}


def named(name: str) -> Graph:
    """Return a tiny undirected graph whose counts are easily checked by hand.

    Examples
    --------
    >>> named("bowtie").degrees.tolist()
    [4, 2, 2, 2, 2]
    """
    num_nodes, text = _NAMED[name]
    pairs = np.array([[int(end) for end in edge.split("-")] for edge in text.split()])
    return Graph.from_edges(pairs[:, 0], pairs[:, 1], num_nodes=num_nodes)


def _from_matrix(
    present: NDArray[np.bool_],
    directed: bool,
    y: NDArray[np.int64] | None = None,
    label_names: tuple[int, ...] | None = None,
) -> Graph:
    present = present & ~np.eye(len(present), dtype=bool)
    src, dst = np.nonzero(present if directed else np.triu(present))
    return Graph.from_edges(
        src, dst, num_nodes=len(present), directed=directed, y=y, label_names=label_names
    )
