"""The three kinds of node features of the paper's experiments (appendix D)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph

__all__ = ["KINDS", "with_features"]

KINDS = ("original", "constant", "random")
RANDOM_WIDTH = 64


def with_features(graph: Graph, kind: str, *, seed: int = 0) -> Graph:
    """Return the graph with another kind of features.

    Parameters
    ----------
    graph
        The graph; it is left as it is.
    kind
        ``"original"``: its own. ``"constant"``: a single 1 for every node, so that only the
        structure is left. ``"random"``: 64 standard normal numbers per node, which tell nodes
        apart and mean nothing.
    seed
        Of the random features.

    Returns
    -------
    Graph

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2])
    >>> with_features(g, "constant").x.tolist()
    [[1.0], [1.0], [1.0]]
    >>> with_features(g, "random", seed=1).x.shape
    (3, 64)
    """
    if kind not in KINDS:
        raise DatasetError(f"unknown kind of features {kind!r}; known are {', '.join(KINDS)}")
    if kind == "constant":
        return replace(graph, x=np.ones((graph.num_nodes, 1), np.float32), columns=None)
    if kind == "random":
        rng = np.random.default_rng(seed)
        x = rng.standard_normal((graph.num_nodes, RANDOM_WIDTH), np.float32)
        return replace(graph, x=x, columns=None)
    if not graph.has_features:
        raise DatasetError("the graph has no features of its own; use 'constant' or 'random'")
    return graph
