"""Whatever people have a graph in, as a `Graph`: the one door of all functions that take graphs."""

from __future__ import annotations

from typing import Any

from scipy.sparse import issparse

from grape_gnn.errors import GraphError
from grape_gnn.graph.frames import is_frame
from grape_gnn.graph.graph import Graph

__all__ = ["GraphLike", "as_graph"]

GraphLike = Any
"""A `Graph`, or a graph of networkx, igraph, SciPy or PyTorch Geometric, or a frame of edges."""


def as_graph(source: GraphLike) -> Graph:
    """Return a graph as a `Graph`, with the defaults of its ``from_`` methods.

    Parameters
    ----------
    source
        A `Graph`, which is returned as it is; a networkx or igraph graph; a SciPy sparse matrix;
        PyTorch Geometric ``Data``; a pandas or polars data frame of edges, or an Arrow table.

    Examples
    --------
    >>> import networkx as nx
    >>> as_graph(nx.path_graph(["ann", "bob", "cat"]))
    Graph(nodes=3, edges=2, undirected, named)
    >>> as_graph("friends.csv")
    Traceback (most recent call last):
        ...
    grape_gnn.errors.GraphError: expected a graph, got the text 'friends.csv': read a file with
    read_graph, load a dataset with datasets.load
    """
    if isinstance(source, Graph):
        return source
    if isinstance(source, type):
        raise GraphError(
            f"expected a graph, got the class {source.__module__}.{source.__qualname__}: give one "
            f"of its graphs"
        )
    if issparse(source):
        return Graph.from_scipy(source)
    if hasattr(source, "edge_index") or hasattr(source, "edge_types"):
        return Graph.from_pyg(source)
    if hasattr(source, "vcount") and hasattr(source, "get_edgelist"):
        return Graph.from_igraph(source)
    if hasattr(source, "adj") and hasattr(source, "is_directed") and hasattr(source, "nodes"):
        return Graph.from_networkx(source)
    if is_frame(source):
        return Graph.from_pandas(source)
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        raise GraphError(
            f"expected a graph, got the text {str(source)!r}: read a file with read_graph, load a "
            f"dataset with datasets.load"
        )
    kind = type(source)
    where = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    raise GraphError(
        f"expected a graph, got {where}{kind.__qualname__}: give a Graph, a networkx or "
        f"igraph graph, a SciPy sparse matrix, PyG Data, or a data frame of edges"
    )
