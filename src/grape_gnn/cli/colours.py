"""``grape colours``: nodes, or graphs, sorted by the colours of their roles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.differ import Svg
from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, Templates, reads_graph
from grape_gnn.cli.output import check_target, console, plain_table, print_json, working

__all__ = ["colours"]

_SHOWN = 12  # members of a class


@reads_graph
def colours(
    read: ReadGraph,
    file: GraphFile,
    templates: Templates,
    others: Annotated[
        list[str] | None,
        typer.Argument(metavar="GRAPH...", help="More graphs, read with the same options."),
    ] = None,
    sees: Annotated[
        str,
        typer.Option(
            metavar="members|count|set|both",
            help="What a node sees of a role: every member's colour with its count; the counts "
            "summed by colour; the number of members by colour; or the last two.",
        ),
    ] = "members",
    rounds: Annotated[
        int | None, typer.Option(min=0, help="Rounds of refinement. Without it: until it ends.")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Print at most this many classes; 0: all.")
    ] = 20,
    svg: Svg = None,
    as_json: AsJson = False,
) -> None:
    """Sort the nodes of a graph, or several graphs, by what the roles of templates can tell.

    Graphs are several files, or one file of many (graph6, sparse6, SMILES).

    All nodes start alike; in every round a node is told apart by the colours
    of those who play a role around it. With the edge alone this is the
    Weisfeiler-Leman test. Several graphs are of one class if they have the
    same colours equally often.

    \b
    Examples:
      grape colours friends.csv --templates edge
      grape colours friends.csv --templates social --svg colours.svg
      grape colours one.csv two.csv three.csv --templates edge,6-cycle --json
      grape colours many.g6 --templates edge,4-clique
    """
    from grape_gnn.cli.train_graphs import read_many
    from grape_gnn.differ import role_colours
    from grape_gnn.graph.read import MANY_GRAPHS

    if svg is not None:
        check_target(svg, ".svg")
    files = [file, *(others or ())]
    if not others and Path(file).suffix.lower() in MANY_GRAPHS:
        many = read_many(read.source, None, None, None)
        files = [str(many.name_of(k)) for k in range(len(many))]
        graphs = [many[k] for k in range(len(many))]
    else:
        graphs = [read(), *(read.another(other)() for other in others or ())]
    with working("refining"):
        found = role_colours(graphs, templates, sees=sees, rounds=rounds)
    if svg is not None:
        from grape_gnn.files import atomic_write

        with working("drawing"), atomic_write(svg) as temporary:
            temporary.write_text(found.svg(), encoding="utf-8")
    if as_json:
        print_json(
            {
                "files": files,
                "rounds": found.rounds,
                "nodes": [one.tolist() for one in found.nodes],
                "names": [[g.name_of(v) for v in range(g.num_nodes)] for g in graphs],
                "graphs": found.graphs.tolist(),
                "written": None if svg is None else str(svg),
            }
        )
        return
    screen = console()
    if len(graphs) > 1:
        classes = f"{found.num_classes:,} class{'es' if found.num_classes != 1 else ''}"
        screen.print(f"{len(graphs):,} graphs in {classes}")
        _print_classes(files, found.graphs.tolist(), limit)
    else:
        screen.print(
            f"{graphs[0].num_nodes:,} nodes in {found.num_colours:,} "
            f"colour{'s' if found.num_colours != 1 else ''} after "
            f"{found.rounds} round{'s' if found.rounds != 1 else ''}"
        )
        names = [graphs[0].name_of(node) for node in range(graphs[0].num_nodes)]
        _print_classes(names, found.nodes[0].tolist(), limit)
    if svg is not None:
        screen.print(f"written: {svg}", soft_wrap=True)


def _print_classes(names: Sequence[str | int], class_of: list[int], limit: int) -> None:
    """Print the classes, the largest first."""
    classes: dict[int, list[str | int]] = {}
    for name, number in zip(names, class_of, strict=True):
        classes.setdefault(number, []).append(name)
    table = plain_table("class", "size", "members", right=("class", "size"))
    ranked = sorted(classes.items(), key=lambda item: -len(item[1]))
    for number, members in ranked[: limit or None]:
        more = ", ..." if len(members) > _SHOWN else ""
        listed = ", ".join(map(str, members[:_SHOWN])) + more
        table.add_row(str(number), f"{len(members):,}", listed)
    if ranked:
        console().print(table)
    if limit and len(ranked) > limit:
        console().print(f"and {len(ranked) - limit:,} smaller classes (--limit 0 shows all)")
