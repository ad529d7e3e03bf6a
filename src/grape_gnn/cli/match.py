"""``grape match``: the roles of templates around every node, into a file."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.match_parts import match_in_parts
from grape_gnn.cli.options import (
    PARTS,
    AsJson,
    GraphFile,
    Induced,
    Jobs,
    ReadGraph,
    Scheduler,
    Templates,
    reads_graph,
)
from grape_gnn.cli.output import check_target, console, drawn, plain_table, print_json, say, working
from grape_gnn.errors import MatchError
from grape_gnn.progress import report
from grape_gnn.roles import ENGINES

if TYPE_CHECKING:
    from grape_gnn.graph import Graph
    from grape_gnn.roles import RoleMatches, TemplateRoles

__all__ = ["match"]

_BUDGETS = "Budgets"
_SAMPLING = "Sampling"


@reads_graph
def match(
    read: ReadGraph,
    file: GraphFile,
    templates: Templates,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where to write the roles: .npz for load_roles(); .csv, .csv.gz or .parquet for a "
            "table with a row for every ego, template, role and member.",
        ),
    ] = None,
    weighting: Annotated[
        str, typer.Option(help="count: how often a node plays a role; set: whether it does.")
    ] = "count",
    engine: Annotated[str, typer.Option(help=f"One of {', '.join(ENGINES)}.")] = "auto",
    induced: Induced = False,
    threads: Annotated[
        int | None, typer.Option(help="Number of threads; without it, all processors.")
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION", help="Stop after, say, 30s or 10m.", rich_help_panel=_BUDGETS
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Take at most, say, 2GB of memory.", rich_help_panel=_BUDGETS
        ),
    ] = None,
    instances: Annotated[
        int | None,
        typer.Option(
            help="Stop after this many instances of a template.", rich_help_panel=_BUDGETS
        ),
    ] = None,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="When a budget runs out, keep the egos that are done instead of failing.",
            rich_help_panel=_BUDGETS,
        ),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option(
            help="Keep at most this many instances per ego and scale the counts (unbiased).",
            rich_help_panel=_SAMPLING,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampling.", rich_help_panel=_SAMPLING)] = 0,
    parts: Annotated[
        int | None,
        typer.Option(
            help="For .grape: write a folder of so many parts, one by one; it goes on where "
            "it stopped.",
            rich_help_panel=PARTS,
        ),
    ] = None,
    totals: Annotated[
        bool,
        typer.Option(
            "--totals",
            help="Per ego the number of instances and the sum of every role, not its members.",
            rich_help_panel=PARTS,
        ),
    ] = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
) -> None:
    """Count the roles of templates around every node, exactly.

    Matching is non-induced unless --induced is given, and every instance
    counts once. A table has the columns ego, template, role, member and
    count, by the names in your file; role 0, the ego itself, is left out.

    \b
    Examples:
      grape match friends.csv --templates social --out roles.npz
      grape match friends.csv --templates social --out roles.csv
      grape match friends.csv -t triangle,house -t "0-1 1-2 2-3" --weighting set
      grape match big.csv.gz -t 5-path --time 60s --partial --json
      grape match graph.grape -t social --parts 64 --jobs 4 --out roles/
    """
    import grape_gnn as grape

    # What can fail at once should not fail after an hour.
    wanted = grape.templates(templates)
    if parts is not None:
        refused = {"time": time, "instances": instances, "partial": partial, "sample": sample}
        for name, value in {**refused, "threads": threads}.items():
            if value:
                raise MatchError(f"--{name} is not for matching in parts: leave it out")
        options = {"parts": parts, "weighting": weighting, "induced": induced, "jobs": jobs}
        options |= {"engine": engine, **({} if memory is None else {"memory": memory})}
        match_in_parts(file, wanted, out, totals, scheduler, options, as_json)
        return
    if totals or scheduler is not None or jobs != 1:
        raise MatchError(
            "--totals, --jobs and --scheduler are for matching in parts: add --parts 64"
        )
    if out is not None:
        _check_target(out)
    loaded = read()
    start = clock.perf_counter()
    with working("matching"):
        found = grape.match(
            loaded,
            wanted,
            weighting=weighting,
            engine=engine,
            induced=induced,
            threads=threads,
            memory=memory,
            time=time,
            instances=instances,
            on_budget="partial" if partial else "raise",
            sample=sample,
            seed=seed,
        )
        pairs = _written(found, out)
    seconds = clock.perf_counter() - start
    if as_json:
        print_json(
            {
                "file": str(file),
                "out": None if out is None else str(out),
                "nodes": loaded.num_nodes,
                "edges": loaded.num_edges,
                "directed": loaded.directed,
                "weighting": weighting,
                "induced": induced,
                "truncated": found.truncated,
                "seconds": round(seconds, 6),
                "templates": [_described(*both) for both in zip(found, pairs, strict=True)],
            }
        )
    else:
        _print_summary(loaded, found, pairs, seconds)
        if out is not None:
            console().print(f"written: {out}")
    for roles in found:
        if roles.complete is not None:
            say(
                f"warning: {roles.template.name or roles.template.text} is incomplete: the budget "
                f"sufficed for {int(roles.complete.sum()):,} of {loaded.num_nodes:,} egos",
                "yellow",
            )


def _check_target(out: Path) -> None:
    from grape_gnn.extras import named_extra
    from grape_gnn.roles.table import TABLE_SUFFIXES

    if not out.name.endswith((".npz", *TABLE_SUFFIXES)):
        known = f"{', '.join(TABLE_SUFFIXES)} or .npz"
        raise MatchError(f"cannot save to {out}: the file name must end in {known}")
    if out.suffix == ".parquet":
        with named_extra():
            import pyarrow  # noqa: F401  fails now, not after the matching
    check_target(out)


def _written(found: RoleMatches, out: Path | None) -> list[list[int]]:
    """Write the file; return for every template the number of pairs of every role but the ego's."""
    from grape_gnn.roles.table import write_table

    if out is not None and out.suffix != ".npz":
        return write_table(found, out)  # one role after the other, never all at once
    stored = found.materialised()
    if out is not None:
        report(f"writing {out.name}")
        stored.save(out)
    return [[role.nnz for role in roles[1:]] for roles in stored]


