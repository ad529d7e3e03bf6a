"""Options that several commands share, and the reading of the graph they describe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.graph import Graph, read_graph

__all__ = [
    "AsJson",
    "Directed",
    "Features",
    "Format",
    "GraphFile",
    "Induced",
    "Label",
    "Nodes",
    "read",
]

_READING = "Reading the graph"

GraphFile = Annotated[
    Path,
    typer.Argument(
        metavar="GRAPH",
        help="Edge list (.csv, .tsv, .txt, also .gz), .graphml, .mtx, Facebook100 .mat or .npz.",
    ),
]
Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Whether edges are arcs. Without it: as the file says; an edge list is undirected.",
        rich_help_panel=_READING,
    ),
]
Nodes = Annotated[
    Path | None,
    typer.Option(
        metavar="TABLE",
        help="For edge lists: a table of the nodes, their labels and features.",
        rich_help_panel=_READING,
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column or node attribute with the labels.",
        rich_help_panel=_READING,
    ),
]
Features = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="The columns or node attributes to use as features, separated by commas.",
        rich_help_panel=_READING,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="edge_list, graphml, matrix_market, facebook100 or npz, if the suffix does not tell.",
        rich_help_panel=_READING,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Induced = Annotated[
    bool,
    typer.Option(
        "--induced",
        help="Pairs that are not edges of the template must not be edges of the graph. Without "
        "it, further edges between matched nodes do not matter.",
    ),
]


def read(
    path: Path,
    directed: bool | None,
    nodes: Path | None,
    label: str | None,
    features: str | None,
    format: str | None,
) -> Graph:
    """Read the graph as the options say."""
    columns = None if features is None else [name.strip() for name in features.split(",")]
    return read_graph(path, directed, nodes=nodes, label=label, features=columns, format=format)
