"""Graphs of other libraries, one by one, as the pieces of a set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import as_graph
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.feature_matrix import made_dense
from grape_gnn.graph.typed import types_of_edges
from grape_gnn.graphs.accept_pyg import of_data, target_of_data, told_apart
from grape_gnn.graphs.edge_features import EdgeFeatures
from grape_gnn.graphs.pieces import Piece
from grape_gnn.warn import warn

__all__ = ["as_pieces"]

NODE_TYPES = ("type", "label")
EDGE_TYPES = ("type",)
EDGE_FEATURES = ("features",)
TARGETS = ("y", "label")


def as_pieces(
    graphs: Iterable[Any],
    types: str | None = None,
    edge_types: str | None = None,
    edge_features: str | Sequence[str] | None = None,
    *,
    targets: bool = True,
) -> tuple[list[Piece], bool]:
    """Return the pieces, and whether they are directed, which all or none must be.

    Parameters
    ----------
    graphs
        The graphs.
    types, edge_types, edge_features
        The attributes with types and numbers, as for `GraphSet.of`.
    targets
        Whether what the graphs carry as targets is looked at.
    """
    pieces, directions, unclear = [], [], []
    wanted = (edge_features,) if isinstance(edge_features, str) else edge_features
    ways = _Ways(types, edge_types, None if wanted is None else tuple(wanted))
    for number, source in enumerate(_listed(graphs)):
        try:
            piece, directed = _as_piece(source, ways)
            if hasattr(source, "edge_index"):
                if targets:
                    piece = replace(piece, y=target_of_data(source, piece.num_nodes))
                if edge_types is None and wanted is None and not hasattr(source, "edge_type"):
                    unclear.append(number)
        except GraphError as error:
            raise GraphError(f"graph number {number}: {error}") from error
        pieces.append(piece)
        # A graph of PyG without edges is as directed as the others are.
        directions += [] if directed is None else [directed]
    for number, piece in zip(unclear, told_apart([pieces[k] for k in unclear]), strict=True):
        pieces[number] = piece
    if ways.left_out:
        listed = ", ".join(map(repr, sorted(ways.left_out)))
        warn(
            f"edges have the attributes {listed}, which are left out: if one is the type of an "
            f"edge, name it by edge_types=, if some are numbers to learn from, by edge_features="
        )
    if len(set(directions)) > 1:
        first = directions.index(not directions[0])
        raise GraphError(
            f"graph number {first} is {'' if directions[first] else 'un'}directed, those before it "
            f"are not: make all graphs of one kind"
        )
    return pieces, any(directions)


def _listed(graphs: Any) -> Iterator[Any]:
    """Give the graphs one by one; those of a batch of PyG, which a loader gives, too."""
    if hasattr(graphs, "to_data_list"):
        graphs = graphs.to_data_list()
    one = any(hasattr(graphs, mark) for mark in ("adj", "vcount", "indptr"))
    # A dataset of PyG has an edge_index too, and tells which of its graphs it gives.
    one |= hasattr(graphs, "edge_index") and not hasattr(graphs, "indices")
    if not isinstance(graphs, Iterable) and hasattr(graphs, "__getitem__"):
        graphs = map(graphs.__getitem__, range(len(graphs)))  # a subset of a dataset
    if one or isinstance(graphs, str) or not isinstance(graphs, Iterable):
        how = "put a single graph into a list" if one else "read_graphs reads a file of many graphs"
        raise GraphError(f"expected a list of graphs, got {type(graphs).__name__}: {how}")
    for source in graphs:
        yield from source.to_data_list() if hasattr(source, "to_data_list") else (source,)


@dataclass(frozen=True)
class _Ways:
    """The attributes that hold types and features, and those that hold neither."""

    types: str | None
    edge_types: str | None
    edge_features: tuple[str, ...] | None
    left_out: set[str] = field(default_factory=set)

    def of_nodes(self, nodes: list[Any]) -> tuple[list[Any] | None, NDArray[Any] | None]:
        """Return the types and features of nodes."""
        return _attribute(nodes, self.types, NODE_TYPES, "node"), _vectors(nodes)

    def of_edges(self, edges: list[Any]) -> dict[str, Any]:
        """Return the types and features of edges, and note the attributes that are neither."""
        kinds = EDGE_TYPES if self.edge_types is None else (self.edge_types,)
        numbers = EDGE_FEATURES if self.edge_features is None else self.edge_features
        present = {name for data in edges for name, value in data.items() if value is not None}
        self.left_out.update(str(name) for name in present - {*kinds, *numbers})
        found = None
        if edges and (self.edge_features is not None or present.issuperset(EDGE_FEATURES)):
            columns = [[data.get(name) for data in edges] for name in numbers]
            found = EdgeFeatures.of(numbers, columns, len(edges))
        types = _attribute(edges, self.edge_types, EDGE_TYPES, "edge")
        return {"edge_types": types, "edge_features": found}


def _as_piece(source: Any, ways: _Ways) -> tuple[Piece, bool | None]:
    if hasattr(source, "edge_index"):
        return of_data(source, ways.types, ways.edge_types, ways.edge_features)
    if hasattr(source, "vcount") and hasattr(source, "get_edgelist"):
        return _of_igraph(source, ways), source.is_directed()
    if hasattr(source, "adj") and hasattr(source, "is_directed") and hasattr(source, "nodes"):
        return _of_networkx(source, ways), source.is_directed()
    graph = as_graph(source)
    if ways.edge_features is not None and graph.num_edges:
        raise GraphError(
            f"a {type(source).__name__} has no features of edges: give a GraphSet, or graphs of "
            f"networkx, igraph or PyTorch Geometric"
        )
    if graph.columns is not None:
        raise GraphError(
            "a graph with a table of nodes cannot join a set: make features of it by NodeEncoder"
        )
    codes, names = graph.matched_types
    kinds = None if codes is None else as_objects([*names, None])[codes]
    tails, heads = graph.edge_array().T
    ties = types_of_edges(graph)
    x = None if graph.x is None else made_dense(graph.x, "a set of graphs")
    return Piece(tails, heads, graph.num_nodes, kinds, x, ties), graph.directed


def _of_networkx(source: Any, ways: _Ways) -> Piece:
    number = {name: k for k, name in enumerate(source.nodes)}
    nodes = [source.nodes[name] for name in number]
    edges = list(source.edges(data=True))
    ends = np.array([(number[u], number[v]) for u, v, _ in edges], np.int64).reshape(-1, 2)
    return Piece(
        ends[:, 0], ends[:, 1], len(number), *ways.of_nodes(nodes), y=_target(source.graph),
        **ways.of_edges([data for _, _, data in edges]),
    )  # fmt: skip


def _of_igraph(source: Any, ways: _Ways) -> Piece:
    nodes = [vertex.attributes() for vertex in source.vs]
    ends = np.array(source.get_edgelist(), np.int64).reshape(-1, 2)
    return Piece(
        ends[:, 0], ends[:, 1], source.vcount(), *ways.of_nodes(nodes),
        y=_target({name: source[name] for name in source.attributes()}),
        **ways.of_edges([edge.attributes() for edge in source.es]),
    )  # fmt: skip


def _attribute(
    items: list[Any], wanted: str | None, usual: tuple[str, ...], what: str
) -> list[Any] | None:
    for name in usual if wanted is None else (wanted,):
        found = [item.get(name) for item in items]
        if any(value is not None for value in found):
            return found
    if wanted is not None and items:
        raise GraphError(f"no {what} of a graph has the attribute {wanted!r}")
    return None


def _vectors(nodes: list[Any]) -> NDArray[Any] | None:
    given = [node.get("features", node.get("x")) for node in nodes]
    if not given or all(value is None for value in given):
        return None
    try:
        return np.array(given, np.float64).reshape(len(nodes), -1)
    except (TypeError, ValueError) as error:
        raise GraphError(
            "the node attribute 'features' is not a vector of one length on all nodes"
        ) from error


def _target(attributes: Any) -> Any:
    return next((attributes[name] for name in TARGETS if attributes.get(name) is not None), None)
