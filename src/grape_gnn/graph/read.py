"""One way to read a graph: the file's name tells the format."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.convert_pandas import read_arrow
from grape_gnn.graph.edge_list import read_edge_list
from grape_gnn.graph.facebook100 import read_facebook100
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.graph_folder import GRAPH_SUFFIX, read_graph_folder
from grape_gnn.graph.graphml import read_graphml
from grape_gnn.graph.matrix_market import read_matrix_market
from grape_gnn.graph.node_table import ColumnChoice
from grape_gnn.graph.npz import read_npz
from grape_gnn.graph.table_parts import ARROW_SUFFIXES, holds_parts
from grape_gnn.warn import in_one_line

__all__ = ["check_options", "format_of", "read_graph"]

READERS: dict[str, Any] = {
    "edge_list": read_edge_list,
    "arrow": read_arrow,
    "graphml": read_graphml,
    "matrix_market": read_matrix_market,
    "facebook100": read_facebook100,
    "npz": read_npz,
    "folder": read_graph_folder,
}
GRAPH6 = (".g6", ".s6", ".graph6", ".sparse6")
MANY_GRAPHS = (*GRAPH6, ".smi", ".smiles")
FORMAT_OF_SUFFIX = {
    **dict.fromkeys([".csv", ".tsv", ".txt", ".tab", ".edges", ".edgelist", ".el"], "edge_list"),
    **dict.fromkeys(ARROW_SUFFIXES, "arrow"),
    ".graphml": "graphml",
    ".mtx": "matrix_market",
    ".mat": "facebook100",
    ".npz": "npz",
    GRAPH_SUFFIX: "folder",
}


def read_graph(
    path: str | os.PathLike[str],
    directed: bool | None = None,
    *,
    nodes: str | os.PathLike[str] | None = None,
    label: str | None = None,
    features: Sequence[str] | None = None,
    categorical: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    id: str | None = None,
    task: str | None = None,
    header: bool | None = None,
    separator: str | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    types: str | None = None,
    edge_types: str | None = None,
    strict: bool | None = None,
    mmap: bool | None = None,
    format: str | None = None,
) -> Graph:
    r"""Read a graph from a file.

    ====================================  ====================================================
    ``.csv .tsv .txt .edges ...``         edge list, see below
    ``.parquet .arrow .feather .ipc``     table of edges, likewise, or a folder of its parts; needs
                                          the extra ``arrow``
    ``.graphml``                          GraphML; `label` and `features` name node attributes
    ``.mtx``                              Matrix Market, a square matrix
    ``.mat``                              Facebook100; the label is the year, the features are
                                          gender and major, unless `label`, `features` say else
    ``.npz``                              saved by :meth:`Graph.save`
    ``.grape``                            a folder, saved likewise or by `grape_gnn.convert`: it is
                                          mapped into memory and opens at once
    ====================================  ====================================================

    Text formats may be gzipped (``.csv.gz``). An edge list has one edge a line, two of its
    columns being the node names, separated by tab, comma, semicolon or blanks. Names may be in
    double quotes. Lines that start with ``#`` or ``%`` are comments. Further columns, such as
    weights, are ignored with a warning that says what was taken. If all names are integers from
    0 up, nodes are in ascending order; otherwise names are texts and nodes are in order of first
    appearance.

    Parameters
    ----------
    path
        The file.
    directed
        Whether edges are arcs. None: as the file says, and undirected for edge lists.
    nodes
        For edge lists: a table of the nodes (CSV or TSV with a line of column names, Parquet
        or Arrow; the node name comes first). Its other columns become the features; columns of
        words such as train, val and test become `Graph.splits`. A node that only the table has is
        a node without edges.
    label
        The column or node attribute with the labels; an empty cell is a missing label.
    features
        The columns or node attributes to use as features.
    categorical
        Columns of categories that look like numbers, such as codes.
    ignore
        Columns to leave out.
    id
        The column of the node table with the names of the nodes. None: the first.
    task
        What the labels are: ``"classification"``, ``"multi-label"`` or ``"regression"``; None: as
        they look, see `grape_gnn.graph.targets`.
    header
        For edge lists: whether the first line names the columns. None: yes if two of its words
        read like ``source`` and ``target``, or if it is text above numbers. If the first line is
        taken for an edge but its names do not occur again, nor in the node table, a warning asks.
    separator
        For edge lists: the character between columns. None: see above.
    source, target
        For edge lists: the columns with the two ends of an edge, by name, or by number from 1 on
        if the file has no names. None: those whose names read like ``source`` and ``target``,
        ``from`` and ``to``, ``gene_a`` and ``gene_b``, wherever they are, or the only two that
        there are besides a ``weight``; an error asks if there are more. Of a file without names
        the first two.
    weight
        For edge lists: a column of weights. An edge of weight 0 is none; all others count alike,
        for matching ignores weights.
    types
        The column of the node table, or the node attribute, that says what kind of node each is:
        templates can ask for it (``0-1 1:N``). It is no feature then, unless `features` names it.
    edge_types
        The column of the edge list, or the edge attribute, with the types of the edges
        (``0-1=double``). None: none of an edge list; an attribute ``type`` of GraphML.
    strict
        Refuse self-loops and repeated edges instead of dropping them with a warning.
    mmap
        For ``.npz``: leave the arrays in the file and page them in when used. Opening reads all
        but the features once, to check them, and gives the memory back; checksums, and that
        the features are finite, are not checked. A ``.grape`` folder is always mapped unless this
        is False, and checked only if it was copied or changed.
    format
        ``"edge_list"``, ``"arrow"``, ``"graphml"``, ``"matrix_market"``, ``"facebook100"``,
        ``"npz"`` or ``"folder"``, when the file's name does not tell.

    Returns
    -------
    Graph

    Raises
    ------
    GraphFileError
        The file is missing, truncated or malformed; the message has the line, if there is one.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from grape_gnn.graph import read_graph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     edges, people = Path(folder, "friends.csv"), Path(folder, "people.csv")
    ...     _ = edges.write_text("alice,bob\nbob,carol\n")
    ...     _ = people.write_text("name,team,age\nalice,red,31\nbob,,28\ncarol,blue,45\n")
    ...     read_graph(edges, nodes=people, label="team")
    Graph(nodes=3, edges=2, undirected, columns=1, classes=2, named)
    """
    file = Path(path)
    if not file.exists():
        raise GraphFileError(file, "no such file")
    kind = format_of(file) if format is None else format
    if kind not in READERS:
        raise GraphError(f"unknown format {kind!r}; known are {', '.join(READERS)}")
    given = {
        "directed": directed,
        "nodes": None if nodes is None else Path(nodes),
        "label": label,
        "features": features,
        "categorical": categorical,
        "ignore": ignore,
        "id": id,
        "task": task,
        "header": header,
        "separator": separator,
        "source": source,
        "target": target,
        "weight": weight,
        "types": types,
        "edge_types": edge_types,
        "strict": strict,
        "mmap": mmap,
    }
    options = {key: value for key, value in given.items() if value is not None}
    check_options(file, kind, options)
    try:
        with in_one_line():
            graph: Graph = READERS[kind](file, **options)
    except GraphFileError:
        raise
    except GraphError as error:  # about the contents, by those who do not know the file
        raise GraphFileError(file, str(error)) from error
    except MemoryError:
        raise GraphFileError(
            file, "is too large for the memory of this machine, or damaged"
        ) from None
    return graph


def check_options(file: Path, kind: str, options: Mapping[str, Any]) -> None:
    """Refuse options that do not apply to a format, or that lack what they need."""
    nodes = options.get("nodes")
    known = set(inspect.signature(READERS[kind]).parameters)
    if "columns" in known:
        known |= {field.name for field in fields(ColumnChoice)}
    for key in options:
        if key not in known:
            raise GraphError(f"the option {key} does not apply to {file}, a {kind} file")
    if kind in ("edge_list", "arrow") and nodes is None:
        for name in (*(field.name for field in fields(ColumnChoice)), "task"):
            if name in options:
                raise GraphError(f"the option {name} needs a node table: pass nodes= as well")
    if nodes is not None and not Path(nodes).exists():
        raise GraphFileError(nodes, "no such file: it is to be the table of the nodes")


def format_of(file: Path) -> str:
    """Tell the format of a file by its suffix, that of a folder also by what it holds."""
    if file.is_dir():
        return _format_of_folder(file)
    suffix = Path(file.stem).suffix if file.suffix == ".gz" else file.suffix
    if suffix.lower() in MANY_GRAPHS:
        raise GraphFileError(
            file,
            "is a file of many graphs, and a single one is wanted: grape_gnn.read_graphs reads it, "
            "and `grape info --task graph`, `grape train --task graph` and `grape colours` do",
        )
    if suffix.lower() not in FORMAT_OF_SUFFIX:
        raise GraphFileError(
            file,
            f"cannot tell the format from the suffix {suffix!r}; known are "
            f"{' '.join(FORMAT_OF_SUFFIX)}, each text format also with .gz; or pass format=",
        )
    return FORMAT_OF_SUFFIX[suffix.lower()]


def _format_of_folder(folder: Path) -> str:
    kind = FORMAT_OF_SUFFIX.get(folder.suffix.lower())
    if kind in ("arrow", "folder"):
        return kind
    if (folder / "config.json").exists():  # one of ours, which says what it is
        return "folder"
    if holds_parts(folder):
        return "arrow"
    raise GraphFileError(
        folder,
        f"is a folder, and holds neither a graph on disk ({GRAPH_SUFFIX}) nor the parts of a table "
        f"({' '.join(ARROW_SUFFIXES)}); grape_gnn.read_graphs and `--task graph` read folders of "
        f"many graphs",
    )
