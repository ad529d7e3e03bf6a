"""``grape compare``: GRAPE against its baselines, under one protocol."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.comparison_progress import ComparisonProgress
from grape_gnn.cli.completion import complete_templates
from grape_gnn.cli.config_file import ConfigFile
from grape_gnn.cli.options import AsJson, OptionalGraph, ReadGraph, reads_graph
from grape_gnn.cli.output import console, load_torch, plain_table, print_json, print_wide, say
from grape_gnn.datasets.features import KINDS
from grape_gnn.errors import GrapeError, MissingExtraError
from grape_gnn.warn import said_before

if TYPE_CHECKING:
    from grape_gnn.comparison import Row

__all__ = ["compare"]


@reads_graph
def compare(
    read: ReadGraph | None,
    file: OptionalGraph = None,
    methods: Annotated[
        str,
        typer.Option(
            "--methods",
            "-m",
            help="all, or names separated by commas: gcn, sage, gin, gat, mixhop, geniepath, "
            "meta-gnn, de-gnn, grape; for reference label-propagation, mlp, linkx, "
            "logistic-degree, logistic-totals.",
        ),
    ] = "all",
    features: Annotated[
        str | None,
        typer.Option(
            metavar="KINDS|COLUMNS",
            help="original, constant (all ones), random, or several separated by commas; or, for "
            "files, the columns or node attributes to use.",
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of runs, each with a split: random, or one of those that come with the "
            "graph. Without it: 10, or as many as come with the graph.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            help="What chooses epochs and settings, and scores test nodes; as in grape train.",
        ),
    ] = None,
    profile: Annotated[
        str, typer.Option(help="Points of every method's grid: quick 2, standard 4, paper 16.")
    ] = "standard",
    label_inputs: Annotated[
        bool,
        typer.Option(
            "--label-inputs",
            help="Give every method that trains the training labels besides the features, and "
            "let validation decide whether it uses the features.",
        ),
    ] = False,
    templates: Annotated[
        list[str] | None,
        typer.Option(
            "--templates",
            "-t",
            help="For GRAPE and Meta-GNN, as in grape train. Without it: the set that suits the "
            "graph.",
            autocompletion=complete_templates,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Where to keep the results, and to go on from. Without it: runs/compare-<graph>.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, help="Number of processes; the results are the same.")
    ] = 1,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Compare GRAPE with its baselines: the same splits, grid, schedule and early stopping for all.

    Each method tries a grid of settings on the first split, takes the one
    with the best validation score, and is run on all splits; test labels
    are read once, at the end of a run. The score is the metric: without
    --metric what the dataset's authors use, or as in grape train. Every
    training is kept: the same command goes on where it was interrupted.

    \b
    Examples:
      grape compare cora
      grape compare amherst --features original,constant,random --profile paper --jobs 2
      grape compare amherst --methods gin,grape --label-inputs
      grape compare friends.csv --nodes people.csv --label team --methods gcn,gin,grape --seeds 3
    """
    if read is None:
        raise GrapeError(
            "say what to compare on: a dataset, such as  grape compare cora,  or a file"
        )
    load_torch()
    from grape_gnn import comparison
    from grape_gnn.baselines import METHODS, method
    from grape_gnn.comparison.folder import ComparisonFolder
    from grape_gnn.estimator.target import check_labels, complete_split
    from grape_gnn.runs.training import remarks
    from grape_gnn.template.zoo import templates as find_templates
    from grape_gnn.training import check_metric, default_metric

    # What can fail at once should not fail after an hour.
    names = [name.strip() for name in methods.split(",")]
    if methods == "all":
        names = [name for name in METHODS if not _left_out(name)]
    for name in names:
        method(name)
    comparison.find_profile(profile)
    chosen = None if templates is None else find_templates(templates)
    source = replace(read.source, features=None)
    target = Path("runs", f"compare-{source.title}") if out is None else out
    going_on = ComparisonFolder.is_about(target, source.to_json())
    with said_before() if going_on else nullcontext():
        graph = ReadGraph(source)()
    labels = check_labels(graph)
    for line in () if going_on else remarks(source, graph):
        say(f"{source.title}: {line}", "yellow")
    metric = metric or source.metric or default_metric(labels[graph.labelled])
    check_metric(metric, graph.task)
    own = [complete_split(graph, split, number) for number, split in enumerate(graph.splits)]
    fixed = source.splits() or own
    seeds = seeds or (len(fixed) if own else min(10, len(fixed) or 10))
    if fixed and seeds > len(fixed):
        raise GrapeError(
            f"{source.title} comes with {len(fixed)} splits: --seeds takes at most that many"
        )
    kinds = _kinds(features) or ["original" if graph.has_features else "constant"]
    asked = {
        "source": source.to_json(), "methods": names, "features": kinds, "seeds": seeds,
        "metric": metric, "profile": profile, "label_inputs": label_inputs,
        "command": ["grape", *sys.argv[1:]],
    }  # fmt: skip
    runs = []
    progress = ComparisonProgress(len(names) * len(kinds))
    with ComparisonFolder.ready(target, asked) as folder, progress:
        try:
            for kind in kinds:
                runs += comparison.compare(
                    graph,
                    names,
                    dataset=source.title,
                    features=kind,
                    seeds=range(seeds),
                    metric=metric,
                    splits=fixed or None,
                    profile=profile,
                    label_inputs=label_inputs,
                    results=folder.results,
                    templates=chosen or source.default_templates(graph),
                    n_jobs=jobs,
                    progress=progress,
                )
        except KeyboardInterrupt:
            again = f"; the same command goes on from {folder.path}"
            raise KeyboardInterrupt(again) from None
        rows = comparison.comparison_table(runs)
        folder.write_table(rows)
    if as_json:
        print_json({"folder": str(folder.path), "rows": [asdict(row) for row in rows]})
        return
    _print_rows(rows)
    console().print(f"\nfolder: {folder.path} (table.md, results.jsonl)", soft_wrap=True)


