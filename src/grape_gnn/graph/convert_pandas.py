"""Graphs from tables of edges and nodes: pandas and polars data frames, Arrow tables and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.arrow_file import read_arrow_columns, row_place
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.edge_columns import find_edge_columns
from grape_gnn.graph.frames import frame_columns
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.named_edges import NamedEdges, compact, with_table
from grape_gnn.graph.node_table import (
    ColumnChoice,
    key_column,
    node_name,
    read_node_table,
    table_of_columns,
)
from grape_gnn.graph.table_parts import refuse_folder_columns
from grape_gnn.graph.typed import spelt_types
from grape_gnn.warn import remark, warn

__all__ = ["Place", "from_pandas", "names_of", "places_among", "read_arrow", "weights_of"]

Place = Callable[[int], str]  # what messages call a row
_ROW: Place = "row {}".format
_LARGEST = np.iinfo(np.int64).max


def from_pandas(
    edges: Any,
    nodes: Any = None,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    directed: bool = False,
    strict: bool = False,
    task: str | None = None,
    edge_types: str | None = None,
    **columns: Any,
) -> Graph:
    """Build a graph from data frames; see :meth:`Graph.from_pandas`."""
    cells = frame_columns(edges, index=False)
    source, target, weight, edge_types = (
        None if name is None else str(name) for name in (source, target, weight, edge_types)
    )
    named = edges_of_columns(cells, source, target, weight, edge_types)
    if nodes is None:
        if columns:
            raise GraphError(f"{next(iter(columns))}= needs a table of nodes: pass nodes= as well")
        return named.graph(directed, strict)
    cells = frame_columns(nodes)
    for name in ("label", "id", "types"):  # columns may be called by numbers
        if columns.get(name) is not None:
            columns[name] = str(columns[name])
    if columns.get("id") is None and key_column(cells, named.known) is None:
        cells = {**_index_of(nodes, named), **cells}
    table = table_of_columns(cells, ColumnChoice(**columns), named.known)
    return with_table(named, table, directed, strict, task)


def _index_of(nodes: Any, edges: NamedEdges) -> dict[str, NDArray[Any]]:
    """Return the index of a pandas frame as a column, if it has names of nodes that have edges."""
    index: Any = getattr(nodes, "index", None)
    if getattr(index, "nlevels", 0) != 1 or edges.known.isdisjoint(map(node_name, index)):
        return {}
    warn("took the index of the node table for the names of the nodes, which no column has")
    return {"(index)": np.asarray(index)}


def read_arrow(
    path: Path,
    *,
    directed: bool = False,
    strict: bool = False,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    edge_types: str | None = None,
    nodes: Path | None = None,
    task: str | None = None,
    **columns: Any,
) -> Graph:
    """Read a Parquet or Arrow table of edges and, if given, a table of its nodes."""
    cells = read_arrow_columns(path)
    said = (source, target, weight, edge_types)
    refuse_folder_columns(path, said, cells)
    named = edges_of_columns(cells, *said, f"{path}: ", partial(row_place, path))
    if nodes is None:
        return named.graph(directed, strict)
    table = read_node_table(nodes, ColumnChoice(**columns), named.known)
    return with_table(named, table, directed, strict, task)


def edges_of_columns(
    cells: Mapping[str, NDArray[Any]],
    source: str | None,
    target: str | None,
    weight: str | None,
    edge_types: str | None = None,
    where: str = "",
    place: Place = _ROW,
) -> NamedEdges:
    """Make edges of a table: the columns of the two ends are found by name, as in edge lists."""
    names = list(cells)
    try:
        at = find_edge_columns(names, ",", source, target, weight, edge_types)
    except GraphError as error:
        raise GraphError(f"the table of edges: {error}" if not where else str(error)) from None
    at.say(where)
    ends = [cells[names[k]] for k in (at.source, at.target)]
    kinds = None if at.kind < 0 else as_objects(spelt_types(cells[names[at.kind]]))
    if at.weight >= 0:
        kept = weights_of(cells[names[at.weight]], names[at.weight])
        remark(f"{where}left out {int((~kept).sum()):,} edges of weight 0; all others count alike")
        ends = [end[kept] for end in ends]
        kinds = None if kinds is None else kinds[kept]
        place = places_among(kept, place)
    columns = (names[at.source], names[at.target])
    texts = [names_of(end, column, place) for end, column in zip(ends, columns, strict=True)]
    if all(values.dtype == np.int64 for values in texts):
        return replace(compact(*texts), edge_types=kinds)
    number: dict[str, int] = {}
    # Both ends of an edge before those of the next: the order in which a reader meets the names.
    pairs = zip(*(map(str, values.tolist()) for values in texts), strict=True)
    ids = [(number.setdefault(u, len(number)), number.setdefault(v, len(number))) for u, v in pairs]
    src, dst = np.array(ids, np.int64).reshape(-1, 2).T
    return NamedEdges(src, dst, len(number), tuple(number), kinds)


def weights_of(values: NDArray[Any], column: str) -> NDArray[np.bool_]:
    """Return which weights are not 0; refuse gaps."""
    if values.dtype.kind not in "biuf" or np.isnan(values.astype(np.float64)).any():
        raise GraphError(f"the weights in {column!r} must be numbers without gaps")
    kept: NDArray[np.bool_] = values != 0
    return kept


def places_among(kept: NDArray[np.bool_], place: Place) -> Place:
    """Return what to call rows of which only some were kept."""
    return lambda row: place(int(np.flatnonzero(kept)[row]))


def names_of(values: NDArray[Any], column: str, place: Place = _ROW) -> NDArray[Any]:
    """Return names as int64, or as texts; refuse gaps."""
    if values.dtype.kind == "f":
        whole = np.isfinite(values) & (values == np.floor(values))
        _refuse(values, ~whole, column, "is not a node name", place)
        # Beyond this, two numbers may have become one when they were made floats.
        exact = 2.0 ** (np.finfo(values.dtype).nmant + 1)
        inexact = f"is rounded, as {values.dtype} it is; give whole numbers, or texts"
        _refuse(values, np.abs(values) > exact, column, inexact, place)
        values = values.astype(np.int64)
    if values.dtype.kind in "iu":
        _refuse(values, values < 0, column, "is negative; ids must be 0 or more, or texts", place)
        large = values > _LARGEST
        _refuse(values, large, column, "is too large; ids must be below 2^63, or texts", place)
        return values.astype(np.int64)
    several = [isinstance(value, list | dict | set | np.ndarray) for value in values.tolist()]
    _refuse(values, np.array(several, bool), column, "is not one node name", place)
    gaps = np.array([value is None or value == "" for value in values.tolist()], bool)
    _refuse(values, gaps, column, "is not a node name", place)
    if values.size and all(type(value) is int and 0 <= value <= _LARGEST for value in values):
        return values.astype(np.int64)
    return values


def _refuse(
    values: NDArray[Any], bad: NDArray[np.bool_], column: str, why: str, place: Place
) -> None:
    if bad.any():
        row = int(np.argmax(bad))
        value = values[row : row + 1].tolist()[0]  # as Python writes it
        raise GraphError(f"{place(row)} of the column {column!r}: {value!r} {why}")
