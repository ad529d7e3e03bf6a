"""Clusters as a figure: the graph in their colours; of a large graph the map of the embedding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.drawing.coloured import coloured_graph
from grape_gnn.graph import Graph

__all__ = ["clusters_figure"]

_WIDTH, _HEIGHT = 640.0, 430.0
_MOST_NODES = 300  # of a graph that is drawn with its edges
_MOST_POINTS = 20_000


def clusters_figure(graph: Graph, labels: NDArray[np.int64], places: NDArray[np.float64]) -> str:
    """Draw the clusters of a graph as an SVG document.

    Parameters
    ----------
    graph
        The graph. With at most 300 nodes it is drawn itself; else its nodes (at most 20,000, evenly
        chosen) are drawn at their first two dimensions.
    labels
        The cluster of every node.
    places
        The nodes in the space of the embedding.

    Examples
    --------
    >>> pair = Graph.from_edges([0], [1])
    >>> clusters_figure(pair, np.array([0, 0]), np.zeros((2, 0))).count("<circle")
    2
    """
    size = (_WIDTH, _HEIGHT)
    if graph.num_nodes <= _MOST_NODES:
        drawn = coloured_graph(graph, labels.tolist(), size, "cluster")
        title = f"{len(set(labels.tolist()))} clusters of {graph.num_nodes:,} nodes"
    else:
        drawn = _map(graph, labels, places, size)
        title = "clusters of nodes, at their first two dimensions"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH:g}' height='{_HEIGHT:g}' "
        f"viewBox='0 0 {_WIDTH:g} {_HEIGHT:g}' role='img' "
        f"font-family='Helvetica, Arial, sans-serif'><title>{title}</title>"
        f"<rect width='{_WIDTH:g}' height='{_HEIGHT:g}' fill='#ffffff'/>{drawn}</svg>\n"
    )


def _map(
    graph: Graph,
    labels: NDArray[np.int64],
    places: NDArray[np.float64],
    size: tuple[float, float],
) -> str:
    every = np.unique(np.linspace(0, len(labels) - 1, _MOST_POINTS).astype(np.int64))
    plane = np.zeros((len(every), 2))
    plane[:, : places.shape[1]] = places[every, :2]
    names = [graph.name_of(v) for v in every.tolist()]
    shown = Graph.from_edges([], [], num_nodes=len(every), names=names)
    return coloured_graph(shown, labels[every].tolist(), size, "cluster", plane)
