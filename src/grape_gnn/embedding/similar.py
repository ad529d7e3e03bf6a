"""`most_similar`: who plays parts like a node's, in its graph or in another."""

from __future__ import annotations

import numpy as np

from grape_gnn.arguments import whole_number
from grape_gnn.embedding.embedding import RoleEmbedding
from grape_gnn.errors import ModelError
from grape_gnn.graph import GraphLike, as_graph

__all__ = ["most_similar"]

_DIGITS = 9  # closer than that, nodes are alike, and their order decides


def most_similar(
    graph: GraphLike,
    node: str | int,
    k: int = 10,
    *,
    other: GraphLike | None = None,
    embedding: RoleEmbedding | None = None,
) -> list[tuple[str | int, float]]:
    """Return the nodes whose parts are most like those of a node, the closest first.

    Parameters
    ----------
    graph
        A graph.
    node
        The name of one of its nodes; its number where nodes have no names.
    k
        How many to return, at most.
    other
        Another graph to look in, instead of the node's own.
    embedding
        How to embed them, fitted to a graph or not; None: ``RoleEmbedding()``. One that is not
        fitted is fitted to `graph`.

    Returns
    -------
    list of (name, distance)
        Distances in the space of the embedding: 0 for nodes that it cannot tell apart.

    Examples
    --------
    >>> import networkx as nx
    >>> most_similar(nx.barbell_graph(5, 3), 0, k=2)  # in the same bell, and across the bridge
    [(1, 0.0), (2, 0.0)]
    """
    whole_number("k", k, 1, error=ModelError)
    graph = as_graph(graph)
    place = graph.index_of(node)
    chosen = RoleEmbedding() if embedding is None else embedding
    if not hasattr(chosen, "components_"):
        chosen = RoleEmbedding(**chosen.get_params()).fit(graph)
    mine = np.asarray(chosen.transform(graph))
    searched = graph if other is None else as_graph(other)
    theirs = mine if other is None else np.asarray(chosen.transform(searched))
    apart = np.linalg.norm(theirs - mine[place], axis=1).round(_DIGITS)
    order = np.argsort(apart, kind="stable").tolist()
    found = [v for v in order if other is not None or v != place][:k]
    return [(searched.name_of(v), float(apart[v])) for v in found]
