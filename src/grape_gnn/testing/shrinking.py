"""From a case that fails to the smallest one: what a human wants to see in a bug report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.graph.typed import types_of_edges, types_of_nodes
from grape_gnn.testing.contract import Case, disagreement

__all__ = ["shrink"]


def shrink(case: Case) -> Case:
    """Delete nodes and edges of the graph for as long as the case still fails.

    Parameters
    ----------
    case
        A case with a `disagreement`, or one that makes `match` raise an error.

    Returns
    -------
    Case
        A case that fails as well, with a graph from which nothing more can be deleted.
    """
    while True:
        smaller = (replace(case, graph=graph) for graph in _smaller_graphs(case.graph))
        failing = next((other for other in smaller if _fails(other)), None)
        if failing is None:
            return case
        case = failing


def _fails(case: Case) -> bool:
    try:
        return disagreement(case) is not None
    except Exception:
        return True


def _smaller_graphs(graph: Graph) -> list[Graph]:
    """Return the graph without each node, then without each edge."""
    edges, nodes = graph.edge_array(), np.arange(graph.num_nodes)
    kept_nodes = [nodes[nodes != v] for v in nodes]
    every = np.arange(len(edges))
    smaller = [
        _rebuilt(graph, kept, every[np.isin(edges, kept).all(1)], edges) for kept in kept_nodes
    ]
    smaller += [_rebuilt(graph, nodes, every[every != k], edges) for k in every]
    return smaller


def _rebuilt(
    graph: Graph, nodes: NDArray[np.int64], kept: NDArray[np.int64], edges: NDArray[np.int64]
) -> Graph:
    position = np.zeros(graph.num_nodes + 1, np.int64)
    position[nodes] = np.arange(len(nodes))
    types, ties, edges = types_of_nodes(graph), types_of_edges(graph), edges[kept]
    return Graph.from_edges(
        position[edges[:, 0]],
        position[edges[:, 1]],
        num_nodes=len(nodes),
        directed=graph.directed,
        y=None if graph.y is None else graph.y[nodes],
        label_names=graph.label_names,
        types=None if types is None else types[nodes],
        edge_types=None if ties is None else ties[kept],
    )
