"""The metrics of a trained model as a table on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grape_gnn.cli.output import console, plain_table

__all__ = ["print_figures"]

_BASELINE = {"classification": "largest class", "regression": "mean"}


def print_figures(
    figures: Mapping[str, Mapping[str, Any]],
    nodes: Mapping[str, int],
    task: str,
    baseline: Mapping[str, Any],
    of: str = "nodes",
) -> None:
    """Print a row for every metric and a column for every part of the nodes.

    Parameters
    ----------
    figures
        Metrics by name, by part.
    nodes
        Number of nodes by part.
    task
        What they are of.
    baseline
        What the largest class, or the mean of the training labels, gets for an answer on the last
        part.
    of
        What is counted: nodes or graphs.
    """
    from grape_gnn.training import figure_text, metrics_of

    parts, last = list(figures), _BASELINE.get(task)
    columns = [*parts, *([last] if last and baseline else [])]
    table = plain_table("", *columns, right=tuple(columns))
    table.add_row(of, *(f"{nodes[part]:,}" for part in parts), *[""] * (last in columns))
    for metric in metrics_of(task):
        cells = [figure_text(metric.name, figures[part].get(metric.name)) for part in parts]
        if last in columns:
            cells.append(figure_text(metric.name, baseline.get(metric.name)))
        table.add_row(metric.title(task), *cells)
    console().print(table)
