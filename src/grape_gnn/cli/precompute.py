"""``grape precompute``: products of roles and features, once and for all, into a folder."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, Templates, reads_graph
from grape_gnn.cli.output import console, print_json, shell_words, working
from grape_gnn.cli.search_summary import graph_words
from grape_gnn.roles import ENGINES

__all__ = ["precompute"]

_PARTS = "On many machines"


@reads_graph
def precompute(
    read: ReadGraph,
    file: GraphFile,
    templates: Templates,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to keep the products.")
    ],
    hops: Annotated[int, typer.Option(help="1 or 2: how far away members may be.")] = 2,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Take at most, say, 4GB of memory besides the graph."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Number of threads; without it, all processors.")
    ] = None,
    engine: Annotated[str, typer.Option(help=f"One of {', '.join(ENGINES)}.")] = "auto",
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", help="For .grape: blocks of columns at a time.", rich_help_panel=_PARTS
        ),
    ] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="For .grape: of a Dask cluster that does the work, such as tcp://10.0.0.1:8786.",
            rich_help_panel=_PARTS,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Multiply roles by the features of a graph, for training with the preset decoupled.

    For every role of the templates: what its members are on average, and
    what those of the neighbours are. Whatever is in the folder already is
    kept: after a kill, or on a disk that was full, the same command goes on.

    \b
    Examples:
      grape precompute big.grape --templates social --out products --memory 4GB
      grape train big.grape --preset decoupled --products products
    """
    import grape_gnn as grape
    from grape_gnn.cluster import precompute_parts

    wanted = grape.templates(templates)
    loaded = read()
    start = clock.perf_counter()
    with working("multiplying"):
        try:
            if jobs != 1 or scheduler is not None:
                found = precompute_parts(
                    file, wanted, out, hops=hops, memory=memory, jobs=jobs, scheduler=scheduler,
                    backend="loky" if scheduler is None else "dask",
                )  # fmt: skip
            else:
                found = grape.precompute(
                    loaded, wanted, out, hops=hops, memory=memory, threads=threads, engine=engine
                )
        except KeyboardInterrupt:
            kept = "; what is there is kept: the same command goes on"
            raise KeyboardInterrupt(kept if (out / "config.json").exists() else "") from None
    seconds = clock.perf_counter() - start
    if as_json:
        print_json(
            {
                "out": str(out),
                "nodes": found.num_nodes,
                "roles": found.num_roles,
                "columns": found.columns,
                "hops": found.hops,
                "bytes": found.nbytes,
                "seconds": round(seconds, 6),
            }
        )
        return
    console().print(
        f"{found.num_nodes:,} nodes, {found.num_roles} roles, {found.columns:,} "
        f"column{'s' if found.columns != 1 else ''}, "
        f"{found.hops} hops: {found.nbytes / 1e6:,.1f} MB in {seconds:.3g} s"
    )
    console().print(f"written: {out}")
    named = [word for text in templates for word in ("--templates", text)]
    rest = shell_words(*named, "--preset", "decoupled", "--products", out)
    console().print(f"next:    grape train {graph_words(read.source)} {rest}", soft_wrap=True)
