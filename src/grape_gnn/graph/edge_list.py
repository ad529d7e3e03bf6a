"""Edge lists: CSV, TSV or blank-separated text, plain or gzipped.

One edge a line: the names of its two ends, integers or texts, in the first two columns. The
compiled parser reads chunk by chunk, so Ctrl-C works and a gzipped file is never unpacked whole.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.errors import GraphFileError
from grape_gnn.graph.attributes import Names, spells_integer
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.node_table import read_node_table
from grape_gnn.graph.unpack import open_unpacked, report_reading
from grape_gnn.progress import report
from grape_gnn.warn import warn

__all__ = ["read_edge_list"]

CHUNK_BYTES = 1 << 20  # parsed within some 10 ms, so that Ctrl-C is heard at once
DOUBT_FROM_EDGES = 10


@dataclass(frozen=True)
class NamedEdges:
    """Edges between node numbers, and what the nodes are called (None: by their numbers)."""

    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    num_nodes: int
    names: Names | None


def read_edge_list(
    path: Path,
    *,
    directed: bool = False,
    strict: bool = False,
    header: bool | None = None,
    separator: str | None = None,
    nodes: Path | None = None,
    label: str | None = None,
    features: list[str] | None = None,
    isolated: bool = False,
) -> Graph:
    """Read an edge list and, if given, a table of its nodes.

    See :func:`grape_gnn.graph.read_graph` for the parameters. If every name is an integer,
    nodes are in ascending order of their names; otherwise names are texts and nodes are in
    order of first appearance.
    """
    edges = _parse(path, header, separator)
    if nodes is None:
        return Graph.from_edges(
            edges.src, edges.dst, edges.num_nodes, directed, names=edges.names, strict=strict
        )
    table = read_node_table(nodes, label=label, features=features)
    if isolated:
        edges = _add_isolated(edges, table.names)
    x, y = table.align(edges.names, edges.num_nodes)
    return Graph.from_edges(
        edges.src, edges.dst, edges.num_nodes, directed, x, y, names=edges.names, strict=strict
    )


def _parse(path: Path, header: bool | None, separator: str | None) -> NamedEdges:
    if separator is not None and (len(separator) != 1 or separator in '"\n#%'):
        raise GraphFileError(path, f"separator must be one character, got {separator!r}")
    parser = _native.EdgeListParser(header, separator)
    try:
        with open_unpacked(path) as file:
            while chunk := file.read(CHUNK_BYTES):
                parser.feed(chunk)
                report_reading(path, file)
        parser.finish()
    except ValueError as error:
        raise GraphFileError(path, str(error), parser.line) from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    if parser.columns > 2:
        warn(
            f"{path}: ignored {parser.columns - 2} columns after the two node names; graphs are "
            "unweighted"
        )
    report("building the graph")
    src, dst = parser.take_edges()
    if src.size == 0:
        warn(f"{path}: found no edges in it; expected one a line, as two node names")
    if not parser.text_names:
        return _compact(src, dst)
    names = tuple(parser.names())
    if header is None and not parser.header_found:
        _doubt_first_line(path, src, dst, names)
    return NamedEdges(src, dst, len(names), names)


def _doubt_first_line(
    path: Path, src: NDArray[np.int64], dst: NDArray[np.int64], names: tuple[str, ...]
) -> None:
    # Column names that we do not know look like an edge between two nodes of no other edge. In
    # a small file that is common, in a larger one it is not.
    if src.size < DOUBT_FROM_EDGES:
        return
    first = (src[0], dst[0])
    uses = sum(int(np.count_nonzero(ends == name)) for ends in (src, dst) for name in first)
    if uses == 2 and first[0] != first[1]:
        warn(
            f"{path}: took the first line for an edge between {names[first[0]]!r} and "
            f"{names[first[1]]!r}, which do not occur again; pass header=True if it names the "
            "columns, header=False if not"
        )


def _compact(src: NDArray[np.int64], dst: NDArray[np.int64]) -> NamedEdges:
    # Integer names: number the nodes in ascending order of their names.
    if src.size == 0:
        return NamedEdges(src, dst, 0, None)
    largest = int(max(src.max(), dst.max()))
    if largest < 4 * src.size + 1024:
        # A table over all values up to the largest is cheaper than sorting.
        seen = np.zeros(largest + 1, bool)
        seen[src] = True
        seen[dst] = True
        names = np.flatnonzero(seen)
        if names.size == largest + 1:
            return NamedEdges(src, dst, largest + 1, None)
        number = np.cumsum(seen) - 1
        return NamedEdges(number[src], number[dst], names.size, names)
    names, number = np.unique(np.concatenate([src, dst]), return_inverse=True)
    return NamedEdges(number[: src.size], number[src.size :], names.size, names)


def _add_isolated(edges: NamedEdges, listed: list[str]) -> NamedEdges:
    integers = all(spells_integer(name) for name in listed)
    if isinstance(edges.names, tuple) or (edges.num_nodes == 0 and not integers):
        known = edges.names if isinstance(edges.names, tuple) else ()
        names = tuple(dict.fromkeys((*known, *listed)))
        return NamedEdges(edges.src, edges.dst, len(names), names)
    if not integers:
        return edges  # a name that is no integer is refused, with its line, by the table
    old = np.arange(edges.num_nodes) if edges.names is None else edges.names
    names_now = np.union1d(old, np.array([int(name) for name in listed], np.int64))
    number = np.searchsorted(names_now, old)
    return NamedEdges(number[edges.src], number[edges.dst], names_now.size, names_now)
