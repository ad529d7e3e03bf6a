"""Tables beside a set of graphs: of its nodes, and of what is to be predicted of its graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.node_table import node_name, parse_labels
from grape_gnn.graph.typed import spelt_types
from grape_gnn.graphs.edge_table import NamedPieces, graph_column, names_in, read_columns
from grape_gnn.graphs.number_columns import number_columns
from grape_gnn.graphs.pieces import Piece
from grape_gnn.warn import remark

__all__ = ["read_targets", "with_nodes"]

_KINDS = ("type", "node_type", "atom", "element")


def with_nodes(
    found: NamedPieces,
    path: Path,
    *,
    graph: str | None = None,
    id: str | None = None,
    types: str | None = None,
    features: Sequence[str] | None = None,
) -> NamedPieces:
    """Give the nodes of graphs what a table says of them.

    Nodes and graphs that only the table has are added: nodes without edges.

    Parameters
    ----------
    found
        The graphs.
    path
        A node a row, in CSV, Parquet or Arrow.
    graph
        The column of graphs; None: ``graph``, ``graph_id``, ``molecule`` or ``mol_id``.
    id
        The column of the nodes' names; None: the first other one.
    types
        The column with the types of the nodes; None: ``type``, ``node_type``, ``atom`` or
        ``element`` if there is one.
    features
        The columns of numbers that are features; None: all others that are numbers.
    """
    table = read_columns(path)
    column = graph_column(table, graph)
    others = [name for name in table if name != column]
    if column is None or not others:
        raise GraphFileError(
            path,
            f"has the columns {', '.join(table)}: a table of the nodes of many graphs needs "
            f"{graph or 'graph'!r} and the names of the nodes",
        )
    for name in (id, types, *(features or ())):
        if name is not None and name not in table:
            raise GraphFileError(path, f"has no column {name!r}: it has {', '.join(table)}")
    key = id or others[0]
    kind = types or next((name for name in _KINDS if name in others and name != key), None)
    known = {node_name(name): k for k, name in enumerate(found.names)}
    names = list(found.names)
    nodes = [{name: k for k, name in enumerate(each)} for each in found.nodes]
    own, places = [], []
    seen: set[tuple[int, int]] = set()
    listed = zip(names_in(path, table, column), names_in(path, table, key), strict=True)
    for row, (graph_name, node) in enumerate(listed):
        g = known.setdefault(graph_name, len(known))
        if g == len(names):
            names.append(table[column][row : row + 1].tolist()[0])
            nodes.append({})
        place = (g, nodes[g].setdefault(node, len(nodes[g])))
        if place in seen:
            raise GraphFileError(path, f"node {node!r} of graph {graph_name!r} stands in two rows")
        seen.add(place)
        own.append(g)
        places.append(place[1])
    used = [name for name in others if name not in (key, kind)] if features is None else features
    matrix = number_columns(path, table, used, features is not None)
    kinds = None if kind is None else spelt_types(table[kind])
    none = np.empty(0, np.int64)
    pieces = [*found.pieces, *(Piece(none, none, 0) for _ in nodes[len(found.pieces) :])]
    owner, place_of = np.array(own, np.int64), np.array(places, np.int64)
    order = np.argsort(owner, kind="stable")
    cuts = np.searchsorted(owner[order], np.arange(len(nodes) + 1))
    for g, piece in enumerate(pieces):
        mine = order[cuts[g] : cuts[g + 1]]
        at = place_of[mine]
        filled: dict[str, Any] = {"num_nodes": len(nodes[g])}
        if kinds is not None:
            filled["types"] = [None] * len(nodes[g])
            for place, row in zip(at.tolist(), mine.tolist(), strict=True):
                filled["types"][place] = kinds[row]
        if matrix is not None:
            if at.size < len(nodes[g]):
                lost = sorted(set(range(len(nodes[g]))) - set(at.tolist()))[0]
                raise GraphFileError(
                    path, f"has no features of node {list(nodes[g])[lost]!r} of graph {names[g]!r}"
                )
            filled["x"] = np.empty((at.size, matrix.shape[1]))
            filled["x"][at] = matrix[mine]
        pieces[g] = replace(piece, **filled)
    return NamedPieces(names, pieces, [list(each) for each in nodes])


def read_targets(path: Path, names: Sequence[Any], label: str | None = None) -> list[Any]:
    """Read a table of targets: the name of a graph in the first column; None where it has no row.

    Parameters
    ----------
    path
        CSV with column names, Parquet or Arrow.
    names
        The graphs.
    label
        The column of targets; None: the only other one.
    """
    table = read_columns(path)
    first, *others = table
    if label is None and len(others) > 1:
        raise GraphFileError(
            path, f"has the columns {', '.join(table)}: say by label which one is to be predicted"
        )
    column = label or (others[0] if others else "target")
    if column not in others:
        raise GraphFileError(
            path, f"has the columns {', '.join(table)}: needs the graphs' names and {column!r}"
        )
    given = parse_labels(table[column])
    rows = names_in(path, table, first)
    known = dict(zip(rows, given, strict=True))
    if len(known) < len(rows):
        twice = Counter(rows).most_common(1)[0][0]
        raise GraphFileError(path, f"has two rows for the graph {twice!r}")
    found = [known.get(node_name(name)) for name in names]
    if names and all(value is None for value in found):
        raise GraphFileError(
            path, f"has a target for none of the graphs, which are called {names[0]!r} and so on"
        )
    unused = sorted(known.keys() - {node_name(name) for name in names}, key=str)
    if unused:
        graphs = f"{len(unused):,} graphs" if len(unused) > 1 else "a graph"
        remark(
            f"{path}: left out the targets of {graphs} that the set lacks, such as {unused[0]!r}"
        )
    return found
