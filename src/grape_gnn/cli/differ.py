"""``grape differ``: the smallest template that tells two nodes apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.completion import complete_templates
from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, console, drawn, print_json, working

if TYPE_CHECKING:
    from grape_gnn.differ import Difference

__all__ = ["Size", "Svg", "Time", "Tried", "differ", "show_difference"]

Size = Annotated[int, typer.Option(min=2, max=8, help="Largest number of nodes of a template.")]
Tried = Annotated[
    str | None,
    typer.Option(
        "--templates",
        "-t",
        metavar="SET",
        help="Try only these: a set, names separated by commas, or a .json file. Without it: all.",
        autocompletion=complete_templates,
    ),
]
Time = Annotated[
    str, typer.Option("--time", metavar="DURATION", help="How long to look, such as 30s or 5m.")
]
Svg = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what differs (.svg).")]


@reads_graph
def differ(
    read: ReadGraph,
    file: GraphFile,
    one: Annotated[str, typer.Argument(metavar="NODE", help="A node, by its name in the file.")],
    two: Annotated[str, typer.Argument(metavar="NODE", help="Another node.")],
    size: Size = 8,
    templates: Tried = None,
    time: Time = "60s",
    svg: Svg = None,
    as_json: AsJson = False,
) -> None:
    """Find the smallest template whose counts tell two nodes apart.

    If a symmetry of the graph maps one node onto the other, no template
    can, and the symmetry is the answer.

    \b
    Examples:
      grape differ friends.csv ann dan
      grape differ friends.csv ann dan --size 5 --svg why.svg
      grape differ friends.csv ann bob --templates social --json
    """
    from grape_gnn.differ import why_different

    if svg is not None:
        check_target(svg, ".svg")
    graph = read()
    with working(f"looking around {one} and {two}"):
        found = why_different(graph, one, two, size=size, templates=templates, time=time)
    show_difference(found, svg, as_json)


def show_difference(found: Difference, svg: Path | None, as_json: bool) -> None:
    """Print what tells two graphs or nodes apart, and draw it if asked to."""
    if svg is not None:
        from grape_gnn.files import atomic_write

        with working("drawing"), atomic_write(svg) as temporary:
            temporary.write_text(found.svg(), encoding="utf-8")
    if as_json:
        print_json({**found.to_json(), "written": None if svg is None else str(svg)})
        return
    from rich.text import Text

    screen = console()
    title = Text(found.title, style="bold")
    if found.template is not None:
        title += Text("  ") + drawn(found.template, screen.options.ascii_only)
    screen.print(title, soft_wrap=not screen.is_terminal)
    for line in found.explanation():
        screen.print(f"  {line}", soft_wrap=not screen.is_terminal)
    if svg is not None:
        screen.print(f"written: {svg}", soft_wrap=True)
