"""``grape predict``: the label of every node, by a trained model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.options import (
    PARTS,
    Jobs,
    OptionalGraph,
    ReadGraph,
    Scheduler,
    reads_graph,
)
from grape_gnn.cli.output import check_target, console, load_torch, print_text, working
from grape_gnn.cli.run_graph import graph_for
from grape_gnn.cli.train_graphs import is_graph_run, predict_graph_run
from grape_gnn.errors import GrapeError

if TYPE_CHECKING:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.estimator.base import GrapeEstimator

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
            "--out",
            "-o",
            metavar="FILE",
            help="Write the table to a .csv file, not the screen; with --parts, the folder.",
        ),
    ] = None,
    use_labels: Annotated[
        bool,
        typer.Option(
            "--use-labels",
            help="Let a model trained with label inputs see all labels that another graph has.",
        ),
    ] = False,
    parts: Annotated[
        int | None,
        typer.Option(
            help="For .grape: write a folder of so many Parquet tables, one by one; it goes on "
            "where it stopped.",
            rich_help_panel=PARTS,
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="For products that must be computed first: take at most, say, 4GB for each job.",
            rich_help_panel=PARTS,
        ),
    ] = None,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
) -> None:
    """Predict the label of every node: of the run's own graph, or of another one.

    Columns of another node table are found by the names used in training,
    in any order; a matrix of features must have the same columns. The table has
    the columns node, label (if known), predicted, probability, and the
    part the node had in training. Several labels are separated by
    semicolons; numbers have no probability.

    \b
    Examples:
      grape predict runs/cora-1 --out predictions.csv
      grape predict runs/friends-1 others.csv --nodes others-people.csv --out predictions.csv
      grape predict runs/molecules-1 others.txt --out predictions.csv
      grape predict runs/planted-roles-1 planted-roles --option seed=1 > predictions.csv
      grape predict runs/big-1 big.grape --parts 64 --jobs 4 --out predictions
    """
    if parts is None and (memory is not None or jobs != 1 or scheduler is not None):
        raise GrapeError(
            "--memory, --jobs and --scheduler are for predicting in parts: add --parts 64"
        )
    if is_graph_run(run):
        if parts is not None:
            raise GrapeError("--parts is for the nodes of one graph, and this run has many graphs")
        predict_graph_run(run, None if read is None else read.source, out)
        return
    load_torch()
    from grape_gnn.runs import RunFolder
    from grape_gnn.runs.predictions import format_predictions, predict_nodes, write_predictions

    if out is not None and parts is None:
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
    if parts is not None:
        source = folder.source if read is None else read.source
        # Features that are not those of the file are given along.
        plain = source.features is None and folder.source.features in (None, "original")
        x = None if plain else graph.x
        options = {"parts": parts, "memory": memory, "jobs": jobs, "known": known, "x": x}
        predict_in_parts(model, source, out, scheduler, options)
        return
    with working("predicting"):
        rows = predict_nodes(model, graph, folder.split() if read is None else None, known)
    if out is None:
        print_text(format_predictions(rows))
        return
    write_predictions(out, rows)
    console().print(f"{len(rows):,} nodes predicted: {out}", soft_wrap=True)


def predict_in_parts(
    model: GrapeEstimator,
    source: GraphSource,
    out: Path | None,
    scheduler: str | None,
    options: dict[str, Any],
) -> None:
    """Predict in parts and say where they are."""
    from grape_gnn.cluster import predict_parts

    if out is None:
        raise GrapeError("--parts needs a folder for the parts: add --out FOLDER")
    if scheduler is not None:
        options = {**options, "backend": "dask", "scheduler": scheduler}
    try:
        with working("predicting"):
            found = predict_parts(model, source.name, out, **options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("; the same command goes on where it stopped") from None
    nodes = found.blocks[-1][1] if found.blocks else 0
    console().print(
        f"{nodes:,} nodes predicted: {len(found.blocks):,} parts in {out}", soft_wrap=True
    )
