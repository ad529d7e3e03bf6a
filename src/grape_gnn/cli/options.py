"""Options that several commands share, and the reading of the graph they describe."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from grape_gnn.cli.completion import complete_graph, complete_templates
from grape_gnn.cli.option_groups import take_options
from grape_gnn.cli.output import working
from grape_gnn.datasets.features import KINDS
from grape_gnn.datasets.source import GraphSource, find_source
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph
from grape_gnn.graph.targets import TASKS

__all__ = [
    "PARTS",
    "AsJson",
    "GraphFile",
    "Induced",
    "Jobs",
    "OptionalGraph",
    "ReadGraph",
    "Scheduler",
    "Task",
    "Templates",
    "reads_graph",
]

_READING = "Reading the graph"

_GRAPH = typer.Argument(
    metavar="GRAPH",
    help="A dataset, such as cora or amherst, or a file: edge list (.csv, .tsv, .txt, also .gz), "
    ".parquet or .arrow, also a folder of parts, .graphml, .mtx, Facebook100 .mat, .npz or .grape.",
    show_default=False,
    autocompletion=complete_graph,
)
GraphFile = Annotated[str, _GRAPH]
OptionalGraph = Annotated[str | None, _GRAPH]
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
        help="For edge lists: a table of the nodes with their labels and features, .csv, .tsv, "
        ".parquet or .arrow, also a folder of parts.",
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
Task = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(TASKS),
        help="What the labels are. Without it: as they look, and doubts are said. For grape train "
        "also graph: the file has many graphs, and whole graphs are predicted (graph-regression, "
        "..., to say what the labels are); and link: missing links are, without labels.",
        rich_help_panel=_READING,
    ),
]
Features = Annotated[
    str | None,
    typer.Option(
        metavar="KIND|COLUMNS",
        help="original, constant (all ones) or random; or, for files, the columns or node "
        "attributes to use, separated by commas.",
        rich_help_panel=_READING,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="edge_list, arrow, graphml, matrix_market, facebook100, npz or folder, if the suffix "
        "does not tell.",
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
Source = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="For edge lists: the column with one end of an edge. Without it: one called source, "
        "from, src, ..., or else the first.",
        rich_help_panel=_READING,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="For edge lists: the column with the other end.",
        rich_help_panel=_READING,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="For edge lists: a column of weights; an edge of weight 0 is none, all others count "
        "alike.",
        rich_help_panel=_READING,
    ),
]
Types = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column of the node table, or the node attribute, with the types of the nodes, "
        "which templates can ask for as in '0-1 1:N'.",
        rich_help_panel=_READING,
    ),
]
EdgeTypes = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column of the edge list, or the edge attribute, with the types of the edges, as "
        "in '0-1=double'.",
        rich_help_panel=_READING,
    ),
]
Id = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column of the node table with the names of the nodes. Without it: the first.",
        rich_help_panel=_READING,
    ),
]
Categorical = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns of the node table that are categories but look like numbers, separated by "
        "commas.",
        rich_help_panel=_READING,
    ),
]
Ignore = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns of the node table to leave out, separated by commas.",
        rich_help_panel=_READING,
    ),
]
DatasetOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="For datasets: an option of the dataset, such as missing=drop-label.",
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
        "'0-1 1-2', a .json file, or the folder of a search. May be given several times.",
        autocompletion=complete_templates,
    ),
]

PARTS = "In parts, on many machines"
"""The panel of the options of work in parts."""

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Parts at a time.", rich_help_panel=PARTS)]

Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Of a Dask cluster that does the work, such as tcp://10.0.0.1:8786.",
        rich_help_panel=PARTS,
    ),
]


@dataclass(frozen=True)
class ReadGraph:
    """A graph that the user named, to be loaded when everything else has been checked."""

    source: GraphSource

    def __call__(self) -> Graph:
        """Load the graph."""
        with working(f"reading {self.source.title}"):
            return self.source.load()

    def another(self, file: str) -> ReadGraph:
        """Name another graph, to be read with the same options."""
        options = {} if self.source.is_dataset else self.source.options
        return ReadGraph(find_source(file, options, self.source.features))


def reads_graph(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument GRAPH and all options of reading it.

    The command takes as its first parameter what reads the graph (`ReadGraph`). It may ask for
    the ``file`` as well; if it gives it the default None, the argument may be left out, and the
    first parameter is None then. If it asks for the ``features``, they may be of several kinds; if
    it asks for the ``task``, that may be ``link``, which says nothing of the labels.
    """
    own = inspect.signature(command, eval_str=True).parameters
    reading = inspect.signature(_named, eval_str=True).parameters
    first = {} if "file" in own else {"file": reading["file"]}
    every = {**first, **own, **{name: each for name, each in reading.items() if name != "file"}}
    del every["read"]

    def run(**given: Any) -> None:
        read = None
        if given["file"] is not None:
            if "features" not in own:
                _refuse_several_kinds(given["features"])
            wanted = {name: given[name] for name in reading}
            if "task" in own and wanted["task"] == "link":
                wanted["task"] = None
            read = ReadGraph(_named(**wanted))
        command(read, **{name: given[name] for name in own if name != "read"})

    take_options(run, command, every)
    return run


def _named(
    file: GraphFile,
    features: Features = None,
    directed: Directed = None,
    nodes: Nodes = None,
    label: Label = None,
    task: Task = None,
    header: Header = None,
    source: Source = None,
    target: Target = None,
    weight: Weight = None,
    types: Types = None,
    edge_types: EdgeTypes = None,
    id: Id = None,
    categorical: Categorical = None,
    ignore: Ignore = None,
    format: Format = None,
    option: DatasetOption = None,
) -> GraphSource:
    words = [] if features is None else [word.strip() for word in features.split(",")]
    kinds = words if set(words) <= set(KINDS) else []
    columns = words if words and not kinds else None
    reading = {
        "directed": directed,
        "nodes": None if nodes is None else str(nodes),
        "label": label,
        "task": task,
        "features": columns,
        "header": header,
        "source": source,
        "target": target,
        "weight": weight,
        "types": types,
        "edge_types": edge_types,
        "id": id,
        "categorical": _words(categorical),
        "ignore": _words(ignore),
        "format": format,
    }
    given = {name: value for name, value in reading.items() if value is not None}
    found = find_source(file, given, kinds[0] if len(kinds) == 1 else None)
    if not found.is_dataset:
        if option:
            raise DatasetError(f"--option {option[0]} is for datasets, and {file} is a file")
        return found
    if columns is not None:
        unknown = next(word for word in columns if word not in KINDS)
        raise DatasetError(
            f"unknown kind of features {unknown!r}; for datasets choose {', '.join(KINDS)}"
        )
    for name in given:
        name = name.replace("_", "-")
        raise DatasetError(f"the option --{name} is for files, and {found.name} is a dataset")
    return replace(found, options=dict(_pair(word) for word in option or ()))


def _words(text: str | None) -> list[str] | None:
    return None if text is None else [word.strip() for word in text.split(",")]


def _refuse_several_kinds(features: str | None) -> None:
    words = {word.strip() for word in (features or "").split(",")}
    if len(words) > 1 and words <= set(KINDS):
        raise DatasetError(f"--features {features}: choose one kind of features, not several")


def _pair(word: str) -> tuple[str, str | int]:
    name, equals, value = word.partition("=")
    if not equals:
        raise DatasetError(f"--option {word}: expected NAME=VALUE, such as missing=drop-label")
    return name.strip(), int(value) if value.strip().isdecimal() else value.strip()
