"""From edge arrays to clean, sorted compressed rows: a simple graph, whatever came in.

Ego-AE sets are defined (paper, section 3) on simple graphs. Self-loops and repeated
edges are therefore dropped, and counted, before any engine sees the graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from grape_gnn.arguments import whole_number
from grape_gnn.errors import GraphError
from grape_gnn.warn import remark

__all__ = [
    "Rows",
    "as_node_ids",
    "build_rows",
    "infer_num_nodes",
    "refuse_isolated",
    "report_dropped",
]

MAX_NODES = 2**31 - 1

# An id this far beyond the number of edge ends is a database key, not a row number: taking it
# literally would allocate gigabytes of isolated nodes.
SPARSE_IDS = 10_000_000
SPARSE_RATIO = 100


@dataclass(frozen=True)
class Rows:
    """Sorted rows of the out-arcs and of the in-arcs (the same arrays when undirected)."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    in_indptr: NDArray[np.int64]
    in_indices: NDArray[np.int32]


def as_node_ids(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Check that `values` are whole, non-negative node numbers and return them as int64."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise GraphError(f"{what} must be a one-dimensional array of node ids: {error}") from error
    if array.ndim != 1:
        raise GraphError(
            f"{what} must be a one-dimensional array of node ids, got shape {array.shape}"
        )
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind == "f":
        whole = np.isfinite(array) & (array == np.floor(array))
        _refuse_first(array, ~whole, what, "is not an integer")
    elif array.dtype.kind == "O":
        whole = np.array([isinstance(v, (int, np.integer)) for v in array])
        _refuse_first(array, ~whole, what, "is not an integer")
    elif array.dtype.kind not in "iu":
        raise GraphError(
            f"{what} must hold integer node ids, got {array.dtype} such as {array[0]!r}; "
            "number the nodes 0..n-1 and pass their names with names="
        )
    _refuse_first(array, array < 0, what, "is negative")
    _refuse_first(array, array >= MAX_NODES, what, f"is too large: the limit is {MAX_NODES - 1:,}")
    return array.astype(np.int64)


def refuse_isolated(num_nodes: int, num_edges: int, remedy: str) -> None:
    """Refuse a graph of which nearly all nodes would be isolated: some number is no row number."""
    if num_nodes > SPARSE_IDS and num_nodes > SPARSE_RATIO * 2 * num_edges:
        raise GraphError(f"there would be {num_nodes:,} nodes for {num_edges:,} edges; {remedy}")


def infer_num_nodes(src: NDArray[np.int64], dst: NDArray[np.int64], num_nodes: int | None) -> int:
    """Return the number of nodes: the given one, checked against the ids, or the largest id + 1."""
    if num_nodes is not None:
        given = whole_number("num_nodes", num_nodes, 0, MAX_NODES, error=GraphError)
        for what, ids in (("src", src), ("dst", dst)):
            _refuse_first(ids, ids >= given, what, f"is out of range for num_nodes={given}")
        return given
    if src.size == 0:
        return 0
    largest = int(max(src.max(), dst.max()))
    refuse_isolated(
        largest + 1,
        src.size,
        f"the largest id is {largest:,}: number the nodes 0..n-1 and pass the ids with names=, or "
        "pass num_nodes= if this is meant",
    )
    return largest + 1


def build_rows(
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    num_nodes: int,
    *,
    directed: bool,
    strict: bool,
) -> Rows:
    """Sort checked edges into rows, dropping (or refusing) self-loops and repeated edges."""
    given = src.size
    proper = src != dst
    loops = given - int(np.count_nonzero(proper))
    if loops:
        src, dst = src[proper], dst[proper]
    if directed:
        keys = src * num_nodes + dst
    else:
        keys = np.minimum(src, dst) * num_nodes + np.maximum(src, dst)
    keys.sort()
    first = np.ones(keys.size, bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    repeats = keys.size - int(np.count_nonzero(first))
    if loops or repeats:
        report_dropped(loops, repeats, given, directed=directed, strict=strict)
        keys = keys[first]

    heads, tails = np.divmod(keys, max(num_nodes, 1))
    indptr = np.zeros(num_nodes + 1, np.int64)
    np.cumsum(np.bincount(heads, minlength=num_nodes), out=indptr[1:])
    indices = tails.astype(np.int32)
    in_indptr, in_indices = transpose(indptr, indices)
    if directed:
        return Rows(indptr, indices, in_indptr, in_indices)
    both = _join(in_indptr, in_indices, indptr, indices)
    return Rows(*both, *both)


def transpose(
    indptr: NDArray[np.int64], indices: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Reverse every arc; the rows come out sorted."""
    n = indptr.size - 1
    marks = np.ones(indices.size, np.int8)
    reverse = csr_array((marks, indices, indptr), shape=(n, n)).tocsc()
    return reverse.indptr.astype(np.int64), reverse.indices.astype(np.int32)


def _join(
    low_ptr: NDArray[np.int64],
    low: NDArray[np.int32],
    high_ptr: NDArray[np.int64],
    high: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    # Every neighbour in `low` is smaller than its row, every one in `high` larger: row by row,
    # writing low before high keeps the joined row sorted.
    indptr = low_ptr + high_ptr
    indices = np.empty(low.size + high.size, np.int32)
    indices[np.arange(low.size) + np.repeat(high_ptr[:-1], np.diff(low_ptr))] = low
    indices[np.arange(high.size) + np.repeat(low_ptr[1:], np.diff(high_ptr))] = high
    return indptr, indices


def report_dropped(loops: int, repeats: int, given: int, *, directed: bool, strict: bool) -> None:
    """Say what was dropped, or refuse it."""
    found = ((loops, "self-loop"), (repeats, "repeated edge"))
    words = [f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in found if count]
    counts = f"{' and '.join(words)} among {given:,} edges"
    if repeats and not directed:
        counts += " (u-v and v-u are the same edge in an undirected graph)"
    if strict:
        raise GraphError(f"the edge list has {counts}; remove them or pass strict=False")
    remark(f"dropped {counts}")


def _refuse_first(values: NDArray[Any], bad: NDArray[np.bool_], what: str, complaint: str) -> None:
    if bad.any():
        position = int(np.argmax(bad))
        value = values[position]
        if isinstance(value, np.floating) and np.isfinite(value) and value == np.floor(value):
            value = int(value)  # NumPy turns [1, 2**63] into floats: show the digits
        raise GraphError(f"node id {value} at {what}[{position}] {complaint}")
