"""Our own file: an uncompressed ``.npz`` that can be mapped into memory.

Every member is a plain ``.npy`` array, so ``numpy.load(path)`` reads it too, without pickle:

========================  ==========================================================
``format``, ``version``   ``"grape-graph"`` and 1
``directed``              bool
``indptr``, ``indices``   sorted rows, as in :class:`Graph`
``in_indptr, in_indices`` the same for in-arcs; directed graphs only
``x``                     float32 features, if there are any; a sparse matrix instead as
                          ``x_data``, ``x_indices``, ``x_indptr`` and ``x_width``
``y``                     int64 label codes, a matrix of zeros and ones for several labels,
                          or float64 numbers; if there are any
``splits``                int8, a column per split: 0 in no part, 1 training, 2 validation,
                          3 test; if there are any
``names``                 int64 names, or for texts ``names_utf8`` (all letters in a row)
                          and ``names_ends`` (where each ends); absent when 0..n-1
``label_names``           likewise
``types``, ``edge_types`` int64 codes, one per node, and one per entry of the rows; -1 is missing;
                          ``type_names`` and ``edge_type_names`` what they are called; if any
``columns``               names of the columns of a node table, ``column_kinds`` theirs; the values
                          of the first are ``column_0``, float64, or texts, empty where missing
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
from grape_gnn.files.array_file import (
    pack_names,
    page_dropper,
    read_arrays,
    unpack_names,
    write_arrays,
)
from grape_gnn.files.texts import Texts
from grape_gnn.graph.attributes import Names, refuse_repeated
from grape_gnn.graph.check_rows import check_reverse, check_row_ends, check_rows
from grape_gnn.graph.columns import KINDS, Column
from grape_gnn.graph.feature_matrix import feature_members, read_features
from grape_gnn.graph.given_splits import codes_of, splits_of
from grape_gnn.graph.graph import Graph

__all__ = ["assemble_graph", "column_members", "graph_members", "read_npz", "write_npz"]

VERSION = 1


def write_npz(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write `graph`; a reader sees the old file or the complete new one."""
    if Path(path).suffix != ".npz":
        raise GraphError(f"cannot save to {path}: the name must end in .npz or .grape")
    write_arrays(path, "graph", VERSION, graph_members(graph))


def graph_members(graph: Graph) -> dict[str, Any]:
    """Return the arrays that make up a graph, as the file names them."""
    members: dict[str, Any] = {
        "directed": np.array(graph.directed),
        "indptr": graph.indptr,
        "indices": graph.indices,
    }
    if graph.directed:
        members |= {"in_indptr": graph.in_indptr, "in_indices": graph.in_indices}
    if graph.x is not None:
        members |= feature_members(graph.x)
    if graph.y is not None:
        members["y"] = graph.y
    if graph.splits:
        members["splits"] = codes_of(graph.splits)
    for key, codes in (("types", graph.types), ("edge_types", graph.edge_types)):
        if codes is not None:
            members[key] = codes
    for key, names in (
        ("names", graph.names),
        ("label_names", graph.label_names),
        ("type_names", graph.type_names),
        ("edge_type_names", graph.edge_type_names),
    ):
        if names is not None:
            members |= pack_names(key, names)
    if graph.columns is not None:
        members |= pack_names("columns", [column.name for column in graph.columns])
        members |= pack_names("column_kinds", [column.kind for column in graph.columns])
    for k, column in enumerate(graph.columns or ()):
        members |= column_members(k, column)
    return members


def column_members(k: int, column: Column) -> dict[str, Any]:
    """Return the arrays of column number `k` of a node table."""
    if column.values.dtype == np.float64:
        return {f"column_{k}": column.values}
    return pack_names(f"column_{k}", [text or "" for text in column.values])


def read_npz(path: Path, *, mmap: bool = False) -> Graph:
    """Read a graph written by :func:`write_npz`.

    With `mmap`, the arrays stay in the file and are paged in when used; do not overwrite the
    file in place while the graph is in use (:meth:`Graph.save` does not). Opening still reads
    the rows, labels and names once, because what trusts them cannot check them, and gives their
    memory back. The features are not read, so neither their checksum nor that they are finite
    is checked; nor are the checksums of the other arrays, which are checked by what they say.
    """
    try:
        members = read_arrays(path, "graph", VERSION, mmap=mmap)
    except ValueError as error:
        raise GraphFileError(path, str(error)) from error
    try:
        return assemble_graph(members, mapped=mmap)
    except (KeyError, ValueError) as error:
        raise GraphFileError(path, f"has damaged contents: {error}") from error


