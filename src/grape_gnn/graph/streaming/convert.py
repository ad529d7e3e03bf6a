"""From a file of edges to a graph on disk, in bounded memory: the steps, in order."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.arguments import flag, parse_bytes
from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.graph_folder import GRAPH_SUFFIX, read_graph_folder
from grape_gnn.graph.node_table import ColumnChoice
from grape_gnn.graph.read import check_options, format_of, read_graph
from grape_gnn.graph.rows import report_dropped
from grape_gnn.graph.streaming.integer_numbers import integer_numbers
from grape_gnn.graph.streaming.line_chunks import LineChunks
from grape_gnn.graph.streaming.node_arrays import NodeArrays
from grape_gnn.graph.streaming.node_columns import NodeColumns
from grape_gnn.graph.streaming.reading import EdgeChunks, read_chunks
from grape_gnn.graph.streaming.sorted_rows import (
    dropped,
    fill_buckets,
    number_chunks,
    sort_buckets,
)
from grape_gnn.graph.streaming.table_chunks import TableChunks
from grape_gnn.graph.streaming.text_numbers import text_numbers
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.graph.table_parts import table_files
from grape_gnn.warn import warn

__all__ = ["convert"]

LEAST_MEMORY = 10_000_000
LINE_BYTES = 12  # of an edge in a file, and below on disk while it is names, numbers and arcs
EDGE_ON_DISK = 48  # a guess, for those whose disk is full
_LAYOUT = ("header", "separator", "source", "target", "weight")


def convert(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    memory: str | int = "2GB",
    x: str | os.PathLike[str] | None = None,
    y: str | os.PathLike[str] | None = None,
    format: str | None = None,
    strict: bool = False,
    **reading: Any,
) -> Graph:
    r"""Turn a file of edges that may be larger than memory into a graph on disk.

    The graph is the one that `read_graph` would give for the same file. If the conversion is
    interrupted, the same call goes on where it stopped.

    Parameters
    ----------
    path
        An edge list or a Parquet or Arrow table, also a folder of its parts. Files of other formats
        are read as a whole, and so are those whose `types` or `edge_types` are asked for.
    out
        The folder to make, ``something.grape``; while at work, ``something.grape.part``.
    memory
        Working memory, beyond what is loaded already: sizes such as ``"500MB"``. A table of the
        nodes is taken column by column, and one column must fit; so must the numbers of the nodes.
    x
        An ``.npy`` file of features for nodes that are called 0, 1, 2, ...: a row for each. Or an
        ``.npz`` file of a sparse matrix, by ``scipy.sparse.save_npz``, which stays sparse.
    y
        Likewise an ``.npy`` file of labels: whole numbers, -1 where missing, or numbers.
    format
        As for `read_graph`.
    strict
        Refuse self-loops and repeated edges instead of dropping them with a warning.
    **reading
        The other options of `read_graph`: ``directed``, ``nodes``, ``label``, ``source``, ...

    Returns
    -------
    Graph
        The graph, mapped into memory.

    Raises
    ------
    GraphFileError
        The file lacks the columns, has changed since an interrupted conversion, or the disk is
        full; nothing of what was done is lost.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from grape_gnn import convert, read_graph
    >>> edges = Path(tempfile.mkdtemp(), "edges.csv")
    >>> _ = edges.write_text("source,target\n0,1\n1,2\n2,0\n")
    >>> convert(edges, edges.with_suffix(".grape"), memory="1GB")
    Graph(nodes=3, edges=3, undirected)
    >>> read_graph(edges.with_suffix(".grape")).neighbours(0).tolist()
    [1, 2]
    """
    file, target = Path(path), Path(out)
    size = parse_bytes(memory, error=GraphError)
    if size < LEAST_MEMORY:
        raise GraphError(f"memory={memory!r} is too little: give 10MB or more, 2GB if you can")
    if target.suffix != GRAPH_SUFFIX:
        raise GraphError(f"cannot write {target}: the name must end in {GRAPH_SUFFIX}")
    if target.exists():
        raise GraphFileError(target, "is there already: choose another name, or remove it")
    if not target.parent.is_dir():
        raise GraphError(f"cannot write {target}: the folder {target.parent} does not exist")
    if not file.exists():
        raise GraphFileError(file, "no such file")
    if target.resolve().is_relative_to(file.resolve()):
        raise GraphError(f"cannot write {target}: it would be inside {file}; choose a place beside")
    kind = format_of(file) if format is None else format
    options = {name: value for name, value in reading.items() if value is not None}
    flag("directed", options.get("directed", False), error=GraphError)
    flag("strict", strict, error=GraphError)
    typed = "types" in options or "edge_types" in options
    if kind not in ("edge_list", "arrow") or typed:
        if x is not None or y is not None:
            why = "no types are asked for" if typed else f"{file} is a {kind} file"
            raise GraphError(f"x= and y= are for edge lists, and {why}")
        read_graph(file, format=kind, strict=strict or None, **options).save(target)
        return read_graph_folder(target)
    check_options(file, kind, options)
    if options.get("nodes") is not None and not (x is None and y is None):
        raise GraphError("give a table of nodes, or x= and y=, not both")
    files = {"path": file, "nodes": options.get("nodes"), "x": x, "y": y}
    given = {name: Path(each) for name, each in files.items() if each is not None}
    kept = {name: value for name, value in options.items() if name != "nodes"}
    part = target.with_name(f"{target.name}.part")
    with Workspace.begin(part, given, {"format": kind, **kept}, size) as work:
        size_of_edges = sum(each.stat().st_size for each in table_files(file))
        needed = EDGE_ON_DISK * (size_of_edges // LINE_BYTES)
        with work.telling_of_a_full_disk(target, needed):
            _build(work, kind, given, kept, strict=strict)
            work.graph.complete()
            (part / "graph").rename(target)
    shutil.rmtree(part, ignore_errors=True)
    return read_graph_folder(target)


def _build(
    work: Workspace, kind: str, files: dict[str, Path], options: dict[str, Any], *, strict: bool
) -> None:
    said = {name: options[name] for name in _LAYOUT if name in options}
    source = (LineChunks if kind == "edge_list" else TableChunks)(files["path"], said)
    try:
        if work.is_empty:  # what is wrong with it is said before the edges are read for an hour
            _node_table(work, files, options)
        chunks = read_chunks(work, source)
        nodes = _place_nodes(work, chunks, files, options)
        directed = bool(options.get("directed", False))
        for side in (0, 1) if directed else (0,):
            fill_buckets(work, chunks.count, nodes, side, directed=directed)
            sort_buckets(work, chunks.count, nodes, side, directed=directed)
        loops, repeats = dropped(work)
        if loops or repeats:
            report_dropped(loops, repeats, chunks.edges, directed=directed, strict=strict)
    except GraphFileError:
        raise
    except GraphError as error:  # about the contents, by those who do not know the file
        raise GraphFileError(files["path"], str(error)) from error
    work.graph.write_arrays({"directed": np.array(directed)})


def _place_nodes(
    work: Workspace, chunks: EdgeChunks, files: dict[str, Path], options: dict[str, Any]
) -> int:
    """Give numbers to nodes and ends of edges, write what nodes carry; return how many they are."""
    done = work.notes("nodes")
    if done:
        return int(done[0]["nodes"])
    table = _node_table(work, files, options)
    if chunks.texts:
        listed_texts = None if table is None else table.texts()
        numbering = text_numbers(work, chunks.count, listed_texts)
        listed = np.arange(0 if listed_texts is None else listed_texts[1].size)
    else:
        listed = np.zeros(0, np.int64) if table is None else table.integers()
        numbering = integer_numbers(work, chunks.count, listed)
    if numbering.alone and not chunks.certain:
        _doubt_header(files["path"], numbering.alone, table is not None)
    if table is not None:
        rows = numbering.of_chunk(chunks.count, listed)
        table.place(rows, numbering.nodes, numbering.on_edges)
        table.write(options.get("task"))
    number_chunks(work, chunks.count, numbering)
    work.note("nodes", nodes=numbering.nodes)
    for k in range(chunks.count + 1):
        work.forget(f"ends_{k}", f"letters_{k}", f"cuts_{k}")
    return numbering.nodes


def _node_table(
    work: Workspace, files: dict[str, Path], options: dict[str, Any]
) -> NodeColumns | NodeArrays | None:
    """Open what nodes carry, and see that the columns are there."""
    if "nodes" in files:
        choice = {name: options[name] for name in ColumnChoice.__annotations__ if name in options}
        return NodeColumns(work, files["nodes"], ColumnChoice(**choice))
    if "x" in files or "y" in files:
        return NodeArrays(work, files.get("x"), files.get("y"))
    return None


def _doubt_header(path: Path, ends: tuple[str, str], table: bool) -> None:
    first, second = ends
    doubt = f"the first line for an edge between {first!r} and {second!r}, which do not occur again"
    remedy = "pass header=True if it names the columns, header=False if not"
    if table:
        raise GraphFileError(path, f"cannot tell whether to take {doubt}; {remedy}")
    warn(f"{path}: took {doubt}; {remedy}")
