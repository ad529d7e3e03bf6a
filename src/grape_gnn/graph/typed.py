"""Types of nodes and edges, which templates can ask for; never what is learnt.

A template edge that asks for a type (``0-1=double``) is matched in the rows of that type only, so
the compiled core takes every row once more, sorted by type and then by node: the neighbours over
edges of one type lie next to each other, however many types there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.attributes import Label, as_objects, encode_labels, spells_integer
from grape_gnn.graph.rows import Rows
from grape_gnn.warn import warn

if TYPE_CHECKING:
    from grape_gnn.graph.graph import Graph

__all__ = [
    "edges_by_entry",
    "encode_types",
    "in_row_types",
    "spelt_types",
    "typed_rows",
    "types_by_entry",
    "types_of_edges",
    "types_of_nodes",
]

Ints = NDArray[np.int64]


def encode_types(
    what: str, values: Any, count: int, each: str
) -> tuple[Ints | None, tuple[Label, ...] | None]:
    """Return the codes of types, -1 where one is missing, and their names; None for none.

    Examples
    --------
    >>> encode_types("types", ["N", "C", None], 3, "node")
    (array([ 1,  0, -1]), ('C', 'N'))
    """
    if values is None:
        return None, None
    given = np.asarray(values) if hasattr(values, "__array__") else as_objects(values)
    if given.shape != (count,):
        raise GraphError(f"{what} must have one value per {each}, {count}; got {given.shape}")
    try:
        return encode_labels(given, count)
    except GraphError as error:
        raise GraphError(f"{what}: {error}") from error


def spelt_types(cells: Any) -> list[Any]:
    """Return the types that the cells of a table spell; None where one is missing.

    Examples
    --------
    >>> spelt_types(["1", "", "2"]), spelt_types(["C", "7"]), spelt_types(np.array([1.0, np.nan]))
    ([1, None, 2], ['C', '7'], [1.0, nan])
    """
    given = list(cells.tolist() if hasattr(cells, "tolist") else cells)
    if not all(cell is None or isinstance(cell, str) for cell in given):
        return given
    if all(spells_integer(cell) for cell in given if cell):
        return [int(cell) if cell else None for cell in given]
    return [cell or None for cell in given]


def types_by_entry(
    rows: Rows | Graph, ends: tuple[Ints, Ints], codes: Ints, *, directed: bool
) -> Ints:
    """Return the type of every entry of a graph's rows.

    Parameters
    ----------
    rows
        The graph's rows.
    ends
        The edges as they were given, in any order; self-loops and repeated ones among them.
    codes
        Their types, -1 where one is missing. Of an edge that is given several times, the last
        counts.
    directed
        Whether the edges are arcs.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> types_by_entry(path, (np.array([2, 0]), np.array([1, 1])), np.array([7, 5]), directed=False)
    array([5, 5, 7, 7])
    """
    keys, last = _last_of_each(rows, ends, directed)
    differing = int((codes[last[np.searchsorted(keys[last], keys)]] != codes).sum())
    if differing:
        warn(
            f"{differing} edges are given more than once with different types: of each the last "
            f"one counts"
        )
    return codes[edges_by_entry(rows, ends, directed=directed)]


def edges_by_entry(rows: Rows | Graph, ends: tuple[Ints, Ints], *, directed: bool) -> Ints:
    """Return which of the given edges every entry of a graph's rows is: the last one.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> edges_by_entry(path, (np.array([2, 0]), np.array([1, 1])), directed=False)
    array([1, 1, 0, 0])
    """
    indptr, indices = rows.indptr, rows.indices
    tails = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
    wanted = _keys(tails, indices.astype(np.int64), max(indptr.size - 1, 1), directed)
    keys, last = _last_of_each(rows, ends, directed)
    found: Ints = last[np.searchsorted(keys[last], wanted)] if wanted.size else wanted
    return found


def _last_of_each(rows: Rows | Graph, ends: tuple[Ints, Ints], directed: bool) -> tuple[Ints, Ints]:
    """Return a key for every given edge, and the last edge of every key, sorted by key."""
    keys = _keys(*ends, max(rows.indptr.size - 1, 1), directed)
    order = np.argsort(keys, kind="stable")
    ascending = keys[order]
    return keys, order[np.append(ascending[1:] != ascending[:-1], True)[: keys.size]]


def _keys(tails: Ints, heads: Ints, n: int, directed: bool) -> Ints:
    if directed:
        return tails * n + heads
    return np.minimum(tails, heads) * n + np.maximum(tails, heads)


def types_of_nodes(graph: Graph) -> NDArray[np.object_] | None:
    """Return what kind of node each is, None where that is missing; None without types."""
    return _named(graph.types, graph.type_names)


def types_of_edges(graph: Graph) -> NDArray[np.object_] | None:
    """Return the type of every edge of `Graph.edge_array`, None where it is missing.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> types_of_edges(Graph.from_edges([2, 0], [1, 1], edge_types=["a", "b"])).tolist()
    ['b', 'a']
    """
    codes = graph.edge_types
    if codes is not None and not graph.directed:
        tails = np.repeat(np.arange(graph.num_nodes), graph.degrees)
        codes = codes[tails < graph.indices]
    return _named(codes, graph.edge_type_names)


def _named(codes: Ints | None, names: tuple[Label, ...] | None) -> NDArray[np.object_] | None:
    return None if codes is None else as_objects([*(names or ()), None])[codes]


def in_row_types(rows: Rows | Graph, types: Ints) -> Ints:
    """Return the types of the entries of the in-rows, given those of the out-rows.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> arcs = Graph.from_edges([0, 0, 2], [1, 2, 1], directed=True)
    >>> in_row_types(arcs, np.array([7, 8, 9]))  # of 0>1 2>1 0>2
    array([7, 9, 8])
    """
    # The tails ascend already, and a stable sort by the heads keeps that.
    return types[np.argsort(rows.indices, kind="stable")]


def typed_rows(graph: Graph) -> list[NDArray[np.int32]]:
    """Return out- and in-rows sorted by type and then by node: columns, types, columns, types.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3], edge_types=["b", "a", "b"])
    >>> [part.tolist() for part in typed_rows(star)[:2]]
    [[2, 1, 3, 0, 0, 0], [0, 1, 1, 1, 0, 1]]
    """
    if graph.edge_types is None:
        return []
    out = _sorted_by_type(graph.indptr, graph.indices, graph.edge_types)
    if not graph.directed:
        return [*out, *out]
    turned = in_row_types(graph, graph.edge_types)
    return [*out, *_sorted_by_type(graph.in_indptr, graph.in_indices, turned)]


def _sorted_by_type(
    indptr: Ints, indices: NDArray[np.int32], types: Ints
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    tails = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
    kinds = int(types.max(initial=-1)) + 2
    order = np.argsort(tails * kinds + types + 1, kind="stable")  # within a row, nodes ascend
    return indices[order], types[order].astype(np.int32)
