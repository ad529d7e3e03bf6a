"""Graphs from and to networkx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grape_gnn.errors import GraphError
from grape_gnn.extras import named_extra
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.node_attributes import (
    FEATURES,
    LABEL,
    TYPE,
    collect_features,
    collect_labels,
    collect_types,
    node_records,
)
from grape_gnn.graph.typed import types_of_edges

__all__ = ["from_networkx", "to_networkx"]


def from_networkx(
    source: Any,
    label: str | None = LABEL,
    features: str | Sequence[str] | None = FEATURES,
    strict: bool = False,
    task: str | None = None,
    types: str | None = TYPE,
    edge_types: str | None = TYPE,
) -> Graph:
    """Build a graph from a networkx graph; see :meth:`Graph.from_networkx`."""
    if not (hasattr(source, "adj") and hasattr(source, "is_directed")):
        raise GraphError(f"expected a networkx graph, got {type(source).__name__}")
    names = list(source.nodes)
    number = {name: i for i, name in enumerate(names)}
    edges = list(source.edges(data=TYPE if edge_types is None else edge_types))
    ends = [(number[u], number[v]) for u, v, _ in edges]
    nodes = [source.nodes[name] for name in names]
    return Graph.from_edges(
        [u for u, _ in ends],
        [v for _, v in ends],
        len(names),
        source.is_directed(),
        y=collect_labels(nodes, label),
        names=names,
        strict=strict,
        **collect_features(nodes, features),
        task=task,
        types=collect_types([node.get(types) for node in nodes], types, "node"),
        edge_types=collect_types([kind for *_, kind in edges], edge_types, "edge"),
    )


def to_networkx(graph: Graph) -> Any:
    """Return a networkx ``Graph`` or ``DiGraph`` with the original names and attributes."""
    with named_extra():
        import networkx as nx

    result = nx.DiGraph() if graph.directed else nx.Graph()
    names = [graph.name_of(i) for i in range(graph.num_nodes)]
    result.add_nodes_from(zip(names, node_records(graph), strict=True))
    edges = [(names[u], names[v]) for u, v in graph.edge_array().tolist()]
    result.add_edges_from(edges)
    types = types_of_edges(graph)
    for (u, v), kind in zip(edges, [] if types is None else types, strict=types is not None):
        if kind is not None:
            result.edges[u, v][TYPE] = kind
    return result
