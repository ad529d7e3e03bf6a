"""What networkx calls: conversions, what can be run, and the functions by their names in networkx.

networkx takes a function of this module for its own when somebody says ``backend="grape"``, passes
a converted graph, or sets ``nx.config.backend_priority``. Results are those of networkx in value,
type and order. What the module cannot do, `can_run` tells with the reason, which networkx logs.

>>> import networkx as nx
>>> nx.triangles(nx.complete_graph(4), backend="grape")
{0: 3, 1: 3, 2: 3, 3: 3}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_networkx.graph import BackendGraph, from_networkx, to_networkx
from grape_networkx.pairs import scores

__all__ = [
    "adamic_adar_index",
    "average_clustering",
    "can_run",
    "clustering",
    "convert_from_nx",
    "convert_to_nx",
    "generalized_degree",
    "jaccard_coefficient",
    "resource_allocation_index",
    "should_run",
    "square_clustering",
    "transitivity",
    "triangles",
]

_PAIRS = ("adamic_adar_index", "jaccard_coefficient", "resource_allocation_index")
_FEWEST_EDGES = 500  # with fewer, networkx is done before the graph is converted


def convert_from_nx(
    graph: Any,
    *,
    edge_attrs: dict[str, Any] | None = None,
    node_attrs: dict[str, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> BackendGraph:
    """Return a graph of networkx as one of the back end.

    The attributes of the whole graph are kept. Those of nodes and edges cannot be: no function of
    the back end needs any.
    """
    if isinstance(graph, BackendGraph):
        return graph
    if edge_attrs or node_attrs or preserve_edge_attrs or preserve_node_attrs:
        raise NotImplementedError("the back end 'grape' keeps no attributes of nodes and edges")
    unfit = _unfit(graph)
    if unfit is not None:
        raise NotImplementedError(unfit)
    return from_networkx(graph)


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Return a graph of the back end as one of networkx, and anything else as it is."""
    return to_networkx(result) if isinstance(result, BackendGraph) else result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or the reason why networkx must run a function itself."""
    try:
        given = signature(globals()[name]).bind(*args, **kwargs).arguments
    except TypeError as wrong:
        return str(wrong)
    if given.get("weight") is not None:
        return "weights of edges are not supported"
    unfit = _unfit(given["G"])
    if unfit is not None:
        return unfit
    if name in _PAIRS and _has_loops(given["G"]):
        return "networkx counts a self-loop among the neighbours of its node: not supported"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True, or the reason why networkx is faster; asked only where it chooses by itself."""
    given = signature(globals()[name]).bind(*args, **kwargs).arguments
    graph = given["G"]
    if graph.number_of_edges() < _FEWEST_EDGES:
        return f"the graph has fewer than {_FEWEST_EDGES} edges"
    nodes = given.get("nodes")
    if nodes is not None and nodes in graph:
        return "a single node needs no count of the whole graph"
    return True


def _unfit(graph: Any) -> str | None:
    if graph.is_directed():
        return "directed graphs are not supported"
    if graph.is_multigraph():
        return "multigraphs are not supported"
    return None


def _has_loops(graph: Any) -> bool:
    if isinstance(graph, BackendGraph):
        return len(graph.loops) > 0
    return any(node in neighbours for node, neighbours in graph.adjacency())


def triangles(G: BackendGraph, nodes: Any = None) -> Any:
    """Return the number of triangles at nodes, as `networkx.triangles` does."""
    return _chosen(G, nodes, G.triangles.tolist())


def clustering(G: BackendGraph, nodes: Any = None, weight: None = None) -> Any:
    """Return the clustering coefficients of nodes, as `networkx.clustering` does."""
    closed = 2 * G.triangles
    pairs = np.where(closed > 0, G.degrees * (G.degrees - 1), 0)
    return _chosen(G, nodes, _shares(closed, pairs))


def average_clustering(
    G: BackendGraph, nodes: Any = None, weight: None = None, count_zeros: bool = True
) -> float:
    """Return the mean of clustering coefficients, as `networkx.average_clustering` does."""
    found = list(clustering(G, nodes).values())
    if not count_zeros:
        found = [value for value in found if abs(value) > 0]
    mean: float = sum(found) / len(found)
    return mean


def transitivity(G: BackendGraph) -> float:
    """Return the share of 3-paths that close, as `networkx.transitivity` does."""
    closed = 2 * sum(G.triangles.tolist())
    paths = sum((G.degrees * (G.degrees - 1)).tolist())
    return closed / paths if closed else 0


def square_clustering(G: BackendGraph, nodes: Any = None) -> Any:
    """Return the square clustering coefficients of nodes, as `networkx.square_clustering` does.

    The numerator is the number of 4-cycles at a node. The denominator counts, for all pairs of its
    neighbours, who could be a second common neighbour of the two.
    """
    degrees = G.degrees
    others = degrees - 1
    around = G.rows.to_scipy() @ degrees  # the degrees of the neighbours, added up
    possible = around * others - degrees * others - 2 * G.triangles - G.squares
    return _chosen(G, nodes, _shares(G.squares, possible))


def generalized_degree(G: BackendGraph, nodes: Any = None) -> Any:
    """Return edges by their number of triangles at nodes, as `networkx.generalized_degree` does."""
    ends = G.rows.edge_array()
    counts = G.triangles_at_edges
    width = int(counts.max(initial=0)) + 1
    found, times = np.unique((ends * width + counts[:, None]).ravel(), return_counts=True)
    tables: list[Counter[int]] = [Counter() for _ in range(len(G))]
    at, multiplicity = np.divmod(found, width)
    for v, k, number in zip(at.tolist(), multiplicity.tolist(), times.tolist(), strict=True):
        tables[v][k] = number
    return _chosen(G, nodes, tables)


def jaccard_coefficient(G: BackendGraph, ebunch: Iterable[Any] | None = None) -> Iterator[Any]:
    """Return the shared part of the neighbours of pairs, as `networkx.jaccard_coefficient` does."""
    return scores(G, ebunch, "jaccard")


def adamic_adar_index(G: BackendGraph, ebunch: Iterable[Any] | None = None) -> Iterator[Any]:
    """Return the index of Adamic and Adar of pairs, as `networkx.adamic_adar_index` does."""
    return scores(G, ebunch, "adamic-adar")


def resource_allocation_index(
    G: BackendGraph, ebunch: Iterable[Any] | None = None
) -> Iterator[Any]:
    """Return the resource allocation of pairs, as `networkx.resource_allocation_index` does."""
    return scores(G, ebunch, "allocation")


def _shares(part: NDArray[np.int64], whole: NDArray[np.int64]) -> list[float]:
    """Return `part / whole`, and as networkx does the integer 0 where the whole is nothing."""
    some = whole > 0
    shares = np.divide(part, whole, out=np.zeros(len(part)), where=some).tolist()
    return [share if any_ else 0 for share, any_ in zip(shares, some.tolist(), strict=True)]


def _chosen(G: BackendGraph, nodes: Any, values: list[Any]) -> Any:
    """Return the value of a single node, or those of some or all nodes by node."""
    if nodes is None:
        return dict(zip(G, values, strict=True))
    if nodes in G:
        return values[G.number[nodes]]
    return {node: values[G.number[node]] for node in G.nbunch_iter(nodes)}
