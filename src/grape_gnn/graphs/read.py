"""One way to read many graphs: the name of the file or folder tells the format."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.arrow_file import ARROW_SUFFIXES
from grape_gnn.graphs.edge_table import read_edge_lists, read_edge_table, read_targets
from grape_gnn.graphs.graph6 import read_graph6
from grape_gnn.graphs.graph_set import GraphSet
from grape_gnn.graphs.npz import read_npz
from grape_gnn.graphs.smiles import read_smiles
from grape_gnn.graphs.text_file import read_text_file
from grape_gnn.graphs.tu_folder import is_tu_folder, read_tu_folder

__all__ = ["read_graphs"]

GRAPH6 = (".g6", ".s6", ".graph6", ".sparse6")


def read_graphs(
    path: str | os.PathLike[str],
    *,
    label: str | None = None,
    targets: str | os.PathLike[str] | None = None,
    graph: str | None = None,
    task: str | None = None,
) -> GraphSet:
    r"""Read many graphs from a file or a folder.

    ====================================  ====================================================
    ``.txt``                              the number of graphs, then for each ``nodes label`` and
                                          a line ``type degree neighbours...`` per node
    folder with ``NAME_A.txt``            the format of the TU collection
    ``.g6 .s6``                           graph6 and sparse6, a graph a line
    ``.smi``, ``.csv`` with ``smiles``    molecules as SMILES; needs the extra ``smiles``
    ``.parquet .arrow .csv``              a table of edges with a column of graphs
    other folder                          an edge list per graph
    ``.npz``                              saved by `GraphSet.save`
    ====================================  ====================================================

    Parameters
    ----------
    path
        The file or folder.
    label
        The column of targets, of a table of SMILES or of `targets`.
    targets
        A table of targets: the names of the graphs in its first column.
    graph
        The column of graphs in a table of edges.
    task
        ``"classification"``, ``"multi-label"`` or ``"regression"``; None: as the targets look.

    Returns
    -------
    GraphSet

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "pairs.txt"
    ...     _ = file.write_text("1\n2 0\n6 1 1\n7 1 0\n")
    ...     read_graphs(file)
    GraphSet(graphs=1, nodes=2, edges=1, undirected, node types=2, classes=1)
    """
    place = Path(path)
    suffix = place.suffix.lower()
    y: Any = None
    names: list[Any] | None = None
    if not place.exists():
        raise GraphFileError(place, "no such file or folder")
    if suffix == ".npz":
        found = read_npz(place)
        if task is not None and found.y is not None and task != found.task:
            raise GraphError(f"{place} was saved for {found.task}, not {task}")
        return _with_targets(found, targets, label, task)
    if place.is_dir():
        if is_tu_folder(place):
            pieces = read_tu_folder(place)
        else:
            pieces, names = read_edge_lists(place)
    elif suffix in GRAPH6:
        pieces = read_graph6(place)
    elif suffix in (".smi", ".smiles") or (suffix == ".csv" and _has_smiles(place)):
        pieces, y = read_smiles(place, label)
    elif suffix in (*ARROW_SUFFIXES, ".csv", ".tsv"):
        pieces, names = read_edge_table(place, graph)
    elif suffix == ".txt":
        pieces = read_text_file(place)
    else:
        raise GraphFileError(
            place,
            "is of no format of many graphs that is read: .txt, .g6, .s6, .smi, .csv, .parquet, "
            ".npz or a folder",
        )
    return _with_targets(
        GraphSet.from_pieces(pieces, y, names=names, task=task), targets, label, task
    )


def _with_targets(
    found: GraphSet, targets: str | os.PathLike[str] | None, label: str | None, task: str | None
) -> GraphSet:
    if targets is None:
        return found
    names = [found.name_of(k) for k in range(len(found))]
    given = found.with_targets(read_targets(Path(targets), names, label), task)
    return replace(found, y=given.y, label_names=given.label_names)


def _has_smiles(path: Path) -> bool:
    with path.open("rb") as file:
        return b"smiles" in file.readline(1 << 16).lower()
