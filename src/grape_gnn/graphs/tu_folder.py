"""A folder in the format of the TU Dortmund collection: ``NAME_A.txt`` and its companions.

=============================  ======================================================
``NAME_A.txt``                 an arc a line, ``u, v``; nodes of all graphs are numbered from 1
``NAME_graph_indicator.txt``   the graph of every node, from 1, in ascending order
``NAME_graph_labels.txt``      a class or number per graph; else ``NAME_graph_attributes.txt``
``NAME_node_labels.txt``       a type per node; ``NAME_node_attributes.txt`` its features
``NAME_edge_labels.txt``       a type per line of ``NAME_A.txt``; ``NAME_edge_attributes.txt`` its
                               features
=============================  ======================================================
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graphs.edge_features import EdgeFeatures
from grape_gnn.graphs.pieces import Piece

__all__ = ["is_tu_folder", "read_tu_folder"]


def is_tu_folder(path: Path) -> bool:
    """Tell whether a folder holds a file of arcs by the name that the format gives it."""
    return path.is_dir() and len(list(path.glob("*_A.txt"))) == 1


def read_tu_folder(path: Path) -> list[Piece]:
    """Read all graphs of a folder."""
    arcs_file = next(path.glob("*_A.txt"))
    name = arcs_file.name.removesuffix("_A.txt")
    arcs = _numbers(arcs_file, np.int64, 2) - 1
    graph = _numbers(path / f"{name}_graph_indicator.txt", np.int64, 1)[:, 0] - 1
    n = graph.size
    if n and (graph[0] != 0 or (np.diff(graph) < 0).any()):
        raise GraphFileError(
            path / f"{name}_graph_indicator.txt", "must give the graphs of the nodes in order"
        )
    count = int(graph[-1]) + 1 if n else 0
    if arcs.size and not 0 <= arcs.min() <= arcs.max() < n:
        raise GraphFileError(arcs_file, f"names a node that is none of the {n}")
    if arcs.size and (graph[arcs[:, 0]] != graph[arcs[:, 1]]).any():
        raise GraphFileError(arcs_file, "has an edge from one graph to another")
    types = _optional(path / f"{name}_node_labels.txt", np.int64, n)
    x = _optional(path / f"{name}_node_attributes.txt", np.float64, n)
    kinds = _optional(path / f"{name}_edge_labels.txt", np.int64, len(arcs))
    try:
        y = _optional(path / f"{name}_graph_labels.txt", np.int64, count)
    except GraphFileError:  # numbers to predict, in the file of classes
        y = _optional(path / f"{name}_graph_labels.txt", np.float64, count)
    if y is None:
        y = _optional(path / f"{name}_graph_attributes.txt", np.float64, count)
    numbers = _optional(path / f"{name}_edge_attributes.txt", np.float64, len(arcs))
    order = np.argsort(graph[arcs[:, 0]], kind="stable") if len(arcs) else np.empty(0, np.int64)
    arcs = arcs[order]
    ptr = np.searchsorted(graph, np.arange(count + 1))
    cuts = np.searchsorted(graph[arcs[:, 0]], np.arange(count + 1))
    pieces = []
    for k in range(count):
        nodes, edges = slice(ptr[k], ptr[k + 1]), slice(cuts[k], cuts[k + 1])
        piece = Piece(
            arcs[edges, 0] - ptr[k], arcs[edges, 1] - ptr[k], int(ptr[k + 1] - ptr[k]),
            None if types is None else types[nodes, 0],
            None if x is None else x[nodes],
            None if kinds is None else kinds[order][edges, 0],
            None if y is None else _target(y[k]),
            None if numbers is None else _on_edges(path, numbers[order][edges]),
        )  # fmt: skip
        pieces.append(piece)
    return pieces


def _on_edges(path: Path, numbers: NDArray[Any]) -> EdgeFeatures:
    try:
        return EdgeFeatures.of(("edge_attr",), [numbers], len(numbers))  # as PyG calls them
    except GraphError as error:
        raise GraphFileError(path, str(error)) from error


def _target(row: NDArray[Any]) -> Any:
    # Classes such as -1 and 1 are names: among whole numbers -1 would mean a missing one.
    if row.dtype.kind == "i":
        return str(row[0])
    return row[0].item() if row.size == 1 else row.tolist()


def _optional(path: Path, dtype: Any, rows: int) -> NDArray[Any] | None:
    if not path.exists():
        return None
    found = _numbers(path, dtype, None)
    if len(found) != rows:
        raise GraphFileError(path, f"has {len(found)} lines, and needs {rows}")
    return found


def _numbers(path: Path, dtype: Any, columns: int | None) -> NDArray[Any]:
    """Read a table of numbers, separated by commas or blanks."""
    try:
        rows = [line.replace(",", " ").split() for line in read_text(path).splitlines()]
        rows = [row for row in rows if row]
        found = np.array(rows, dtype=np.float64 if dtype == np.float64 else object)
        if found.ndim != 2 and rows:
            raise ValueError("its lines have different numbers of columns")
        found = found.reshape(len(rows), -1).astype(dtype)
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a table of numbers: {reason}") from error
    if columns is not None and rows and found.shape[1] != columns:
        raise GraphFileError(path, f"has {found.shape[1]} columns, and needs {columns}")
    return found.reshape(-1, columns) if columns is not None else found
