"""``grape templates``: the named templates, in words, drawings and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.completion import complete_templates
from grape_gnn.cli.options import AsJson
from grape_gnn.cli.output import check_target, console, drawn, plain_table, print_json

if TYPE_CHECKING:
    from grape_gnn.template import Template

__all__ = ["templates"]


def templates(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAMES]...",
            help="Names, numbers of the paper, sets, .json files, or text such as '0-1 1-2'. "
            "Without any: all named templates.",
            show_default=False,
            autocompletion=complete_templates,
        ),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the templates into an SVG file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List templates: their shape, and the roles of their nodes.

    The anchor, ●0, is where the ego goes. Nodes with the same letter have
    the same role: some symmetry of the template that keeps the anchor in
    place maps one onto the other.

    \b
    Examples:
      grape templates
      grape templates social --svg social.svg
      grape templates S6
      grape templates "0-1 1-2 2-0 2-3" --json
    """
    from grape_gnn.template.sets import REASONS, SETS
    from grape_gnn.template.zoo import ZOO
    from grape_gnn.template.zoo import templates as find_templates

    if svg is not None:
        check_target(svg, ".svg")
    chosen = find_templates(names) if names else [entry.template for entry in ZOO]
    if svg is not None:
        from grape_gnn.files import atomic_write
        from grape_gnn.template.draw import sheet

        with atomic_write(svg) as temporary:
            temporary.write_text(sheet(chosen), encoding="utf-8")
    if as_json:
        print_json({"templates": [_described(t) for t in chosen], "sets": SETS})
        return
    if len(chosen) == 1:
        _print_one(chosen[0])
    else:
        _print_table(chosen)
    if not names:
        screen = console()
        screen.print("sets", style="bold")
        for name, reason in REASONS.items():
            screen.print(f"  {name}: {', '.join(SETS.get(name, ('every template',)))}")
            screen.print(f"    {reason}", style="dim")
    if svg is not None:
        console().print(f"drawn: {svg}")


def _described(template: Template) -> dict[str, Any]:
    from grape_gnn.template.zoo import entry_of

    entry = entry_of(template)
    return {
        "name": template.name,
        "number": None if entry is None else entry.number,
        "description": None if entry is None else entry.description,
        "text": template.text,
        "canonical": template.canonical,
        "nodes": template.num_nodes,
        "edges": len(template.edges),
        "directed": template.directed,
        "roles": template.roles,
        "automorphisms": template.num_automorphisms,
    }


def _print_table(chosen: list[Template]) -> None:
    screen = console()
    table = plain_table("", "name", "drawing", "text", "roles", right=("roles",))
    for template in chosen:
        table.add_row(
            _described(template)["number"] or "",
            template.name or "",
            drawn(template, screen.options.ascii_only),
            template.text,
            str(template.num_roles),
        )
    screen.print(table)


def _print_one(template: Template) -> None:
    from rich.text import Text

    from grape_gnn.template.palette import role_colour

    facts = _described(template)
    screen = console()
    number = f" ({facts['number']})" if facts["number"] else ""
    screen.print(f"{template.name or template.text}{number}", style="bold cyan")
    if facts["description"]:
        screen.print(facts["description"])
    screen.print(drawn(template, screen.options.ascii_only))
    for role, nodes in enumerate(template.roles):
        words = f"role {role}: node{'s' if len(nodes) > 1 else ''} {', '.join(map(str, nodes))}"
        anchor = ", the anchor" if role == 0 else ""
        screen.print(Text(f"  {words}{anchor}", style=role_colour(role)))
    screen.print(f"text           {template.text}")
    screen.print(f"canonical      {template.canonical}")
    screen.print(f"automorphisms  {template.num_automorphisms} that fix the anchor")