def _described(roles: TemplateRoles, pairs: list[int]) -> dict[str, Any]:
    return {
        "name": roles.template.name,
        "text": roles.template.text,
        "instances": roles.totals.sum().item(),
        "egos": int((roles.totals > 0).sum()),
        "sampled": roles.sampled,
        "truncated": roles.truncated,
        "complete_egos": None if roles.complete is None else int(roles.complete.sum()),
        "roles": [
            {"role": role, "template_nodes": nodes, "pairs": number}
            for role, (nodes, number) in enumerate(
                zip(roles.template.roles, [roles[0].nnz, *pairs], strict=True)
            )
        ],
    }


def _print_summary(
    graph: Graph, found: RoleMatches, pairs: list[list[int]], seconds: float
) -> None:
    screen = console()
    numbers = ("instances", "egos", "pairs by role")
    table = plain_table("template", "drawing", *numbers, right=numbers)
    for roles, numbers_of_roles in zip(found, pairs, strict=True):
        estimated = "about " if roles.sampled else ""
        table.add_row(
            roles.template.name or roles.template.text,
            drawn(roles.template, screen.options.ascii_only),
            f"{estimated}{int(roles.totals.sum()):,}",
            f"{int((roles.totals > 0).sum()):,}",
            " + ".join(f"{number:,}" for number in numbers_of_roles),
        )
    screen.print(table)
    kind = "arcs" if graph.directed else "edges"
    screen.print(
        f"{graph.num_nodes:,} nodes, {graph.num_edges:,} {kind}; weighting {found.weighting}, "
        f"{'induced' if found.induced else 'non-induced'}; {seconds:.3g} s"
    )
