"""Tables of edges with a column that says of which graph an edge is; folders of edge lists."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graph import read_graph
from grape_gnn.graph.arrow_file import ARROW_SUFFIXES, read_arrow_columns
from grape_gnn.graph.attributes import Label, as_objects
from grape_gnn.graph.targets import parse_cells
from grape_gnn.graphs.pieces import Piece

__all__ = ["EDGE_LISTS", "read_edge_lists", "read_edge_table", "read_targets"]

EDGE_LISTS = (".csv", ".tsv", ".txt", ".edges", ".edgelist", ".el")
_ENDS = (("source", "target"), ("src", "dst"), ("from", "to"), ("u", "v"))
_GRAPHS = ("graph", "graph_id", "molecule", "mol_id")
_KINDS = ("type", "edge_type", "bond", "bond_type")


def read_edge_table(path: Path, graph: str | None = None) -> tuple[list[Piece], list[Label]]:
    """Read edges of many graphs from Parquet, Arrow or CSV.

    Parameters
    ----------
    path
        A table with two columns of node names (``source`` and ``target``, ``src`` and ``dst``,
        ``from`` and ``to``, or ``u`` and ``v``) and one of graphs. A column ``type`` or ``bond``
        gives the types of the edges. Names of nodes are names within their graph.
    graph
        The column of graphs; None: ``graph``, ``graph_id``, ``molecule`` or ``mol_id``.

    Returns
    -------
    tuple
        The graphs and their names, both in order of first appearance.
    """
    table = read_arrow_columns(path) if path.suffix in ARROW_SUFFIXES else _read_csv(path)
    column = _column(table, (graph,) if graph else _GRAPHS)
    ends = next((pair for pair in _ENDS if all(end in table for end in pair)), None)
    if column is None or ends is None:
        raise GraphFileError(
            path,
            f"has the columns {', '.join(table)}: a table of many graphs needs 'source', 'target' "
            f"and {graph or 'graph'!r}",
        )
    names, owner = _numbered(table[column])
    kind = _column(table, _KINDS)
    order = np.argsort(owner, kind="stable")
    cuts = np.searchsorted(owner[order], np.arange(len(names) + 1))
    pieces = []
    for k in range(len(names)):
        rows = order[cuts[k] : cuts[k + 1]]
        both = np.concatenate([table[end][rows] for end in ends])
        nodes, number = _numbered(both)
        types = None if kind is None else table[kind][rows]
        pieces.append(Piece(number[: rows.size], number[rows.size :], len(nodes), edge_types=types))
    return pieces, names


def read_edge_lists(folder: Path) -> tuple[list[Piece], list[str]]:
    """Read a folder of edge lists, one graph a file, in the order of their names."""
    files = sorted(file for file in folder.iterdir() if file.suffix in EDGE_LISTS)
    if not files:
        raise GraphFileError(
            folder, f"holds neither NAME_A.txt (TU format) nor edge lists ({', '.join(EDGE_LISTS)})"
        )
    pieces = []
    for file in files:
        found = read_graph(file)
        tails, heads = found.edge_array().T
        pieces.append(Piece(tails, heads, found.num_nodes))
    return pieces, [file.stem for file in files]


def read_targets(path: Path, names: list[Any], label: str | None = None) -> list[Any]:
    """Read a table of targets: the name of a graph in the first column; None where it has no row.

    Parameters
    ----------
    path
        CSV with column names, Parquet or Arrow.
    names
        The graphs.
    label
        The column of targets; None: the last.
    """
    table = read_arrow_columns(path) if path.suffix in ARROW_SUFFIXES else _read_csv(path)
    first, last = next(iter(table)), list(table)[-1]
    column = last if label is None else label
    if column not in table or len(table) < 2:
        raise GraphFileError(
            path, f"has the columns {', '.join(table)}: needs the graphs' names and {column!r}"
        )
    given = table[column].tolist()
    if all(value is None or isinstance(value, str) for value in given):
        given = parse_cells([value or "" for value in given])
    known = {str(name): value for name, value in zip(table[first].tolist(), given, strict=True)}
    found = [known.get(str(name)) for name in names]
    if names and all(value is None for value in found):
        raise GraphFileError(
            path, f"has a target for none of the graphs, which are called {names[0]!r} and so on"
        )
    return found


def _column(table: dict[str, NDArray[Any]], wanted: tuple[str, ...]) -> str | None:
    return next((name for name in wanted if name in table), None)


def _numbered(values: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Give values numbers in order of first appearance."""
    number: dict[Any, int] = {}
    codes = [number.setdefault(value, len(number)) for value in values.tolist()]
    return list(number), np.array(codes, np.int64)


def _read_csv(path: Path) -> dict[str, NDArray[Any]]:
    try:
        content = read_text(path)
        dialect = csv.Sniffer().sniff(content[: content.find("\n")], ",;\t") if content else "excel"
        header, *rows = list(csv.reader(io.StringIO(content), dialect)) or [[]]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable table: {reason}") from error
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise GraphFileError(path, f"has {len(row)} cells, and needs {len(header)}", number)
    return {
        name.strip(): as_objects([row[k].strip() for row in rows]) for k, name in enumerate(header)
    }
