"""``grape profile``: every orbit of all small graphs, at every node or every edge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, console, plain_table, print_json, working

if TYPE_CHECKING:
    from grape_gnn.roles.profiles import Profile

__all__ = ["profile"]


@reads_graph
def profile(
    read: ReadGraph,
    file: GraphFile,
    size: Annotated[int, typer.Option(help="Nodes of the largest small graphs, up to 5.")] = 4,
    of: Annotated[str, typer.Option(help="What to count at: nodes or edges.")] = "nodes",
    induced: Annotated[
        bool,
        typer.Option("--induced", help="Instances have no further edges between their nodes."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="All counts to a .csv or .parquet file."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Number of threads; all processors by default.")
    ] = None,
    time: Annotated[str | None, typer.Option(help="Stop after this long: 90s, 10m, 2h.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count every orbit of all connected small graphs, at every node or edge.

    Orbits have the numbers of ORCA. The table has the sum over all nodes or edges and the one
    with the largest count; the file has all counts. Counts are non-induced unless you say
    --induced.

    \b
    Examples:
      grape profile friends.csv
      grape profile friends.csv --size 5 --induced --out orbits.csv
      grape profile friends.csv --of edges --json
    """
    from grape_gnn.roles.profiles import profile as count

    if out is not None:
        from grape_gnn.files.columns import check_table_name

        check_target(out)
        check_table_name(out)
    graph = read()
    with working("counting orbits"):
        found = count(graph, size, of=of, threads=threads, time=time)
        counts = found.to_numpy(induced)
    if out is not None:
        _write(found, counts, out)
    rows = found.rows
    orbits = [
        {
            "orbit": orbit.number,
            "name": orbit.name,
            "template": orbit.template.text,
            "role": orbit.role,
            "sum": sum(column.tolist()),
            "most": int(column.max(initial=0)),
            "at": rows[int(column.argmax())] if column.any() else None,
        }
        for orbit, column in zip(found.orbits, counts.T, strict=True)
    ]
    if as_json:
        written = None if out is None else str(out)
        about = {"file": str(file), "of": of, "size": size, "induced": induced}
        print_json({**about, "rows": len(rows), "written": written, "orbits": orbits})
        return
    table = plain_table("orbit", "name", "sum", "most", "at", right=("orbit", "sum", "most"))
    for orbit in orbits:
        at = orbit["at"]
        where = "" if at is None else "-".join(map(str, at)) if of == "edges" else str(at)
        most = f"{orbit['most']:,}"
        table.add_row(str(orbit["orbit"]), orbit["name"], f"{orbit['sum']:,}", most, where)
    console().print(table)
    if out is not None:
        console().print(f"written: {out}", soft_wrap=True)


def _write(found: Profile, counts: Any, out: Path) -> None:
    from grape_gnn.files.columns import write_columns

    rows = found.rows
    if found.of == "nodes":
        places = {"node": rows}
    else:
        places = {"source": [a for a, _ in rows], "target": [b for _, b in rows]}
    numbers = dict(zip(found.names, counts.T.tolist(), strict=True))
    write_columns(out, {**places, **numbers})
