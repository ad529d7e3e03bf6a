"""Edge lists: CSV, TSV or blank-separated text, plain or gzipped.

One edge a line: the names of its two ends, integers or texts. Where they are is told from the first
lines (`edge_columns`); the compiled parser reads the rest chunk by chunk, so Ctrl-C works and a
gzipped file is never unpacked whole.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn import _native
from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.edge_columns import EdgeColumns, layout_of_lines
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.named_edges import NamedEdges, compact, with_table
from grape_gnn.graph.node_table import ColumnChoice, read_node_table
from grape_gnn.graph.typed import spelt_types
from grape_gnn.graph.unpack import open_unpacked, report_reading
from grape_gnn.progress import report
from grape_gnn.warn import remark, warn

__all__ = ["CHUNK_BYTES", "read_edge_list", "whole_lines"]

CHUNK_BYTES = 1 << 20  # parsed within some 10 ms, so that Ctrl-C is heard at once


def read_edge_list(
    path: Path,
    *,
    directed: bool = False,
    strict: bool = False,
    header: bool | None = None,
    separator: str | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    edge_types: str | None = None,
    nodes: Path | None = None,
    task: str | None = None,
    **columns: Any,
) -> Graph:
    """Read an edge list and, if given, a table of its nodes.

    See :func:`grape_gnn.graph.read_graph` for the parameters; the further ones are those of
    `ColumnChoice`. If every name is an integer, nodes are in ascending order of their names;
    otherwise names are texts and nodes are in order of first appearance.
    """
    said = {
        "separator": separator, "source": source, "target": target, "weight": weight,
        "edge_types": edge_types,
    }  # fmt: skip
    edges, layout = _parse(path, header=header, **said)
    table = None
    if nodes is not None:
        table = read_node_table(nodes, ColumnChoice(**columns), edges.known)
    if not layout.certain and _first_is_alone(edges):
        first, second = edges.ends(0)
        listed = frozenset() if table is None else frozenset(table.names)
        if listed & edges.known and not listed & {first, second}:
            # Column names look like an edge between two nodes of no other edge, and of no table.
            edges, layout = _parse(path, header=True, **said)
        elif not listed:
            warn(
                f"{path}: took the first line for an edge between {first!r} and {second!r}, which "
                f"do not occur again; pass header=True if it names the columns, header=False if not"
            )
    layout.say(f"{path}: ")
    if table is not None:
        return with_table(edges, table, directed, strict, task)
    return edges.graph(directed, strict)


def _parse(path: Path, **said: Any) -> tuple[NamedEdges, EdgeColumns]:
    parser = None
    try:
        with open_unpacked(path) as file:
            chunk = file.read(CHUNK_BYTES)
            layout = layout_of_lines(whole_lines(chunk), **said)
            parser = _native.EdgeListParser(
                layout.header, layout.separator, layout.source, layout.target, layout.weight,
                layout.kind,
            )  # fmt: skip
            while chunk:
                parser.feed(chunk)
                report_reading(path, file)
                chunk = file.read(CHUNK_BYTES)
        parser.finish()
    except ValueError as error:
        line = None if parser is None else parser.line
        raise GraphFileError(path, str(error), line) from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    report("building the graph")
    src, dst = parser.take_edges()
    if src.size == 0:
        warn(f"{path}: found no edges in it; expected one a line, as two node names")
    if layout.weight >= 0:
        left = f"left out {parser.zero_weights:,} edges of weight 0; all others count alike"
        remark(f"{path}: {left}")
    kinds = None
    if layout.kind >= 0:
        spelt = spelt_types(parser.kind_names())
        kinds = as_objects([*spelt, None])[parser.take_kinds()]
    if not parser.text_names:
        return replace(compact(src, dst), edge_types=kinds), layout
    names = tuple(parser.names())
    return NamedEdges(src, dst, len(names), names, kinds), layout


def whole_lines(chunk: bytes) -> str:
    """Return the beginning of a file as text, without a line that is cut off."""
    if chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):  # "Unicode text" of a spreadsheet
        raise GraphError("is UTF-16; save it as UTF-8")
    if len(chunk) == CHUNK_BYTES:
        chunk = chunk[: chunk.rfind(b"\n") + 1]
    return chunk.decode("utf-8", "replace")


def _first_is_alone(edges: NamedEdges) -> bool:
    """Whether the ends of the first edge, which are texts, are on no other."""
    if edges.src.size < 2 or not isinstance(edges.names, tuple):
        return False
    first, second = edges.src[0], edges.dst[0]
    uses = sum(int(np.isin(ends, (first, second)).sum()) for ends in (edges.src, edges.dst))
    return uses == 2
