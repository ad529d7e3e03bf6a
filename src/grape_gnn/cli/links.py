"""``grape links``: which links are missing, and how well that can be told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import check_target, console, load_torch, plain_table, print_json, working
from grape_gnn.cli.train_links import print_link_figures
from grape_gnn.graph import Graph

__all__ = ["links"]


@reads_graph
def links(
    read: ReadGraph,
    file: GraphFile,
    suggest: Annotated[int, typer.Option(min=1, help="Number of links to suggest.")] = 20,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw the reason for every suggestion, as SVG files."),
    ] = None,
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="Hide a tenth of the links and see who finds them.")
    ] = False,
    splits: Annotated[int, typer.Option(min=1, help="How often links are hidden.")] = 10,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the figures in a .json file, and go on with it."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is drawn.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Suggest missing links, each with the reason; or measure how well hidden ones are found.

    \b
    Examples:
      grape links friends.csv --suggest 20 --svg reasons
      grape links friends.csv --evaluate --splits 10 --out figures.json
    """
    loaded = read()
    load_torch()
    if evaluate:
        _evaluate(loaded, splits, seed, out, as_json)
    else:
        _suggest(loaded, suggest, seed, svg, as_json)


def _suggest(graph: Graph, wanted: int, seed: int, svg: Path | None, as_json: bool) -> None:
    from grape_gnn.files import atomic_write
    from grape_gnn.files.atomic import make_folder
    from grape_gnn.links import GrapeLinkPredictor, suggestion_svg

    with working("learning what links look like"):
        found = GrapeLinkPredictor(seed=seed).fit(graph).suggest(wanted)
    if svg is not None:
        make_folder(svg)
        for rank, suggestion in enumerate(found, 1):
            with atomic_write(svg / f"{rank:03d}.svg") as temporary:
                temporary.write_text(suggestion_svg(suggestion), encoding="utf-8")
    if as_json:
        rows = [
            {
                "pair": [s.head, s.tail],
                "probability": s.probability,
                "paths": [list(path) for path in s.paths],
                "num_paths": s.num_paths,
            }
            for s in found
        ]
        print_json({"suggestions": rows})
        return
    screen = console()
    if not found:
        screen.print("No two nodes are two or three steps apart: there is nothing to suggest.")
        return
    table = plain_table("link", "score", "because of", right=("score",))
    for s in found:
        table.add_row(f"{s.head} - {s.tail}", f"{s.probability:.3f}", s.reason)
    screen.print(table)
    if svg is not None:
        screen.print(f"Drawings are in {svg}")


def _evaluate(graph: Graph, splits: int, seed: int, out: Path | None, as_json: bool) -> None:
    from grape_gnn.links import evaluate_links, mean_figures

    if out is not None and not out.exists():
        check_target(out)
    with working("hiding links") as progress:
        found = evaluate_links(graph, splits, seed, out, progress=progress)
    if as_json:
        print_json({"splits": found})
        return
    print_link_figures(mean_figures(found), len(found))
