"""``grape separate``: the smallest template that tells two graphs apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from grape_gnn.cli.differ import Size, Svg, Time, Tried, show_difference
from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, working

__all__ = ["separate"]


@reads_graph
def separate(
    read: ReadGraph,
    file: GraphFile,
    other: Annotated[
        str, typer.Argument(metavar="GRAPH", help="The other graph, read with the same options.")
    ],
    size: Size = 8,
    templates: Tried = None,
    time: Time = "60s",
    svg: Svg = None,
    as_json: AsJson = False,
) -> None:
    """Find the smallest template whose counts tell two graphs apart.

    If a map turns one graph into the other, no template can, and the map
    is the answer.

    \b
    Examples:
      grape separate one.csv two.csv
      grape separate one.csv two.csv --size 5 --svg why.svg
      grape separate one.graphml two.graphml --templates social --json
    """
    from grape_gnn.differ import separate as find_difference

    if svg is not None:
        check_target(svg, ".svg")
    graphs = read(), read.another(other)()
    with working("comparing"):
        found = find_difference(*graphs, size=size, templates=templates, time=time)
    show_difference(replace(found, names=(file, other)), svg, as_json)