def _left_out(name: str) -> bool:
    """Whether a method stands for reference only and what it needs is not installed."""
    from grape_gnn.baselines import REFERENCE_METHODS, method

    if name not in REFERENCE_METHODS:
        return False
    try:
        method(name)
    except MissingExtraError as error:
        say(f"{name} is left out: {error}", "yellow")
        return True
    return False


def _kinds(features: str | None) -> list[str]:
    words = [] if features is None else [word.strip() for word in features.split(",")]
    return words if set(words) <= set(KINDS) else []


def _print_rows(rows: list[Row]) -> None:
    from grape_gnn.training import METRICS

    screen = console()
    for features in dict.fromkeys(row.features for row in rows):
        group = [row for row in rows if row.features == features]
        screen.print(f"{group[0].dataset}, {features} features", style="bold cyan")
        _print_group(group)
        _print_metrics(group)
    metric = METRICS[rows[0].metric]
    unit = " in percent" if metric.percent else ", lower is better" if metric.is_error else ""
    screen.print(
        f"\nTest {metric.words}{unit}: mean ± standard deviation. 1 first; = tied "
        "with the first within one standard error; () for reference, not ranked; + labels: with "
        "label inputs.",
    )


def _print_group(rows: list[Row]) -> None:
    numbers = ("test", "std. error", "runs", "s/run")
    table = plain_table("", "method", *numbers[:2], "difference", *numbers[2:], right=numbers)
    for row in rows:
        table.add_row(
            "1" if row.first else "=" if row.tied else "",
            row.title,
            f"{row.text(row.mean)} ± {row.text(row.std)}",
            row.text(row.error),
            row.difference_text,
            str(row.runs),
            f"{row.seconds:.1f}",
            style="bold" if row.first else None,
        )
    console().print(table)


def _print_metrics(rows: list[Row]) -> None:
    """Print all metrics, in as many tables as the width of the screen takes."""
    from grape_gnn.comparison.table import metric_columns

    heads, cells = metric_columns(rows)
    if heads:
        console().print("\nall metrics of the test nodes, means over the runs")
        lines = [[row.title, *texts] for row, texts in zip(rows, cells, strict=True)]
        print_wide(["method", *(head.replace(" ", "\n") for head in heads)], lines)
