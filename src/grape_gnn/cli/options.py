"""Options that several commands share, and the reading of the graph they describe."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from grape_gnn.graph import Graph, read_graph

__all__ = ["AsJson", "GraphFile", "Induced", "ReadGraph", "Templates", "reads_graph"]

_READING = "Reading the graph"

ReadGraph = Callable[[], Graph]

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
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="For edge lists: whether the first line names the columns. Without it: as it looks.",
        rich_help_panel=_READING,
    ),
]
Isolated = Annotated[
    bool,
    typer.Option(
        "--isolated",
        help="For edge lists: add the nodes that only the table lists.",
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
Templates = Annotated[
    list[str],
    typer.Option(
        "--templates",
        "-t",
        help="A set (social, citation, ecommerce), names separated by commas, text such as "
        "'0-1 1-2', or a .json file. May be given several times.",
    ),
]


def reads_graph(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument GRAPH and all options of reading it.

    The command takes as its first parameter the function that reads the graph, to be called when
    everything else has been checked. It may ask for the ``file`` as well.
    """
    own = inspect.signature(command, eval_str=True).parameters
    reading = inspect.signature(_read, eval_str=True).parameters
    every = {"file": reading["file"], **own, **reading}
    del every["read"]

    def run(**given: Any) -> None:
        read = partial(_read, **{name: given[name] for name in reading})
        command(read, **{name: given[name] for name in own if name != "read"})

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {name: parameter.annotation for name, parameter in every.items()}
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in every.values()]
    )
    return run


def _read(
    file: GraphFile,
    directed: Directed = None,
    nodes: Nodes = None,
    label: Label = None,
    features: Features = None,
    header: Header = None,
    isolated: Isolated = False,
    format: Format = None,
) -> Graph:
    return read_graph(
        file,
        directed,
        nodes=nodes,
        label=label,
        features=None if features is None else [name.strip() for name in features.split(",")],
        header=header,
        isolated=isolated or None,
        format=format,
    )
