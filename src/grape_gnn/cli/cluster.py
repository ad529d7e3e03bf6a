"""``grape cluster``: nodes in groups that play alike parts, without labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.completion import complete_templates
from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, console, plain_table, print_json, working

if TYPE_CHECKING:
    from grape_gnn.embedding import RoleClusters

__all__ = ["cluster"]

_SHOWN = 5  # members of a cluster in the table


@reads_graph
def cluster(
    read: ReadGraph,
    file: GraphFile,
    templates: Annotated[
        list[str] | None,
        typer.Option(
            "--templates",
            "-t",
            help="Templates that make up a node's profile; may be given several times. Without it: "
            "all of up to four nodes.",
            autocompletion=complete_templates,
        ),
    ] = None,
    clusters: Annotated[
        int | None,
        typer.Option(min=1, help="Number of clusters. Without it: the best of up to --most."),
    ] = None,
    most: Annotated[int, typer.Option(min=2, help="Clusters that are tried, at most.")] = 10,
    similar: Annotated[
        str | None,
        typer.Option(metavar="NODE", help="Print the nodes most like this one instead."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many of them.")] = 10,
    means: Annotated[
        str,
        typer.Option(
            help="Templates over whose roles means are taken; directed ones for a directed graph.",
            autocompletion=complete_templates,
        ),
    ] = "edge,3-path,triangle",
    hops: Annotated[int, typer.Option(min=0, max=3, help="How often means are taken.")] = 2,
    decay: Annotated[
        float, typer.Option(help="What a hop counts, compared with the one before it.")
    ] = 0.5,
    dimensions: Annotated[
        int, typer.Option(min=1, help="Dimensions of the embedding, at most.")
    ] = 16,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write every node's cluster and place to a .csv or .parquet file.",
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the graph in the colours of the clusters (.svg)."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first centres.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Group nodes that play alike parts, and say what sets every group apart; no labels needed.

    A node's profile is how often it is the ego of every template; means over
    those who play a role around it follow. The number of clusters is the one
    whose clusters are farthest apart.

    \b
    Examples:
      grape cluster friends.csv
      grape cluster friends.csv --clusters 4 --out roles.parquet --svg roles.svg
      grape cluster friends.csv --similar ann --limit 5
    """
    from grape_gnn.embedding import RoleClusters, RoleEmbedding
    from grape_gnn.files.columns import check_table_name, write_columns

    if svg is not None:
        check_target(svg, ".svg")
    if out is not None:
        check_target(out)
        check_table_name(out)
    embedding = RoleEmbedding(
        templates or "all-4", hops=hops, means=means, decay=decay, dimensions=dimensions
    )
    graph = read()
    if similar is not None:
        _print_similar(graph, similar, limit, embedding, as_json)
        return
    with working("grouping"):
        found = RoleClusters(clusters, most, embedding, seed).fit(graph)
        rows = [_described(found, number) for number in range(len(found.centres_))]
    if out is not None:
        names = [graph.name_of(v) for v in range(graph.num_nodes)]
        axes = found.embedding_.get_feature_names_out().tolist()
        places = dict(zip(axes, found.places_.T.tolist(), strict=True))
        write_columns(out, {"node": names, "cluster": found.labels_.tolist(), **places})
    if svg is not None:
        from grape_gnn.files import atomic_write

        with working("drawing"), atomic_write(svg) as temporary:
            temporary.write_text(found.svg(), encoding="utf-8")
    if as_json:
        written = [str(path) for path in (out, svg) if path is not None]
        tried = {str(k): score for k, score in found.silhouettes_.items()}
        about = {"file": str(file), "silhouette": found.silhouette_, "silhouettes": tried}
        print_json({**about, "clusters": rows, "written": written})
        return
    _print_clusters(graph.num_nodes, found, rows)
    for path in (out, svg):
        if path is not None:
            console().print(f"written: {path}", soft_wrap=True)


def _described(found: RoleClusters, number: int) -> dict[str, Any]:
    nodes = [found.graph_.name_of(int(v)) for v in (found.labels_ == number).nonzero()[0]]
    marks = found.marks(number)
    return {
        "cluster": number,
        "size": len(nodes),
        "typical": found.typical(number),
        "nodes": nodes,
        "marks": [vars(mark) | {"text": str(mark)} for mark in marks],
    }


def _print_clusters(nodes: int, found: RoleClusters, rows: list[dict[str, Any]]) -> None:
    screen = console()
    apart = f"; silhouette {found.silhouette_:.2f}" if len(rows) > 1 else ""
    many = f"{len(rows)} cluster{'s' if len(rows) > 1 else ''}"
    screen.print(f"{nodes:,} nodes in {many}{apart}")
    table = plain_table("cluster", "size", "set apart by", "nodes", right=("cluster", "size"))
    for row in rows:
        rest = [node for node in row["nodes"] if node != row["typical"]]
        shown = ", ".join(map(str, [row["typical"], *rest][:_SHOWN]))
        more = ", ..." if row["size"] > _SHOWN else ""
        reasons = "\n".join(mark["text"] for mark in row["marks"])
        table.add_row(str(row["cluster"]), f"{row['size']:,}", reasons, shown + more)
    screen.print(table)


def _print_similar(graph: Any, node: str, limit: int, embedding: Any, as_json: bool) -> None:
    from grape_gnn.embedding import most_similar

    with working("comparing"):
        found = most_similar(graph, node, limit, embedding=embedding)
    if as_json:
        print_json({"node": node, "similar": [{"node": n, "distance": d} for n, d in found]})
        return
    table = plain_table("node", "distance", right=("distance",))
    for name, distance in found:
        table.add_row(str(name), f"{distance:.3f}")
    console().print(table)
