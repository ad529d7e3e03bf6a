"""Tables of edges with a column that says of which graph an edge is; folders of edge lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph import read_graph
from grape_gnn.graph.arrow_file import read_arrow_columns
from grape_gnn.graph.attributes import Label, as_objects
from grape_gnn.graph.edge_columns import find_edge_columns
from grape_gnn.graph.node_table import node_name, read_cells
from grape_gnn.graph.table_parts import ARROW_SUFFIXES, is_arrow_table
from grape_gnn.graph.typed import spelt_types, types_of_edges
from grape_gnn.graphs.edge_features import EdgeFeatures
from grape_gnn.graphs.number_columns import number_columns
from grape_gnn.graphs.pieces import Piece
from grape_gnn.warn import held, warn

__all__ = [
    "EDGE_LISTS",
    "NamedPieces",
    "graph_column",
    "names_in",
    "read_columns",
    "read_edge_lists",
    "read_edge_table",
]

EDGE_LISTS = (".csv", ".tsv", ".txt", ".edges", ".edgelist", ".el", *ARROW_SUFFIXES)
_GRAPHS = ("graph", "graph_id", "molecule", "mol_id")
_KINDS = ("type", "edge_type", "bond", "bond_type")


class NamedPieces(NamedTuple):
    """Graphs whose nodes have names: what every graph is called, and its nodes by number."""

    names: list[Label]
    pieces: list[Piece]
    nodes: list[list[str]]


def read_edge_table(
    path: Path,
    *,
    graph: str | None = None,
    source: str | None = None,
    target: str | None = None,
    edge_types: str | None = None,
    edge_features: Sequence[str] = (),
) -> NamedPieces:
    """Read edges of many graphs from Parquet, Arrow or CSV.

    Parameters
    ----------
    path
        A table with a column of graphs and two of node names, which are names within their graph.
    graph
        The column of graphs; None: ``graph``, ``graph_id``, ``molecule`` or ``mol_id``.
    source, target
        The columns of the two ends; None: typical names, as for `grape_gnn.read_graph`.
    edge_types
        The column with the types of the edges; None: ``type``, ``edge_type``, ``bond`` or
        ``bond_type`` if there is one.
    edge_features
        The columns with numbers of the edges.

    Returns
    -------
    NamedPieces
        The graphs in order of first appearance.
    """
    table = read_columns(path)
    column = graph_column(table, graph)
    unknown = [name for name in edge_features if name not in table or name == column]
    if unknown:
        raise GraphFileError(
            path, f"has no column {unknown[0]!r} of edge features: it has {', '.join(table)}"
        )
    others = [name for name in table if name not in (column, *edge_features)]
    if column is None:
        raise GraphFileError(
            path,
            f"has the columns {', '.join(table)}: a table of many graphs needs 'source', 'target' "
            f"and {graph or 'graph'!r}",
        )
    usual = next((name for name in _KINDS if name in others), None)
    try:
        at = find_edge_columns(others, ",", source, target, None, edge_types or usual)
    except GraphError as error:
        raise GraphFileError(path, str(error)) from None
    unused = [n for k, n in enumerate(others) if k not in (at.source, at.target, at.kind)]
    if unused:
        said = at.note or f"ignored {', '.join(map(repr, unused))}"
        warn(f"{path}: {said}; edge_features= (--edge-features) names numbers to learn from")
    else:
        at.say(f"{path}: ")
    names, owner = _numbered(table[column], path, column)
    nodes: list[dict[str, int]] = [{} for _ in names]
    ends = [names_in(path, table, others[k]) for k in (at.source, at.target)]
    rows = zip(owner.tolist(), *ends, strict=True)
    pairs = [(_place(nodes[g], u), _place(nodes[g], v)) for g, u, v in rows]
    numbers = np.array(pairs, np.int64).reshape(-1, 2)
    kinds = None if at.kind < 0 else as_objects(spelt_types(table[others[at.kind]]))
    matrix = number_columns(path, table, edge_features, True)
    order = np.argsort(owner, kind="stable")
    cuts = np.searchsorted(owner[order], np.arange(len(names) + 1))
    pieces = []
    for k, known in enumerate(nodes):
        mine = order[cuts[k] : cuts[k + 1]]
        types = None if kinds is None else kinds[mine]
        tails, heads = numbers[mine].T
        on_edges = None
        if matrix is not None:
            on_edges = EdgeFeatures.of(edge_features, matrix[mine].T, mine.size)
        pieces.append(Piece(tails, heads, len(known), edge_types=types, edge_features=on_edges))
    return NamedPieces(names, pieces, [list(known) for known in nodes])


def read_edge_lists(folder: Path, apart: Collection[Path | None], **reading: Any) -> NamedPieces:
    """Read a folder of edge lists, one graph a file, in the order of their names.

    Parameters
    ----------
    folder
        The folder.
    apart
        Files in it that are no graphs: tables of nodes and targets.
    **reading
        Of `grape_gnn.read_graph`: ``directed``, ``source``, ``target``, ``edge_types``.
    """
    other = {file.absolute() for file in apart if file is not None}
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in EDGE_LISTS)
    files = [file for file in files if file.absolute() not in other]
    if not files:
        raise GraphFileError(
            folder, f"holds neither NAME_A.txt (TU format) nor edge lists ({', '.join(EDGE_LISTS)})"
        )
    pieces, nodes = [], []
    with held() as said:
        for file in files:
            found = read_graph(file, **reading)
            tails, heads = found.edge_array().T
            ties = types_of_edges(found)
            pieces.append(Piece(tails, heads, found.num_nodes, edge_types=ties))
            nodes.append([str(found.name_of(v)) for v in range(found.num_nodes)])
    if said:
        more = f" (and likewise {len(said) - 1:,} more files)" if len(said) > 1 else ""
        warn(f"{said[0]}{more}")
    return NamedPieces([file.stem for file in files], pieces, nodes)


def read_columns(path: Path) -> dict[str, Any]:
    """Read a table, whatever its format: its columns by name."""
    if is_arrow_table(path):
        return read_arrow_columns(path)
    return {name: as_objects(cells) for name, cells in read_cells(path)[0].items()}


def graph_column(table: Collection[str], wanted: str | None) -> str | None:
    """Return the column that says of which graph a row is."""
    return next((name for name in ((wanted,) if wanted else _GRAPHS) if name in table), None)


def names_in(path: Path, table: dict[str, Any], column: str) -> list[str]:
    """Return the names in a column as texts; refuse gaps."""
    names = [node_name(value) for value in table[column].tolist()]
    if not all(names):
        raise GraphFileError(path, f"the column {column!r} is empty in row {names.index('') + 1}")
    return names


def _place(known: dict[str, int], name: str) -> int:
    return known.setdefault(name, len(known))


def _numbered(
    values: NDArray[Any], path: Path, column: str
) -> tuple[list[Label], NDArray[np.int64]]:
    """Give names of graphs numbers in order of first appearance."""
    given = names_in(path, {column: values}, column)
    number: dict[str, int] = {}
    codes = [_place(number, name) for name in given]
    first = dict(zip(reversed(given), reversed(values.tolist()), strict=True))
    return [first[name] for name in number], np.array(codes, np.int64)
