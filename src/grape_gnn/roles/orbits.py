"""Automorphic equivalence of whole graphs (Definition 1 of the paper)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.arguments import flag
from grape_gnn.extras import named_extra
from grape_gnn.graph import GraphLike, as_graph

__all__ = ["automorphism_orbits"]


def automorphism_orbits(graph: GraphLike, *, use_labels: bool = False) -> NDArray[np.int64]:
    """Sort the nodes of a graph into classes of automorphic equivalence.

    Two nodes are in one class when some symmetry of the graph maps one onto the other. The
    generators of the symmetry group come from BLISS, through igraph; the classes are what the
    generators connect.

    Parameters
    ----------
    graph
        The graph, directed or not.
    use_labels
        Only symmetries that keep the node labels count; nodes without a label are alike.

    Returns
    -------
    numpy.ndarray
        Class of every node, numbered from 0 in the order of first appearance.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> automorphism_orbits(Graph.from_edges([0, 1, 2], [1, 2, 3])).tolist()
    [0, 1, 1, 0]
    """
    graph = as_graph(graph)
    flag("use_labels", use_labels)
    # Not at the top: it brings all of scipy.linalg, half the time that `import grape_gnn` takes.
    from scipy.sparse.csgraph import connected_components

    with named_extra():
        import igraph
    n = graph.num_nodes
    if n == 0:
        return np.zeros(0, dtype=np.int64)
    skeleton = igraph.Graph(n, graph.edge_array().tolist(), directed=graph.directed)
    colour = None
    if use_labels and graph.y is not None:
        _, colours = np.unique(graph.y, axis=0, return_inverse=True)
        colour = colours.ravel().tolist()
    generators = np.array(skeleton.automorphism_group(color=colour), dtype=np.int64)
    images = generators.reshape(-1, n)
    nodes = np.tile(np.arange(n), len(images))
    moves = sparse.coo_array((np.ones(images.size, np.int8), (nodes, images.ravel())), (n, n))
    _, component = connected_components(moves, directed=False)
    _, first, classes = np.unique(component, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[classes]
