"""``grape demo``: roles in a well-known graph, on the screen and as a page."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.output import console, drawn, plain_table

if TYPE_CHECKING:
    from grape_gnn.roles import RoleMatches

__all__ = ["demo"]

_TITLE = "Les Misérables"
_EGO = "Fantine"


def demo(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where to write the page.")] = Path(
        "demo-report"
    ),
) -> None:
    """Match the social templates on the characters of a novel and write a page about it.

    The graph (77 characters, joined when they appear in the same chapter)
    comes with networkx: nothing is downloaded.
    """
    import networkx as nx
    import numpy as np

    import grape_gnn as grape
    from grape_gnn.files import atomic_write
    from grape_gnn.report.roles_page import roles_page

    novel = nx.les_miserables_graph()
    graph = grape.Graph.from_networkx(novel)
    start = clock.perf_counter()
    matches = grape.match(graph, "social").materialised()
    seconds = clock.perf_counter() - start
    screen = console()
    screen.print(
        f"{_TITLE}: {graph.num_nodes} characters, {graph.num_edges} pairs who meet. Roles of "
        f"{len(matches)} templates around everyone in {1000 * seconds:.1f} ms.\n"
    )
    _print_roles(matches)
    places = nx.kamada_kawai_layout(novel, weight=None)
    positions = np.array([places[graph.name_of(v)] for v in range(graph.num_nodes)])
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise grape.GrapeError(f"cannot make the folder {out}: {error.strerror}") from error
    with atomic_write(out / "index.html") as temporary:
        temporary.write_text(roles_page(_TITLE, matches, _EGO, positions), encoding="utf-8")
    screen.print(f"\nThe same with drawings: {out / 'index.html'}")
    screen.print("With your own graph:    grape match edges.csv --templates social")


def _print_roles(matches: RoleMatches) -> None:
    screen = console()
    table = plain_table("template", "drawing", "instances", f"around {_EGO}: strongest members")
    table.columns[2].justify = "right"
    for roles in matches:
        lines = []
        for role in roles[1:]:
            strongest = sorted(role.members(_EGO).items(), key=lambda item: -item[1])[:3]
            members = ", ".join(f"{name} {count}" for name, count in strongest)
            lines.append(f"role {role.role}: {members}")
        table.add_row(
            roles.template.name,
            drawn(roles.template, screen.options.ascii_only),
            f"{int(roles.totals.sum()):,}",
            "\n".join(lines),
        )
    screen.print(table)
