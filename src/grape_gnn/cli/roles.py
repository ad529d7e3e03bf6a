"""``grape roles``: who plays which role around one node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.options import AsJson, GraphFile, Induced, ReadGraph, reads_graph
from grape_gnn.cli.output import console, drawn, print_json

if TYPE_CHECKING:
    from grape_gnn.template import Template

__all__ = ["roles"]


@reads_graph
def roles(
    read: ReadGraph,
    file: GraphFile,
    template: Annotated[
        str, typer.Option("--template", "-t", help="Name, number or text of the template.")
    ],
    node: Annotated[str, typer.Option("--node", "-n", help="The ego, by its name in the file.")],
    induced: Induced = False,
    limit: Annotated[
        int, typer.Option(min=0, help="Print at most this many members of a role; 0: all.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """Print the Ego-AE sets of a node: who plays which role around it, and how often.

    The number after a name counts the instances of the template in which
    that node plays the role. JSON always has all members.

    \b
    Examples:
      grape roles friends.csv --template triangle --node alice
      grape roles friends.csv -t "0-1 1-2" -n alice --limit 0
      grape roles cites.csv --directed -t from-to -n 1042 --json
    """
    from grape_gnn.roles import ego_role_counts
    from grape_gnn.template.zoo import template as find_template

    wanted = find_template(template)
    counts = ego_role_counts(read(), wanted, node, induced=induced)
    ego = next(iter(counts[0]))
    if as_json:
        print_json(
            {
                "file": str(file),
                "template": {"name": wanted.name, "text": wanted.text},
                "node": ego,
                "induced": induced,
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
