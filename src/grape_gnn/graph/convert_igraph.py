"""Graphs from and to igraph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

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

__all__ = ["from_igraph", "to_igraph"]


def from_igraph(
    source: Any,
    label: str | None = LABEL,
    features: str | Sequence[str] | None = FEATURES,
    strict: bool = False,
    task: str | None = None,
    types: str | None = TYPE,
    edge_types: str | None = TYPE,
) -> Graph:
    """Build a graph from an igraph graph; see :meth:`Graph.from_igraph`."""
    if not (hasattr(source, "vcount") and hasattr(source, "get_edgelist")):
        raise GraphError(f"expected an igraph graph, got {type(source).__name__}")
    edges = np.array(source.get_edgelist(), np.int64).reshape(-1, 2)
    nodes = [vertex.attributes() for vertex in source.vs]
    return Graph.from_edges(
        edges[:, 0],
        edges[:, 1],
        source.vcount(),
        source.is_directed(),
        y=collect_labels(nodes, label),
        names=source.vs["name"] if "name" in source.vs.attributes() else None,
        strict=strict,
        **collect_features(nodes, features),
        task=task,
        types=collect_types([node.get(types) for node in nodes], types, "node"),
        edge_types=collect_types(
            [edge.attributes().get(edge_types) for edge in source.es], edge_types, "edge"
        ),
    )


def to_igraph(graph: Graph) -> Any:
    """Return an igraph graph; attributes ``name``, ``label``, ``features`` and ``type``."""
    with named_extra():
        import igraph
    result = igraph.Graph(
        n=graph.num_nodes, edges=graph.edge_array().tolist(), directed=graph.directed
    )
    if graph.names is not None:
        result.vs["name"] = [graph.name_of(i) for i in range(graph.num_nodes)]
    records = node_records(graph)
    given = ((LABEL, graph.y), (FEATURES, graph.x), (TYPE, graph.types))
    keys = [key for key, values in given if values is not None]
    for key in (*keys, *(column.name for column in graph.columns or ())):
        result.vs[key] = [record.get(key) for record in records]
    types = types_of_edges(graph)
    if types is not None:
        result.es[TYPE] = types.tolist()
    return result
