"""``grape evaluate``: how good a trained model is, class by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.options import AsJson, OptionalGraph, ReadGraph, reads_graph
from grape_gnn.cli.output import (
    console,
    load_torch,
    plain_table,
    print_json,
    print_wide,
    say,
    working,
)
from grape_gnn.cli.predict import RunPath
from grape_gnn.cli.run_graph import graph_for
from grape_gnn.errors import ModelError

if TYPE_CHECKING:
    from grape_gnn.runs.scores import Scores

__all__ = ["evaluate"]

_WIDEST = 20  # classes; a larger confusion matrix does not fit a screen


@reads_graph
def evaluate(
    read: ReadGraph | None,
    run: RunPath,
    file: OptionalGraph = None,
    part: Annotated[
        str | None,
        typer.Option(
            help="Of the run's own graph: train, validation, test or all. Without it: test."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score a trained model: accuracy, precision and recall by class, confusion.

    On the run's own graph the nodes of the test part are scored; on
    another graph all nodes that have a label.

    \b
    Examples:
      grape evaluate runs/cora-1
      grape evaluate runs/cora-1 --part validation --json
      grape evaluate runs/planted-roles-1 planted-roles --option seed=1
    """
    load_torch()
    from grape_gnn.runs import RunFolder
    from grape_gnn.runs.predictions import PARTS, predict_nodes
    from grape_gnn.runs.training import score_part

    if part not in (None, "all", *PARTS):
        raise ModelError(f"unknown part {part!r}: choose {', '.join(PARTS)} or all")
    if part is not None and read is not None:
        raise ModelError(f"--part is about the graph of the run; {file} has no parts")
    folder = RunFolder.open(run)
    model = folder.classifier()
    with working(f"reading {folder.path.name}"):
        graph = graph_for(folder, read, labels=True)
    if graph.y is None:
        raise ModelError(f"{file} has no labels to score against: name their column with --label")
    with working("predicting"):
        rows = predict_nodes(model, graph, folder.split() if read is None else None)
    wanted = None if read is not None or part == "all" else part or "test"
    scores = score_part(rows, model.classes_, wanted)
    where = f"{folder.source.title}, {wanted or 'all'} nodes" if read is None else str(file)
    if as_json:
        print_json({"run": str(run), "graph": str(file or folder.source.name), "part": wanted,
                    **scores.to_json()})  # fmt: skip
    else:
        _print_scores(where, scores)
    unknown = scores.labels[len(model.classes_) :]
    if unknown:
        say(
            f"warning: the model has never seen the labels {', '.join(map(str, unknown))}: their "
            f"nodes count as wrong",
            "yellow",
        )


def _print_scores(where: str, scores: Scores) -> None:
    screen = console()
    screen.print(where, style="bold cyan")
    screen.print(
        f"accuracy {100 * scores.accuracy:.2f}% of {scores.nodes:,} nodes; macro F1 "
        f"{100 * scores.macro_f1:.2f}%; the largest class has {100 * scores.majority_share:.2f}%\n"
    )
    numbers = ("precision", "recall", "F1", "nodes")
    table = plain_table("class", *numbers, right=numbers)
    for entry in scores.classes:
        shares = (entry.precision, entry.recall, entry.f1)
        table.add_row(str(entry.label), *map(_percent, shares), f"{entry.nodes:,}")
    screen.print(table)
    if len(scores.labels) > _WIDEST:
        screen.print(f"\n{len(scores.labels)} classes: --json has the confusion matrix")
        return
    screen.print("\nconfusion: a row for each label, a column for each answer")
    columns = [str(number) for number in range(1, len(scores.labels) + 1)]
    rows = [
        [f"{number} {label}", *(str(count) if count else "." for count in row)]
        for number, label, row in zip(
            columns, scores.labels, scores.confusion.tolist(), strict=True
        )
    ]
    print_wide(("", *columns), rows)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}%"
