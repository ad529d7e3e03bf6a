"""The options of ``grape train``: templates and folders, the network, the training protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.arguments import one_of
from grape_gnn.cli.completion import complete_templates
from grape_gnn.errors import GrapeError
from grape_gnn.roles import ENGINES

__all__ = [
    "BatchSize", "ClassWeight", "Device", "Dropout", "EdgeFeatures", "EdgeOnly", "Engine", "Epochs",
    "GraphColumn", "Hidden", "LabelInputs", "Layers", "LearningRate", "MatchTime", "Metric",
    "MinEpochs", "NewRun", "PairLayer", "Patience", "Pooling", "Preset", "Products", "Resume",
    "SampleNeighbours", "Scaling", "Seed", "Split", "Targets", "Templates", "Threads", "Tune",
    "WeightDecay", "parse_batch_size", "parse_weights",
]  # fmt: skip

_NETWORK, _PROTOCOL, _GRAPHS = "The network", "The training", "Many graphs (--task graph)"

Templates = Annotated[
    list[str] | None,
    typer.Option(
        "--templates",
        "-t",
        help="A set (social, citation, ecommerce), names separated by commas, text such as "
        "'0-1 1-2', a .json file, or the folder of a search. May be given several times. "
        "Without it: the set that suits the graph.",
        autocompletion=complete_templates,
    ),
]

NewRun = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="RUN",
        help="The run folder to make. Without it: runs/<graph>-<number>.",
    ),
]

Resume = Annotated[
    Path | None,
    typer.Option(metavar="RUN", help="Go on with an interrupted training; it knows its options."),
]

Preset = Annotated[
    str, typer.Option(help="default, paper, released or decoupled.", rich_help_panel=_NETWORK)
]

Hidden = Annotated[int, typer.Option(help="Width of the hidden layers.", rich_help_panel=_NETWORK)]

Layers = Annotated[
    int, typer.Option(help="Number of layers; of graphs 3.", rich_help_panel=_NETWORK)
]

Dropout = Annotated[float, typer.Option(help="Share of values dropped.", rich_help_panel=_NETWORK)]

PairLayer = Annotated[
    bool,
    typer.Option(
        "--pair-layer",
        help="Refine the role counts of all pairs of nodes besides, in graphs of up to 200 nodes.",
        rich_help_panel=_GRAPHS,
    ),
]

Pooling = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="How nodes make up their graph: sum, mean, max, attention, or several separated by "
        "commas.",
        rich_help_panel=_GRAPHS,
    ),
]

MatchTime = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Leave out the templates that cannot be matched in this time, such as 1m, the largest "
        "first; which ones is said.",
        rich_help_panel=_GRAPHS,
    ),
]

Targets = Annotated[
    Path | None,
    typer.Option(
        metavar="TABLE",
        help="A table of what is to be predicted: the names of the graphs in its first column; "
        "--label names the other.",
        rich_help_panel=_GRAPHS,
    ),
]

GraphColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="In a table of the edges of many graphs: the column that says which graph. Without "
        "it: graph, graph_id, molecule or mol_id.",
        rich_help_panel=_GRAPHS,
    ),
]

EdgeFeatures = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="In a table of the edges of many graphs: the columns with numbers that are learnt "
        "from, separated by commas.",
        rich_help_panel=_GRAPHS,
    ),
]

EdgeOnly = Annotated[
    bool | None,
    typer.Option(
        "--edge-only/--all-templates",
        help="Leave out all templates but the edges, or keep all. Default: keep what "
        "--templates names; without it, what validates better.",
        rich_help_panel=_NETWORK,
    ),
]

LabelInputs = Annotated[
    str,
    typer.Option(
        metavar="on|off|auto",
        help="Give the network training labels as inputs, besides the features; auto: if the "
        "validation nodes say so.",
        rich_help_panel=_NETWORK,
    ),
]

Tune = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Choose depth, width, learning rate, dropout, and whether the edges alone do, on "
        "the validation nodes first, for so long: 90s, 10m, 2h. The options given are where it "
        "starts.",
        rich_help_panel=_PROTOCOL,
    ),
]

LearningRate = Annotated[
    float,
    typer.Option(help="Adam's rate, halved every 100 epochs.", rich_help_panel=_PROTOCOL),
]

WeightDecay = Annotated[
    float, typer.Option(help="Weight of the L2 penalty.", rich_help_panel=_PROTOCOL)
]

Epochs = Annotated[
    int,
    typer.Option(help="Largest number of epochs; of graphs 200.", rich_help_panel=_PROTOCOL),
]

Patience = Annotated[
    int,
    typer.Option(
        help="Stop after this many epochs without a better validation score.",
        rich_help_panel=_PROTOCOL,
    ),
]

MinEpochs = Annotated[
    int | None,
    typer.Option(
        help="Do not stop before this epoch. Without it: 200 for constant features, else 0.",
        rich_help_panel=_PROTOCOL,
    ),
]

Metric = Annotated[
    str | None,
    typer.Option(
        help="What chooses the epoch and the settings on validation nodes: accuracy, "
        "balanced-accuracy, macro-f1, weighted-f1, roc-auc, average-precision, log-loss; for "
        "several labels also micro-f1; for numbers rmse, mae, r2. Without it: what the "
        "dataset's authors use; else accuracy, or roc-auc if one of two classes has fewer "
        "than 30% of the nodes, micro-f1, rmse.",
        rich_help_panel=_PROTOCOL,
    ),
]

ClassWeight = Annotated[
    str | None,
    typer.Option(
        metavar="balanced|LABEL=WEIGHT,...",
        help="balanced: give every class the same weight in the loss, however few nodes it "
        "has. Or weights by label, such as fraud=10; other labels have 1.",
        rich_help_panel=_PROTOCOL,
    ),
]

BatchSize = Annotated[
    str,
    typer.Option(
        metavar="NUMBER|auto|full",
        help="Nodes of a mini-batch. full: all nodes at once; auto: if that fits into memory, "
        "else 1024 with a sample of the members; with the preset decoupled, as many as fit "
        "into 64 MB.",
        rich_help_panel=_PROTOCOL,
    ),
]

SampleNeighbours = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER",
        help="In mini-batches, members per role and ego, drawn at random and right on average. "
        "Without it: all.",
        rich_help_panel=_PROTOCOL,
    ),
]

Products = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="For the preset decoupled: role products of grape precompute; computed into it if "
        "it is not there.",
        rich_help_panel=_PROTOCOL,
    ),
]

Split = Annotated[
    str,
    typer.Option(
        metavar="NUMBER|random",
        help="Which of the splits that come with the graph (masks, columns of the node "
        "table), from 0; random: none of them.",
        rich_help_panel=_PROTOCOL,
    ),
]

Seed = Annotated[
    int,
    typer.Option(
        help="Of the random 60/20/20 split, the weights and dropout.",
        rich_help_panel=_PROTOCOL,
    ),
]

Scaling = Annotated[
    bool | None,
    typer.Option(
        "--scaling/--no-scaling",
        help="Scale numeric features by their training values. Without it: the columns of a "
        "node table are scaled, a matrix of features is taken as it is.",
        rich_help_panel=_NETWORK,
    ),
]

Engine = Annotated[
    str,
    typer.Option(
        help=f"Matching engine: {', '.join(ENGINES)}.",
        rich_help_panel=_PROTOCOL,
    ),
]

Device = Annotated[str, typer.Option(help="cpu, cuda, cuda:1, ...", rich_help_panel=_PROTOCOL)]

Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Number of torch threads; the result depends on it.",
        rich_help_panel=_PROTOCOL,
    ),
]


def parse_batch_size(text: str) -> int | str | None:
    """Return the number of nodes, None for all of them, or ``"auto"``.

    Examples
    --------
    >>> parse_batch_size("512"), parse_batch_size("full"), parse_batch_size("auto")
    (512, None, 'auto')
    """
    if text.isdecimal() and int(text) > 0:
        return int(text)
    one_of("--batch-size", text, ("auto", "full"), error=GrapeError)
    return None if text == "full" else text


def parse_weights(text: str | None) -> str | dict[str, float] | None:
    """Return weights by label; a word as it is.

    Examples
    --------
    >>> parse_weights("balanced"), parse_weights("fraud=10,ok=0.5")
    ('balanced', {'fraud': 10.0, 'ok': 0.5})
    """
    if text is None or "=" not in text:
        return text
    weights = {}
    for part in text.split(","):
        label, _, weight = part.rpartition("=")
        try:
            weights[label.strip()] = float(weight)
        except ValueError:
            raise GrapeError(
                f"--class-weight {text}: write LABEL=WEIGHT, several separated by commas"
            ) from None
    return weights
