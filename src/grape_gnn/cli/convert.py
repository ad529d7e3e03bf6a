"""``grape convert``: a graph on disk, from an edge list that may be larger than memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.options import GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import print_text, shell_words, working

__all__ = ["convert"]


@reads_graph
def convert(
    read: ReadGraph,
    file: GraphFile,
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The folder to make, such as graph.grape.")
    ],
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Working memory, such as 500MB.")
    ] = "2GB",
    x: Annotated[
        Path | None,
        typer.Option(
            "--x",
            metavar="FILE",
            help="An .npy file of features, or a sparse .npz of SciPy; row i belongs to the node "
            "called i.",
        ),
    ] = None,
    y: Annotated[
        Path | None,
        typer.Option("--y", metavar="FILE", help="Likewise an .npy file of labels."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Refuse self-loops and repeated edges; else they are dropped."
        ),
    ] = False,
) -> None:
    """Turn an edge list that may be larger than memory into a graph on disk.

    Every command takes the result in place of the file. It opens at once, and only what is needed
    of it is read. If the conversion is interrupted, the same command goes on where it stopped.

    \b
    Examples:
      grape convert friends.csv friends.grape --memory 500MB
      grape convert edges.parquet graph.grape --source from --target to --directed
      grape convert friends.csv team.grape --nodes people.csv --label team
      grape convert edges.parquet graph.grape --x features.npy --y labels.npy
    """
    import grape_gnn as grape
    from grape_gnn.errors import GraphError

    with working(f"converting {read.source.title}"):
        if read.source.is_dataset:
            if x is not None or y is not None:
                raise GraphError(f"--x and --y are for edge lists, and {file} is a dataset")
            read().save(out)
            graph = grape.read_graph(out)
        else:
            try:
                graph = grape.convert(
                    file, out, memory=memory, x=x, y=y, strict=strict, **read.source.options
                )
            except KeyboardInterrupt:
                raise KeyboardInterrupt("; the same command goes on where it stopped") from None
    print_text(f"{graph}\n{shell_words('grape', 'info', out)}  says what it holds\n")
