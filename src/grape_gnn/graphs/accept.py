"""Graphs of other libraries, one by one, as the pieces of a set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import as_graph
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.convert_pyg import edge_kinds
from grape_gnn.graph.feature_matrix import made_dense
from grape_gnn.graph.typed import types_of_edges
from grape_gnn.graphs.pieces import Piece
from grape_gnn.warn import warn

__all__ = ["as_pieces"]

NODE_TYPES = ("type", "label")
EDGE_TYPES = ("type",)
TARGETS = ("y", "label")


def as_pieces(
    graphs: Iterable[Any], types: str | None, edge_types: str | None, *, targets: bool = True
) -> tuple[list[Piece], bool]:
    """Return the pieces, and whether they are directed, which all or none must be.

    Parameters
    ----------
    graphs
        The graphs.
    types, edge_types
        The attributes with types, as for `GraphSet.of`.
    targets
        Whether what the graphs carry as targets is looked at.
    """
    pieces, directions = [], []
    left_out: set[str] = set()
    for number, source in enumerate(_listed(graphs)):
        try:
            piece, directed = _as_piece(source, types, edge_types, left_out)
            if targets and hasattr(source, "edge_index"):
                piece = replace(piece, y=_target_of_data(source, piece.num_nodes))
        except GraphError as error:
            raise GraphError(f"graph number {number}: {error}") from error
        pieces.append(piece)
        # A graph of PyG without edges is as directed as the others are.
        directions += [] if directed is None else [directed]
    if left_out:
        listed = ", ".join(map(repr, sorted(left_out)))
        warn(
            f"edges have the attributes {listed}, which are left out: if one is the type of an "
            f"edge, name it by edge_types="
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


def _as_piece(
    source: Any, types: str | None, edge_types: str | None, left_out: set[str]
) -> tuple[Piece, bool | None]:
    if hasattr(source, "edge_index"):
        return _of_pyg(source, types, edge_types)
    if hasattr(source, "vcount") and hasattr(source, "get_edgelist"):
        return _of_igraph(source, types, edge_types, left_out), source.is_directed()
    if hasattr(source, "adj") and hasattr(source, "is_directed") and hasattr(source, "nodes"):
        return _of_networkx(source, types, edge_types, left_out), source.is_directed()
    graph = as_graph(source)
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


def _of_networkx(
    source: Any, types: str | None, edge_types: str | None, left_out: set[str]
) -> Piece:
    number = {name: k for k, name in enumerate(source.nodes)}
    nodes = [source.nodes[name] for name in number]
    edges = list(source.edges(data=True))
    ends = np.array([(number[u], number[v]) for u, v, _ in edges], np.int64).reshape(-1, 2)
    return Piece(
        ends[:, 0], ends[:, 1], len(number),
        _attribute(nodes, types, NODE_TYPES, "node"), _vectors(nodes),
        _edge_types([data for _, _, data in edges], edge_types, left_out),
        _target(source.graph),
    )  # fmt: skip


def _of_igraph(source: Any, types: str | None, edge_types: str | None, left_out: set[str]) -> Piece:
    nodes = [vertex.attributes() for vertex in source.vs]
    ends = np.array(source.get_edgelist(), np.int64).reshape(-1, 2)
    return Piece(
        ends[:, 0], ends[:, 1], source.vcount(),
        _attribute(nodes, types, NODE_TYPES, "node"), _vectors(nodes),
        _edge_types([edge.attributes() for edge in source.es], edge_types, left_out),
        _target({name: source[name] for name in source.attributes()}),
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


def _edge_types(edges: list[Any], wanted: str | None, left_out: set[str]) -> list[Any] | None:
    """Return the types of edges, and note the attributes that are not theirs."""
    taken = EDGE_TYPES if wanted is None else (wanted,)
    left_out.update(str(name) for data in edges for name in data if name not in taken)
    return _attribute(edges, wanted, EDGE_TYPES, "edge")


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


# ------------------------------------------------------------------ PyTorch Geometric


def _of_pyg(data: Any, types: str | None, edge_types: str | None) -> tuple[Piece, bool | None]:
    if data.edge_index is None:
        raise GraphError("a Data object has no edge_index")
    ends = data.edge_index.detach().cpu().numpy().astype(np.int64)
    n = int(data.num_nodes)
    src, dst = ends
    kinds, x = _node_types(data, types, n)
    ties = edge_kinds(data, edge_types, src.size)
    one_way = ~np.isin(dst * n + src, src * n + dst)
    directed = None if not src.size else bool(one_way.any())
    return Piece(src, dst, n, kinds, x, ties), directed


def _target_of_data(data: Any, n: int) -> Any:
    """Return the target of one graph: a number, or zeros and ones of shape (1, labels)."""
    y = getattr(data, "y", None)
    if y is None or y.numel() == 0:
        return None
    if y.numel() == 1:
        return y.item()
    if y.ndim > 0 and y.shape[0] == n:
        raise GraphError(
            "data.y has a value for every node: a set of graphs learns one value per graph; "
            "pass y= with them"
        )
    flat = y.detach().cpu().numpy().reshape(-1)
    if not np.isin(flat, (0, 1)).all():
        raise GraphError(
            f"data.y has {flat.size} numbers, and one is learnt at a time: choose it by y=, such "
            f"as [data.y[0, 0].item() for data in graphs]"
        )
    return flat.tolist()


def _node_types(data: Any, wanted: str | None, n: int) -> tuple[Any, NDArray[Any] | None]:
    x = getattr(data, "x", None)
    values = None if x is None else x.detach().cpu().to_dense().numpy()
    if wanted is not None:
        given = getattr(data, wanted, None)
        if given is None:
            raise GraphError(f"a Data object has no {wanted!r}, which was to be the node types")
        kinds = np.asarray(given.detach().cpu().numpy()).reshape(n)
        return kinds, None if wanted == "x" else values
    z = getattr(data, "z", None)
    if z is not None:
        return z.detach().cpu().numpy().reshape(n), values
    if values is not None and values.dtype.kind in "iu" and values.reshape(n, -1).shape[1] == 1:
        return values.reshape(n), None
    return None, None if values is None else values.reshape(n, -1)
