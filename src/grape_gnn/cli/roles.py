"""``grape roles``: who plays which role around one node."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.completion import complete_templates
from grape_gnn.cli.options import AsJson, GraphFile, Induced, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, console, drawn, print_json, working
from grape_gnn.extras import named_extra

if TYPE_CHECKING:
    from grape_gnn.template import Template

__all__ = ["roles"]

_PICTURES = "Pictures"


@reads_graph
def roles(
    read: ReadGraph,
    file: GraphFile,
    template: Annotated[
        str,
        typer.Option(
            "--template",
            "-t",
            help="Name, number or text of the template; for --html also a set or several names.",
            autocompletion=complete_templates,
        ),
    ],
    node: Annotated[str, typer.Option("--node", "-n", help="The ego, by its name in the file.")],
    induced: Induced = False,
    limit: Annotated[
        int, typer.Option(min=0, help="Print at most this many members of a role; 0: all.")
    ] = 20,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a page with drawings and an explorer of all nodes (.html).",
            rich_help_panel=_PICTURES,
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw a figure for a paper (.svg).", rich_help_panel=_PICTURES
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the Ego-AE sets of a node: who plays which role around it, and how often.

    The number after a name counts the instances of the template in which
    that node plays the role. JSON always has all members.

    \b
    Examples:
      grape roles friends.csv --template triangle --node alice
      grape roles friends.csv -t "0-1 1-2" -n alice --limit 0
      grape roles friends.csv -t social -n alice --html alice.html
      grape roles friends.csv -t triangle -n alice --svg alice.svg
      grape roles cites.csv --directed -t from-to -n 1042 --json
    """
    from grape_gnn.roles import ego_role_counts
    from grape_gnn.template.zoo import template as find_template
    from grape_gnn.template.zoo import templates as find_templates

    # What can fail at once should not fail after an hour.
    if html is not None:
        check_target(html, ".html", ".htm")
    if svg is not None:
        check_target(svg, ".svg")
    several = find_templates(template)
    if html is not None:
        with named_extra():
            from grape_gnn.report.roles_page import roles_page
    wanted = several[0] if html is not None and len(several) > 1 else find_template(template)
    graph = read()
    with working(f"looking around {node}"):
        counts = ego_role_counts(graph, wanted, node, induced=induced)
    written = []
    if html is not None:
        with working("drawing"):
            source = read.source
            page = roles_page(
                source.title, graph, several, node,
                induced=induced, arguments=source.arguments, opened=source.code,
            )  # fmt: skip
            _write(html, page)
        written.append(html)
    if svg is not None:
        from grape_gnn.drawing import ego_figure

        with working("drawing"):
            _write(svg, ego_figure(graph, wanted, node, induced=induced))
        written.append(svg)
    ego = next(iter(counts[0]))
    if as_json:
        print_json(
            {
                "file": str(file),
                "template": {"name": wanted.name, "text": wanted.text},
                "node": ego,
                "induced": induced,
                "written": [str(path) for path in written],
                "roles": [
                    {
                        "role": role,
                        "template_nodes": wanted.roles[role],
                        "members": [{"node": name, "count": n} for name, n in members.items()],
                    }
                    for role, members in enumerate(counts)
                ],
            }
        )
        return
    _print_roles(wanted, ego, counts, limit)
    for other in several[1:]:
        _print_roles(other, ego, ego_role_counts(graph, other, node, induced=induced), limit)
    for path in written:
        console().print(f"written: {path}", soft_wrap=True)


def _write(path: Path, text: str) -> None:
    from grape_gnn.files import atomic_write

    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _print_roles(
    template: Template, ego: str | int, counts: list[dict[str | int, int]], limit: int
) -> None:
    from rich.text import Text

    from grape_gnn.template.palette import role_colour

    screen = console()
    title = Text(f"{template.name or template.text} around {ego}  ", style="bold")
    screen.print(title + drawn(template, screen.options.ascii_only))
    for role, members in enumerate(counts):
        heading = f"role {role}" if role else "role 0, the ego"
        people = "" if role == 0 else f"  {len(members):,} node{'s' if len(members) != 1 else ''}"
        screen.print(Text(heading, style=f"bold {role_colour(role)}") + Text(people))
        ranked = sorted(members.items(), key=lambda item: -item[1])
        shown = ranked[:limit] if limit else ranked
        line = ", ".join(f"{name} {n:,}" if role else str(name) for name, n in shown)
        more = f", and {len(ranked) - len(shown):,} more" if len(shown) < len(ranked) else ""
        screen.print(f"  {line or 'nobody'}{more}", soft_wrap=not screen.is_terminal)