def assemble_graph(
    members: Mapping[str, NDArray[Any]], *, mapped: bool = False, checked: bool = False
) -> Graph:
    """Build a graph from the arrays of a file, trusting none of them.

    Parameters
    ----------
    members
        The arrays by name.
    mapped
        Whether they are mapped: the features are not read then.
    checked
        Whether all this was done before, with these very arrays: nothing of them is read then.

    Raises
    ------
    KeyError, ValueError
        An array is missing or wrong.
    """
    flag = members["directed"]
    if flag.dtype != bool or flag.shape != ():
        raise GraphError(f"directed has dtype {flag.dtype} and shape {flag.shape}")
    directed = bool(flag)
    rows = members["indptr"], members["indices"]
    in_rows = (members["in_indptr"], members["in_indices"]) if directed else rows
    drop = page_dropper(*rows, *in_rows)
    for pair in {id(pair): pair for pair in (rows, in_rows)}.values():
        check_row_ends(*pair)
        if not checked:
            check_rows(*pair, drop)
    if not checked:
        check_reverse(rows, in_rows, drop)
    n = rows[0].size - 1
    label_names = unpack_names(members, "label_names")
    x = read_features(members, n, mapped=mapped, checked=checked)
    y, names = members.get("y"), _read_names(members, checked)
    if label_names is not None and len(set(label_names)) != len(label_names):
        raise GraphError("label_names must be distinct")
    if y is not None and not checked:
        _check_labels(y, label_names, n)
    splits = members.get("splits")
    if (
        splits is not None
        and not checked
        and (
            splits.dtype != np.int8
            or splits.ndim != 2
            or len(splits) != n
            or (splits.size and not 0 <= splits.min() <= splits.max() <= 3)
        )
    ):
        raise GraphError(f"splits has dtype {splits.dtype} and shape {splits.shape}")
    if names is not None and len(names) != n:
        raise GraphError(f"{len(names)} names for {n} nodes")
    if isinstance(names, (np.ndarray, tuple)) and not checked:
        refuse_repeated(names)
    types, type_names = _read_types(members, "type", n, checked)
    edge_types, edge_type_names = _read_types(members, "edge_type", rows[1].size, checked)
    if edge_types is not None and not directed and not checked:
        _check_symmetric(rows[1], edge_types)
    drop()
    return Graph(
        directed,
        *rows,
        *in_rows,
        x=x,
        y=y,
        label_names=None if y is None or label_names is None else _plain(label_names),
        names=names,
        columns=_read_columns(members, n),
        splits=() if splits is None else splits_of(splits),
        types=types,
        type_names=type_names,
        edge_types=edge_types,
        edge_type_names=edge_type_names,
    )


def _read_types(
    members: Mapping[str, NDArray[Any]], what: str, count: int, checked: bool
) -> tuple[NDArray[np.int64] | None, tuple[Any, ...] | None]:
    codes, names = members.get(f"{what}s"), unpack_names(members, f"{what}_names")
    if codes is None or names is None:
        return None, None
    if len(set(names)) != len(names):
        raise GraphError(f"{what}_names must be distinct")
    if codes.dtype != np.int64 or codes.shape != (count,):
        raise GraphError(f"{what}s has dtype {codes.dtype} and shape {codes.shape}")
    if not checked and codes.size and not -1 <= codes.min() <= codes.max() < len(names):
        raise GraphError(f"{what}s does not point into {what}_names")
    return codes, _plain(names)


def _check_symmetric(indices: NDArray[np.int32], types: NDArray[np.int64]) -> None:
    # Sorted by column, the entries are the transposed rows, which are the rows again.
    if (types[np.argsort(indices, kind="stable")] != types).any():
        raise GraphError("edge_types has two types for an undirected edge")


def _read_names(members: Mapping[str, NDArray[Any]], checked: bool) -> Names | None:
    if "names_order" not in members:
        return unpack_names(members, "names")
    texts = Texts(*(members[f"names_{part}"] for part in ("utf8", "ends", "order")))
    if not checked:
        texts.check()
    return texts


def _read_columns(members: Mapping[str, NDArray[Any]], n: int) -> tuple[Column, ...] | None:
    names, kinds = (unpack_names(members, key) for key in ("columns", "column_kinds"))
    if names is None or kinds is None:
        return None
    found = []
    for k, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        values = members.get(f"column_{k}")
        if values is None:
            texts = unpack_names(members, f"column_{k}")
            values = np.empty(0 if texts is None else len(texts), object)
            values[:] = [text or None for text in texts or ()]
        elif values.dtype != np.float64 and n > 0:
            raise GraphError(f"column_{k} has dtype {values.dtype}")
        if values.shape != (n,) or kind not in KINDS or not isinstance(name, str):
            raise GraphError(f"column_{k} does not have a value for every node, or no kind")
        found.append(Column(name, kind, values))
    return tuple(found)


def _check_labels(y: NDArray[Any], label_names: Any, n: int) -> None:
    if y.dtype == np.float64 and y.shape == (n,) and label_names is None:
        if np.isinf(y).any():
            raise GraphError("y has numbers that are not finite")
        return
    matrix = y.ndim == 2
    shape = (n, len(label_names)) if matrix and label_names is not None else (n,)
    if (
        y.dtype != np.int64
        or y.shape != shape
        or label_names is None
        or (y.size and not -1 <= y.min() <= y.max() < (2 if matrix else len(label_names)))
    ):
        raise GraphError("y does not point into label_names")


def _plain(names: NDArray[np.int64] | tuple[str, ...]) -> tuple[Any, ...]:
    return names if isinstance(names, tuple) else tuple(names.tolist())
