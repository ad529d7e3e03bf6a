"""``grape evaluate``: how good a trained model is, class by class."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.figures import print_figures
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
from grape_gnn.cli.train_graphs import graphs_for, is_graph_run
from grape_gnn.cli.train_options import Targets
from grape_gnn.errors import ModelError

if TYPE_CHECKING:
    from grape_gnn.runs import RunFolder

__all__ = ["evaluate"]

_WIDEST = 20  # classes; a larger confusion matrix does not fit a screen


@reads_graph
def evaluate(
    read: ReadGraph | None,
    run: RunPath,
    file: OptionalGraph = None,
    targets: Targets = None,
    part: Annotated[
        str | None,
        typer.Option(
            help="Of the run's own graph: train, validation, test or all. Without it: test."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score a trained model: all metrics, precision and recall by class, confusion.

    On the graph of the training, named or not, the nodes of the test
    part are scored; on another graph all nodes that have a label; of a training on many graphs,
    the graphs. Numbers are scored by RMSE, MAE and R2, beside what their
    mean in training gets.

    \b
    Examples:
      grape evaluate runs/cora-1
      grape evaluate runs/cora-1 --part validation --json
      grape evaluate runs/planted-roles-1 planted-roles --option seed=1
      grape evaluate runs/molecules-1 others.txt
    """
    load_torch()
    from grape_gnn.runs.figures import part_figures
    from grape_gnn.runs.predictions import PARTS

    if part not in (None, "all", *PARTS):
        raise ModelError(f"unknown part {part!r}: choose {', '.join(PARTS)} or all")
    folder, data = _asked(run, read, targets)
    model = folder.model()
    if data.y is None:
        how = ("name their column with --label", "give their table with --targets")
        raise ModelError(f"{file} has no labels to score against: {how[is_graph_run(run)]}")
    own = read is None or model.is_trained_on(data)
    if part is not None and not own:
        raise ModelError(f"--part is about the graph of the run; {file} has no parts")
    with working("predicting"):
        outputs = model.outputs(data)
    wanted = None if part == "all" or not own else part or "test"
    things = f"{folder.sample}s"
    chosen = data.labelled if wanted is None else getattr(model.split_, wanted)
    found = part_figures(model, data, outputs, chosen)
    where = f"{folder.title if read is None else file}, {wanted or 'all labelled'} {things}"
    if as_json:
        print_json({"run": str(run), "graph": str(file or folder.name), "part": wanted,
                    "task": model.task_, **_called(found, things)})  # fmt: skip
    else:
        _print_scores(where, model.task_, found, things)
    unknown = found.get("labels", [])[len(model.labels_) :]
    if unknown:
        say(
            f"warning: the model has never seen the labels {', '.join(map(str, unknown))}: their "
            f"{things} count as wrong",
            "yellow",
        )


def _asked(run: Path, read: ReadGraph | None, targets: Path | None) -> tuple[RunFolder, Any]:
    """Return a run, and the graph or the set of graphs that is scored."""
    from grape_gnn.runs import RunFolder
    from grape_gnn.runs.graph_run import GraphRun

    if is_graph_run(run):
        many = GraphRun.open(run)
        with working(f"reading {many.path.name}"):
            source = None if read is None else read.source
            return many, graphs_for(many, source, targets, labels=True)
    if targets is not None:
        raise ModelError("--targets is for trainings with --task graph: leave it out")
    folder = RunFolder.open(run)
    with working(f"reading {folder.path.name}"):
        return folder, graph_for(folder, read, labels=True)


def _called(found: dict[str, Any], things: str) -> dict[str, Any]:
    """Call what is counted by its name."""
    renamed = {things if key == "nodes" else key: value for key, value in found.items()}
    if "classes" in renamed:
        renamed["classes"] = [_called(entry, things) for entry in renamed["classes"]]
    return renamed


def _print_scores(where: str, task: str, found: dict[str, Any], things: str) -> None:
    screen = console()
    screen.print(where, style="bold cyan")
    figures, baseline = {"score": found["figures"]}, found.get("baseline", {})
    print_figures(figures, {"score": found["nodes"]}, task, baseline, of=things)
    if task == "regression":
        return
    screen.print()
    numbers = ("precision", "recall", "F1", things)
    table = plain_table("class" if task == "classification" else "label", *numbers, right=numbers)
    for entry in found["classes"]:
        shares = (entry["precision"], entry["recall"], entry["f1"])
        table.add_row(str(entry["label"]), *map(_percent, shares), f"{entry['nodes']:,}")
    screen.print(table)
    if task == "multi-label":
        return
    labels, confusion = found["labels"], found["confusion"]
    if len(labels) > _WIDEST:
        screen.print(f"\n{len(labels)} classes: --json has the confusion matrix")
        return
    screen.print("\nconfusion: a row for each label, a column for each answer")
    columns = [str(number) for number in range(1, len(labels) + 1)]
    rows = [
        [f"{number} {label}", *(str(count) if count else "." for count in row)]
        for number, label, row in zip(columns, labels, confusion, strict=True)
    ]
    print_wide(("", *columns), rows)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}%"
