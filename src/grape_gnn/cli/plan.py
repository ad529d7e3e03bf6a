"""``grape plan``: how the roles of templates would be computed on a graph."""

from __future__ import annotations

from typing import Annotated

import typer

from grape_gnn.cli.options import Induced, ReadGraph, Templates, reads_graph
from grape_gnn.cli.output import console, working

__all__ = ["plan"]


@reads_graph
def plan(
    read: ReadGraph,
    templates: Templates,
    weighting: Annotated[str, typer.Option(help="count or set.")] = "count",
    induced: Induced = False,
) -> None:
    """Print how roles would be computed, and at what cost, without doing it.

    \b
    Examples:
      grape plan friends.csv --templates social
      grape plan friends.csv -t "0-1 1-2 2-3" --weighting set
    """
    import grape_gnn as grape

    wanted = grape.templates(templates)
    graph = read()
    with working("planning"):
        words = grape.explain_plan(graph, wanted, weighting=weighting, induced=induced)
    screen = console()
    screen.print(words, soft_wrap=not screen.is_terminal)
