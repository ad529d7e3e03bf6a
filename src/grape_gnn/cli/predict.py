"""``grape predict``: the label of every node, by a trained model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.options import OptionalGraph, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, console, load_torch, print_text, working
from grape_gnn.cli.run_graph import graph_for
from grape_gnn.cli.train_graphs import is_graph_run, predict_graph_run
from grape_gnn.errors import GrapeError

__all__ = ["RunPath", "predict"]

RunPath = Annotated[
    Path, typer.Argument(metavar="RUN", help="A folder that `grape train` made.")
]  # fmt: skip


@reads_graph
def predict(
    read: ReadGraph | None,
    run: RunPath,
    file: OptionalGraph = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the table to a .csv file, not the screen."
        ),
    ] = None,
    use_labels: Annotated[
        bool,
        typer.Option(
            "--use-labels",
            help="Let a model trained with label inputs see all labels that another graph has.",
        ),
    ] = False,
) -> None:
    """Predict the label of every node: of the run's own graph, or of another one.

    Another graph must have the same features in the same order; its
    columns are looked for by the names used in training. The table has
    the columns node, label (if known), predicted, probability, and the
    part the node had in training. Several labels are separated by
    semicolons; numbers have no probability.

    \b
    Examples:
      grape predict runs/cora-1 --out predictions.csv
      grape predict runs/friends-1 others.csv --nodes others-people.csv --out predictions.csv
      grape predict runs/molecules-1 others.txt --out predictions.csv
      grape predict runs/planted-roles-1 planted-roles --option seed=1 > predictions.csv
    """
    if is_graph_run(run):
        predict_graph_run(run, None if read is None else read.source, out)
        return
    load_torch()
    from grape_gnn.runs import RunFolder
    from grape_gnn.runs.predictions import format_predictions, predict_nodes, write_predictions

    if out is not None:
        check_target(out)
    folder = RunFolder.open(run)
    model = folder.model()
    with working(f"reading {folder.path.name}"):
        graph = graph_for(folder, read, labels=False)
    if use_labels and (read is None or graph.y is None):
        raise GrapeError(
            "--use-labels is for another graph than the run's, with labels: give its file and "
            "--label COLUMN"
        )
    known = graph.labelled if use_labels else None
    with working("predicting"):
        rows = predict_nodes(model, graph, folder.split() if read is None else None, known)
    if out is None:
        print_text(format_predictions(rows))
        return
    write_predictions(out, rows)
    console().print(f"{len(rows):,} nodes predicted: {out}", soft_wrap=True)
