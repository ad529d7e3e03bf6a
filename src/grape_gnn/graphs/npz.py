"""A set of graphs as a file of plain arrays: the union's members, as in the file of a graph.

========================  ==========================================================
``format``, ``version``   ``"grape-graphs"`` and 1
``ptr``                   int64, the first node of every graph, and the number of nodes
``targets``               as ``y`` of a graph, one per graph; ``target_names`` the classes
``graph_names``           what the graphs are called
``edge_features``         float32, a row for every entry of the rows, if there are any;
                          ``edge_feature_names`` the attributes they come from
========================  ==========================================================
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files.array_file import pack_names, read_arrays, unpack_names, write_arrays
from grape_gnn.graph.npz import assemble_graph, graph_members
from grape_gnn.graphs.edge_features import EdgeFeatures
from grape_gnn.graphs.graph_set import GraphSet

__all__ = ["assemble_set", "read_npz", "set_members", "write_graphs"]

VERSION = 1


def write_graphs(graphs: GraphSet, path: str | os.PathLike[str]) -> None:
    """Write a set; a reader sees the old file or the complete new one."""
    if Path(path).suffix != ".npz":
        raise GraphError(f"cannot save to {path}: the name must end in .npz")
    write_arrays(path, "graphs", VERSION, {**graph_members(graphs.union), **set_members(graphs)})


def set_members(graphs: GraphSet) -> dict[str, Any]:
    """Return what a set has besides its union."""
    members: dict[str, Any] = {"ptr": graphs.ptr}
    if graphs.y is not None:
        members["targets"] = graphs.y
    for key, names in (("target_names", graphs.label_names), ("graph_names", graphs.names)):
        if names is not None:
            members |= pack_names(key, names)
    if graphs.edge_features is not None:
        members["edge_features"] = graphs.edge_features.values
        members |= pack_names("edge_feature_names", graphs.edge_features.names)
    return members


def read_npz(path: Path) -> GraphSet:
    """Read what `write_graphs` wrote."""
    try:
        members = read_arrays(path, "graphs", VERSION, mmap=False)
    except ValueError as error:
        raise GraphFileError(path, str(error)) from error
    try:
        return assemble_set(members)
    except (KeyError, ValueError) as error:
        raise GraphFileError(path, f"has damaged contents: {error}") from error


def assemble_set(members: Mapping[str, NDArray[Any]]) -> GraphSet:
    """Build a set from the arrays of a file, trusting none of them."""
    union, ptr = assemble_graph(members), members["ptr"]
    if ptr.dtype != np.int64 or ptr.ndim != 1 or ptr.size < 1:
        raise GraphError(f"ptr has dtype {ptr.dtype} and shape {ptr.shape}")
    if ptr[0] != 0 or ptr[-1] != union.num_nodes or (np.diff(ptr) < 0).any():
        raise GraphError("ptr does not divide the nodes")
    owner = np.repeat(np.arange(ptr.size - 1), np.diff(ptr))
    if (np.repeat(owner, union.degrees) != owner[union.indices]).any():
        raise GraphError("an edge leads from one graph to another")
    classes = _plain(members, "target_names")
    found, y = unpack_names(members, "graph_names"), members.get("targets")
    if found is not None and len(found) != ptr.size - 1:
        raise GraphError(f"{len(found)} names for {ptr.size - 1} graphs")
    if y is not None:
        _check_targets(y, classes, ptr.size - 1)
    numbers = _edge_features(members, union.indices.size)
    return GraphSet(union, ptr, y, classes, found, numbers)


def _edge_features(members: Mapping[str, NDArray[Any]], entries: int) -> EdgeFeatures | None:
    values, names = members.get("edge_features"), _plain(members, "edge_feature_names")
    if values is None or names is None:
        return None
    if values.dtype != np.float32 or values.ndim != 2 or len(values) != entries:
        raise GraphError(f"edge_features has dtype {values.dtype} and shape {values.shape}")
    if not np.isfinite(values).all() or not all(isinstance(name, str) for name in names):
        raise GraphError("edge_features has numbers that are not finite, or no names")
    return EdgeFeatures(names, values)


def _plain(members: Mapping[str, NDArray[Any]], key: str) -> tuple[Any, ...] | None:
    found = unpack_names(members, key)
    return tuple(found.tolist()) if isinstance(found, np.ndarray) else found


def _check_targets(y: NDArray[Any], names: tuple[Any, ...] | None, count: int) -> None:
    if y.dtype == np.float64 and y.shape == (count,) and names is None and not np.isinf(y).any():
        return
    known = len(names or ())
    shape = (count,) if y.ndim == 1 else (count, known)
    most = known if y.ndim == 1 else 2
    if y.dtype != np.int64 or y.shape != shape or (y.size and not -1 <= y.min() <= y.max() < most):
        raise GraphError(f"targets has dtype {y.dtype} and shape {y.shape}, or codes without names")
