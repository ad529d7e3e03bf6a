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
    collect_features,
    collect_labels,
    node_records,
)

__all__ = ["from_networkx", "to_networkx"]


def from_networkx(
    source: Any,
    label: str | None = LABEL,
    features: str | Sequence[str] | None = FEATURES,
    strict: bool = False,
    task: str | None = None,
) -> Graph:
    """Build a graph from a networkx graph; see :meth:`Graph.from_networkx`."""
    if not (hasattr(source, "adj") and hasattr(source, "is_directed")):
        raise GraphError(f"expected a networkx graph, got {type(source).__name__}")
    names = list(source.nodes)
    number = {name: i for i, name in enumerate(names)}
    ends = [(number[u], number[v]) for u, v in source.edges()]
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
    )


def to_networkx(graph: Graph) -> Any:
    """Return a networkx ``Graph`` or ``DiGraph`` with the original names and attributes."""
    with named_extra():
        import networkx as nx

    result = nx.DiGraph() if graph.directed else nx.Graph()
    names = [graph.name_of(i) for i in range(graph.num_nodes)]
    result.add_nodes_from(zip(names, node_records(graph), strict=True))
    result.add_edges_from((names[u], names[v]) for u, v in graph.edge_array().tolist())
    return result
