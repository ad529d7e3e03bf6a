"""``grape report``: one HTML page about a training or a search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.output import console, load_torch, working

__all__ = ["report"]


def report(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="What grape train or grape search wrote.", show_default=False
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page. Without it: report.html in the folder."),
    ] = None,
    node: Annotated[
        str | None,
        typer.Option("--node", "-n", help="For trainings: the node that is explored first."),
    ] = None,
) -> None:
    """Write a page with everything about a training or a template search.

    The page is one HTML file that needs no network: accuracy, learning curves, the templates and
    what they are worth, and an explorer of any node's Ego-AE sets; for a training on many graphs
    some of them, drawn with the roles that their answers rest on; for a search its progress and
    the family tree of the templates.

    \b
    Examples:
      grape report runs/amherst-1
      grape report runs/amherst-1 --node 1422 --out amherst.html
      grape report searches/amherst
      grape report runs/molecules-1
    """
    load_torch()
    from grape_gnn.report import write_report

    with working(f"writing the report of {folder.name}"):
        written = write_report(folder, out, node=node)
    size = written.stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
    console().print(f"{written}  ({shown}; open it in a browser)")
