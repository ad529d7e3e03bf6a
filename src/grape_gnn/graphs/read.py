"""One way to read many graphs: the name of the file or folder tells the format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.read import GRAPH6
from grape_gnn.graph.table_parts import ARROW_SUFFIXES
from grape_gnn.graphs.edge_table import read_edge_lists, read_edge_table
from grape_gnn.graphs.graph6 import read_graph6
from grape_gnn.graphs.graph_set import GraphSet
from grape_gnn.graphs.npz import read_npz
from grape_gnn.graphs.smiles import read_smiles
from grape_gnn.graphs.tables import read_targets, with_nodes
from grape_gnn.graphs.text_file import read_text_file
from grape_gnn.graphs.tu_folder import is_tu_folder, read_tu_folder

__all__ = ["read_graphs"]


def read_graphs(
    path: str | os.PathLike[str],
    *,
    label: str | None = None,
    targets: str | os.PathLike[str] | None = None,
    nodes: str | os.PathLike[str] | None = None,
    graph: str | None = None,
    id: str | None = None,
    source: str | None = None,
    target: str | None = None,
    types: str | None = None,
    edge_types: str | None = None,
    features: str | Sequence[str] | None = None,
    edge_features: str | Sequence[str] | None = None,
    directed: bool | None = None,
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
    other folder                          an edge list per graph, or a table of edges
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
    nodes
        For tables and lists of edges: a table of the nodes of all graphs, with a column of graphs
        and one of node names; what else is in it are types and features. Nodes and graphs that only
        this table has are there without edges.
    graph
        The column of graphs in tables of edges and nodes. None: ``graph``, ``graph_id``,
        ``molecule`` or ``mol_id``.
    id
        The column of the node table with the names of the nodes. None: the first other one.
    source, target
        The columns with the two ends of an edge, as for `grape_gnn.read_graph`.
    types
        The column of the node table with the types that templates can ask for (``0-1 1:N``). None:
        ``type``, ``node_type``, ``atom`` or ``element`` if there is one.
    edge_types
        The column of types in tables and lists of edges (``0-1=double``). None: in tables ``type``,
        ``edge_type``, ``bond`` or ``bond_type`` if there is one.
    features
        The column or columns of the node table that are features. None: all others that are
        numbers.
    edge_features
        The column or columns of a table of edges with numbers that are learnt from. A TU folder
        has them in ``NAME_edge_attributes.txt``.
    directed
        Whether edges are arcs, in tables and lists of edges and in TU folders. None: they are not.
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
    if not place.exists():
        raise GraphFileError(place, "no such file or folder")
    tables = {"nodes": nodes, "targets": targets}
    beside = {name: None if each is None else Path(each) for name, each in tables.items()}
    for name, file in beside.items():
        if file is not None and not file.exists():
            raise GraphFileError(file, f"no such file: it is to be the table of the {name}")
    features, edge_features = (
        (each,) if isinstance(each, str) else each for each in (features, edge_features)
    )
    said = {
        "graph": graph, "id": id, "source": source, "target": target, "types": types,
        "edge_types": edge_types, "features": features, "edge_features": edge_features,
        "directed": directed,
    }  # fmt: skip
    options: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    kind = _format_of(place)
    _check_options(place, kind, label, beside, options)
    y: Any = None
    names: list[Any] | None = None
    if kind == "npz":
        found = read_npz(place)
        if task is not None and found.y is not None and task != found.task:
            raise GraphError(f"{place} was saved for {found.task}, not {task}")
        return _with_targets(found, beside["targets"], label, task)
    if kind == "smiles":
        pieces, names, y = read_smiles(place, None if beside["targets"] else label)
    elif kind in ("folder", "table"):
        edges = {name: options[name] for name in _OF_EDGES if name in options}
        if kind == "folder":
            edges |= {"directed": directed} if directed is not None else {}
            named = read_edge_lists(place, beside.values(), **edges)
        else:
            edges |= {"graph": graph, "edge_features": tuple(edge_features or ())}
            named = read_edge_table(place, **edges)
        if beside["nodes"] is not None:
            columns = {name: options[name] for name in _OF_NODES if name in options}
            named = with_nodes(named, beside["nodes"], graph=graph, **columns)
        names, pieces, _ = named
    else:
        pieces = {"tu": read_tu_folder, "graph6": read_graph6, "text": read_text_file}[kind](place)
    found = GraphSet.from_pieces(pieces, y, directed=bool(directed), names=names, task=task)
    return _with_targets(found, beside["targets"], label, task)


_OF_EDGES = ("source", "target", "edge_types")
_OF_NODES = ("id", "types", "features")
_ABOUT = {
    "folder": (*_OF_EDGES, *_OF_NODES, "graph", "directed"),
    "table": (*_OF_EDGES, *_OF_NODES, "graph", "directed", "edge_features"),
    "tu": ("directed",),
}


def _format_of(place: Path) -> str:
    suffix = place.suffix.lower()
    if place.is_dir():
        return "tu" if is_tu_folder(place) else "folder"
    if suffix in (".npz", ".txt"):
        return {".npz": "npz", ".txt": "text"}[suffix]
    if suffix in GRAPH6:
        return "graph6"
    if suffix in (".smi", ".smiles") or (suffix == ".csv" and _has_smiles(place)):
        return "smiles"
    unpacked = Path(place.stem).suffix.lower() if suffix == ".gz" else suffix
    if suffix in ARROW_SUFFIXES or unpacked in (".csv", ".tsv"):
        return "table"
    raise GraphFileError(
        place,
        "is of no format of many graphs that is read: .txt, .g6, .s6, .smi, .csv, .parquet, "
        ".npz or a folder",
    )


def _check_options(
    place: Path, kind: str, label: str | None, beside: dict[str, Path | None], options: Any
) -> None:
    """Refuse options that say nothing of a format."""
    known = _ABOUT.get(kind, ())
    wrong = [name for name in options if name not in known]
    if beside["nodes"] is not None and kind not in ("folder", "table"):
        wrong.append("nodes")
    if wrong:
        raise GraphError(f"the option {wrong[0]} says nothing of {place}: leave it out")
    lone = [name for name in _OF_NODES if name in options and beside["nodes"] is None]
    if lone:
        raise GraphError(f"the option {lone[0]} needs a table of the nodes: give nodes as well")
    if label is not None and beside["targets"] is None and kind != "smiles":
        raise GraphError(f"the label {label!r} needs a table of the graphs: give targets as well")


def _with_targets(
    found: GraphSet, targets: Path | None, label: str | None, task: str | None
) -> GraphSet:
    if targets is None:
        return found
    names = [found.name_of(k) for k in range(len(found))]
    return found.with_targets(read_targets(targets, names, label), task)


def _has_smiles(path: Path) -> bool:
    with path.open("rb") as file:
        return b"smiles" in file.readline(1 << 16).lower()
