"""``grape train --task link``: the protocol and the model of ``grape links``, in a run folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.output import (
    console,
    load_torch,
    plain_table,
    print_json,
    shell_words,
    working,
)

if TYPE_CHECKING:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.runs.link_run import LinkRun

__all__ = ["print_link_figures", "resume_links", "show_link_run", "train_links"]


def train_links(source: GraphSource, out: Path | None, seed: int, threads: int | None) -> LinkRun:
    """Train on the links of a graph."""
    load_torch()
    from grape_gnn.runs.link_run import train_link_run
    from grape_gnn.runs.training import next_folder

    folder = next_folder("runs", source.title) if out is None else out
    command = ["grape", *sys.argv[1:]]
    with working("hiding links") as progress:
        try:
            return train_link_run(
                folder, source, seed, threads=threads, command=command, progress=progress
            )
        except KeyboardInterrupt:
            raise _stopped(folder) from None


def resume_links(folder: Path) -> LinkRun:
    """Go on with an interrupted training on links."""
    load_torch()
    from grape_gnn.runs.link_run import resume_link_run

    with working("hiding links") as progress:
        try:
            return resume_link_run(folder, progress)
        except KeyboardInterrupt:
            raise _stopped(folder) from None


def _stopped(folder: Path) -> KeyboardInterrupt:
    if not (folder / "config.json").exists():
        return KeyboardInterrupt()
    return KeyboardInterrupt(f"; go on with  {shell_words('grape', 'train', '--resume', folder)}")


def show_link_run(run: LinkRun, as_json: bool) -> None:
    """Print the summary of a finished training."""
    metrics, screen = run.metrics, console()
    if as_json:
        print_json({"run": str(run.path), **metrics})
        return
    screen.print(f"{run.source.title}: GRAPE for links", style="bold cyan")
    print_link_figures(metrics["figures"], metrics["splits"])
    screen.print(
        f"\n{metrics['nodes']:,} nodes, {metrics['edges']:,} edges; the model has learnt from all"
    )
    screen.print(f"run folder: {run.path}", soft_wrap=True)
    screen.print(f"next:       look into {run.path / 'suggestions.csv'}", soft_wrap=True)


def print_link_figures(figures: dict[str, dict[str, Any]], splits: int) -> None:
    """Print a table of figures by method, each a mean and a deviation."""
    table = plain_table("method", "AUC", "AP", "Hits@50", "MRR")
    for method, values in figures.items():
        cells = [f"{100 * mean:.2f} ± {100 * spread:.2f}" for mean, spread in values.values()]
        table.add_row(method, *cells)
    console().print(table)
    many = "1 split" if splits == 1 else f"{splits} splits"
    console().print(f"{many}, a tenth of the links hidden; percent, mean ± deviation")
