"""``grape plan``: what matching and training would take on a graph, and what fits this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.options import AsJson, Induced, ReadGraph, Templates, reads_graph
from grape_gnn.cli.output import console, plain_table, print_json, shell_words, working
from grape_gnn.cli.search_summary import graph_words

if TYPE_CHECKING:
    from grape_gnn.planning import Plan

__all__ = ["plan"]

_NETWORK = "Network"


@reads_graph
def plan(
    read: ReadGraph,
    templates: Templates,
    weighting: Annotated[str, typer.Option(help="count or set.")] = "count",
    induced: Induced = False,
    columns: Annotated[
        int | None,
        typer.Option(
            help="Features of a node; without it, those of the graph.", rich_help_panel=_NETWORK
        ),
    ] = None,
    hidden: Annotated[
        int, typer.Option(help="Width of the network.", rich_help_panel=_NETWORK)
    ] = 32,
    layers: Annotated[
        int, typer.Option(help="Layers of the network.", rich_help_panel=_NETWORK)
    ] = 2,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Memory to plan for, say 8GB; without it, what is free here."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print how every role would be computed instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what matching and training would take, without doing it.

    Instances, engine, time and memory of every template; time, memory and
    disk of every way to train; whether it fits this machine, and the command
    that will. All are estimates: within a factor of two in nine cases of ten.

    \b
    Examples:
      grape plan friends.csv --templates social
      grape plan big.grape --templates social --memory 8GB
      grape plan friends.csv -t "0-1 1-2 2-3" --explain
    """
    import grape_gnn as grape

    wanted = grape.templates(templates)
    graph = read()
    if explain:
        with working("planning"):
            words = grape.explain_plan(graph, wanted, weighting=weighting, induced=induced)
        screen = console()
        screen.print(words, soft_wrap=not screen.is_terminal)
        return
    with working("planning"):
        found = grape.plan(
            graph,
            wanted,
            weighting=weighting,
            induced=induced,
            features=columns,
            hidden=hidden,
            layers=layers,
            memory=memory,
        )
    best = found.best
    command = None
    if best is not None:
        named = [word for text in templates for word in ("--templates", text)]
        command = f"grape train {graph_words(read.source)} {shell_words(*named, *best.options)}"
    if as_json:
        print_json(found.to_json() | {"command": command})
    else:
        _print(found, command)


def _print(found: Plan, command: str | None) -> None:
    """Show the estimates, and what to do."""
    screen = console()
    table = plain_table(
        "template", "instances", "engine", "time", "memory", right=("instances", "time", "memory")
    )
    for row in found.matching:
        number = f"{row.instances:,.0f}" if row.exact else f"about {row.instances:.2g}"
        name = row.template.name or row.template.text
        table.add_row(name, number, row.engine, duration(row.seconds), size(row.bytes))
    if len(found.matching) > 1:
        table.add_row("together", "", "", duration(found.seconds), size(found.memory))
    screen.print(table)
    ways = plain_table(
        "training", "before", "an epoch", "memory", "disk", "fits",
        right=("before", "an epoch", "memory", "disk"),
    )  # fmt: skip
    for way in found.training:
        ways.add_row(
            way.way,
            duration(way.before),
            duration(way.epoch),
            size(way.memory),
            size(way.disk) if way.disk else "",
            "yes" if found.fits(way) else "no",
        )
    screen.print("")
    screen.print(ways)
    machine = found.machine
    screen.print(
        f"\nhere:   {size(machine.memory)} of memory and {size(machine.disk)} of disk free, "
        f"{machine.processors} processors; times are CPU time",
    )
    if command is None:
        least = min(found.training, key=lambda way: way.memory)
        screen.print(
            f"Nothing fits: {least.way} needs the least memory, {size(least.memory)}. Use fewer "
            f"columns or templates, or a larger machine.",
            style="yellow",
        )
    else:
        screen.print(f"next:   {command}", soft_wrap=True)


def duration(seconds: float) -> str:
    """Return a duration with one or two digits: more would be a pretence.

    Examples
    --------
    >>> duration(0.004), duration(7.6), duration(100), duration(7300)
    ('4 ms', '8 s', '2 min', '2 h')
    """
    for unit, name in ((3600, "h"), (60, "min"), (1, "s")):
        if seconds >= 1.5 * unit or (unit == 1 and seconds >= 1):
            return f"{seconds / unit:.0f} {name}"
    return f"{1000 * seconds:.0f} ms"


def size(nbytes: float) -> str:
    """Return a size with two digits.

    Examples
    --------
    >>> size(3.2e10), size(5.4e6), size(0)
    ('32 GB', '5 MB', '0 MB')
    """
    if nbytes >= 1e9:
        return f"{nbytes / 1e9:.2g} GB" if nbytes < 1e11 else f"{nbytes / 1e9:,.0f} GB"
    return f"{nbytes / 1e6:.0f} MB"
