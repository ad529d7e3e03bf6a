"""``grape significance``: more copies of templates than chance would give, or fewer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.options import AsJson, GraphFile, Induced, ReadGraph, Templates, reads_graph
from grape_gnn.cli.output import check_target, console, plain_table, print_json, working

if TYPE_CHECKING:
    from grape_gnn.significance import Significance

__all__ = ["significance"]


@reads_graph
def significance(
    read: ReadGraph,
    file: GraphFile,
    templates: Templates,
    null: Annotated[
        str,
        typer.Option(help="What rewired graphs keep: degrees, or labels of neighbours as well."),
    ] = "degrees",
    samples: Annotated[int, typer.Option(help="Number of rewired graphs.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all of them.")] = 0,
    alternative: Annotated[
        str, typer.Option(help="What p-values are about: two-sided, more or fewer.")
    ] = "two-sided",
    swaps: Annotated[int, typer.Option(help="Steps of the rewiring for every edge.")] = 30,
    induced: Induced = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Rewired graphs at a time; -1: one per processor.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep all counts in a .jsonl file, and go on with it."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the graph among the rewired ones.")
    ] = None,
    per_node: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write scores of every node and role to a .csv file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare counts of templates with those of random graphs that have the same degrees.

    Every node keeps its degree; the edges are drawn anew by swaps. z counts standard deviations
    from the mean of the rewired graphs, p is empirical, and q is p corrected for the number of
    tests.

    \b
    Examples:
      grape significance friends.csv --templates social
      grape significance friends.csv -t social --samples 1000 --jobs 4 --out counts.jsonl
      grape significance friends.csv -t triangle --svg chance.svg --per-node nodes.csv
    """
    from grape_gnn.files import atomic_write
    from grape_gnn.significance import significance as compare

    for target in (out, per_node):
        if target is not None:
            check_target(target)
    if svg is not None:
        check_target(svg, ".svg")
    graph = read()
    try:
        with working("rewiring"):
            found = compare(
                graph,
                templates,
                null,
                samples,
                seed,
                nodes=per_node is not None,
                induced=induced,
                alternative=alternative,
                swaps=swaps,
                jobs=jobs,
                out=out,
            )
    except KeyboardInterrupt:
        again = "" if out is None else "; the same command goes on where it stopped"
        raise KeyboardInterrupt(again) from None
    if svg is not None:
        with atomic_write(svg) as temporary:
            temporary.write_text(found.svg(), encoding="utf-8")
    if per_node is not None:
        _write(found, per_node)
    if as_json:
        print_json(_data(found, file))
        return
    heads = ("observed", "rewired", "z", "p", "q")
    table = plain_table("template", *heads, right=heads)
    for row in found.rows():
        z = "none" if row["z"] != row["z"] else f"{row['z']:+,.2f}"
        around = f"{row['mean']:,.1f} ± {row['std']:,.1f}"
        chances = (f"{row['p']:.4f}", f"{row['q']:.4f}")
        table.add_row(row["template"], f"{row['observed']:,}", around, z, *chances)
    console().print(table)
    console().print(found.note)
    if any(row["std"] == 0 for row in found.rows()):
        console().print("z is none where all rewired graphs have the same count.")
    for written in (svg, per_node):
        if written is not None:
            console().print(f"written: {written}", soft_wrap=True)


def _data(found: Significance, file: str) -> dict[str, Any]:
    rows = [{**row, "z": None if row["z"] != row["z"] else row["z"]} for row in found.rows()]
    return {
        "file": str(file),
        "null": found.null,
        "alternative": found.alternative,
        "samples": len(found.copies),
        "mixing": vars(found.mixing),
        "templates": rows,
    }


def _write(found: Significance, out: Path) -> None:
    import csv

    from grape_gnn.files import atomic_write

    scores = found.roles
    assert scores is not None  # they were asked for
    columns = ("observed", "mean", "std", "z", "p", "q")
    numbers = [getattr(scores, column).tolist() for column in columns]
    with (
        atomic_write(out) as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["node", "role", *columns])
        for v in range(found.graph.num_nodes):
            for k, role in enumerate(found.role_names):
                row = [values[v][k] for values in numbers]
                table.writerow([found.graph.name_of(v), role, *row])
