"""Labels, types and features as named attributes of nodes, as networkx, igraph and GraphML do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.attributes import is_missing
from grape_gnn.graph.columns import make_column
from grape_gnn.graph.feature_matrix import made_dense
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.typed import types_of_nodes
from grape_gnn.warn import warn

__all__ = [
    "FEATURES",
    "LABEL",
    "TYPE",
    "collect_features",
    "collect_labels",
    "collect_types",
    "node_records",
]

LABEL = "label"
FEATURES = "features"
TYPE = "type"


def collect_labels(nodes: Sequence[Mapping[str, Any]], label: str | None) -> list[Any] | None:
    """Return attribute `label` of every node, None where it is missing.

    None if no node has the attribute, unless the user asked for one of his own by name.
    """
    if label is None:
        return None
    if not any(node.get(label) is not None for node in nodes):
        if label == LABEL:
            return None
        raise GraphError(f"no node has the attribute {label!r}; {_known(nodes)}")
    return [node.get(label) for node in nodes]


def collect_types(values: Sequence[Any], name: str | None, what: str) -> list[Any] | None:
    """Return the types of nodes or edges, given the values of the attribute `name`.

    None if there are none, unless the user asked for an attribute of his own by name; what stands
    in the usual one need not be meant as a type.
    """
    present = [value for value in values if not is_missing(value)]
    if name is None or (not present and (name == TYPE or not values)):
        return None
    if not present:
        raise GraphError(f"no {what} has the attribute {name!r}, which was to be the {what} types")
    kinds = {isinstance(value, str) for value in present}
    if name == TYPE and not all(kinds) and not all(type(value) is int for value in present):
        warn(
            f"the {what} attribute {TYPE!r} holds neither texts nor whole numbers, so it is left "
            f"out: make either of it"
        )
        return None
    return list(values)


def collect_features(
    nodes: Sequence[Mapping[str, Any]], features: str | Sequence[str] | None
) -> dict[str, Any]:
    """Return what `Graph.from_edges` makes features of.

    The attribute ``features``, and whatever is a vector, is a matrix: ``x``. Other attributes are
    the ``columns`` of a table, which may hold anything.
    """
    if features is None or (features == FEATURES and not any(FEATURES in node for node in nodes)):
        return {}
    keys = [features] if isinstance(features, str) else list(features)
    if FEATURES in keys or any(
        hasattr(node.get(key), "__len__") and not isinstance(node[key], str)
        for key in keys
        for node in nodes
    ):
        return {"x": _matrix(nodes, keys)}
    for key in keys:
        if not any(key in node for node in nodes):
            raise GraphError(f"no node has the attribute {key!r}; {_known(nodes)}")
    return {"columns": [make_column(key, [n.get(key) for n in nodes], "used") for key in keys]}


def _matrix(nodes: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> NDArray[np.float64] | None:
    """Return attributes, numbers or vectors, side by side."""
    blocks = []
    for key in keys:
        values = [node.get(key) for node in nodes]
        for position, value in enumerate(values):
            if value is None:
                raise GraphError(
                    f"node number {position} has no attribute {key!r}, which all nodes need for "
                    f"features; {_known(nodes)}"
                )
        try:
            block = np.array(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise GraphError(
                f"node attribute {key!r} is not a number, or a vector of one length, on all nodes"
            ) from error
        blocks.append(block.reshape(len(nodes), -1))
    return np.hstack(blocks) if blocks else None


def node_records(graph: Graph) -> list[dict[str, Any]]:
    """Return the attributes of every node under the names that the collectors look for."""
    records: list[dict[str, Any]] = [{} for _ in range(graph.num_nodes)]
    if graph.y is not None:
        names = graph.label_names or ()
        for node in np.flatnonzero(graph.labelled):
            value = graph.y[node].tolist()
            if graph.task == "classification":
                value = names[value]
            elif graph.task == "multi-label":
                value = [name for name, has in zip(names, value, strict=True) if has]
            records[node][LABEL] = value
    if graph.x is not None:
        rows = made_dense(graph.x, "a list of features on every node")
        for record, row in zip(records, rows.tolist(), strict=True):
            record[FEATURES] = row
    for column in graph.columns or ():
        for record, value in zip(records, column.objects(), strict=True):
            if value is not None:
                record[column.name] = value
    types = types_of_nodes(graph)
    for record, kind in zip(records, [] if types is None else types, strict=types is not None):
        if kind is not None:
            record[TYPE] = kind
    return records


def _known(nodes: Sequence[Mapping[str, Any]]) -> str:
    known = sorted({str(key) for node in nodes for key in node})
    return f"the attributes are {known}" if known else "nodes have no attributes"
