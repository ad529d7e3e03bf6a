"""``grape orbits``: automorphic equivalence in a whole graph (Definition 1 of the paper)."""

from __future__ import annotations

from typing import Annotated

import typer

from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import console, plain_table, print_json, working

__all__ = ["orbits"]


@reads_graph
def orbits(
    read: ReadGraph,
    file: GraphFile,
    use_labels: Annotated[
        bool, typer.Option("--use-labels", help="Only symmetries that keep the labels count.")
    ] = False,
    limit: Annotated[
        int, typer.Option(min=0, help="Print at most this many classes; 0: all.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """Print the classes of nodes that some symmetry of the whole graph maps onto each other.

    \b
    Examples:
      grape orbits friends.csv
      grape orbits molecule.graphml --label element --use-labels --json
    """
    import numpy as np

    from grape_gnn.roles import automorphism_orbits

    loaded = read()
    with working("looking for symmetries"):
        class_of = automorphism_orbits(loaded, use_labels=use_labels)
    order = np.argsort(class_of, kind="stable")
    cuts = np.flatnonzero(np.diff(class_of[order])) + 1
    classes = [[loaded.name_of(v) for v in part.tolist()] for part in np.split(order, cuts)]
    if loaded.num_nodes == 0:
        classes = []
    if as_json:
        print_json({"file": str(file), "nodes": loaded.num_nodes, "classes": classes})
        return
    shared = sorted((c for c in classes if len(c) > 1), key=len, reverse=True)
    screen = console()
    screen.print(
        f"{loaded.num_nodes:,} nodes in {len(classes):,} classes; "
        f"{len(classes) - len(shared):,} nodes are like no other"
    )
    if not shared:
        return
    table = plain_table("size", "members", right=("size",))
    for members in shared[: limit or None]:
        listed = ", ".join(map(str, members[:12])) + (", ..." if len(members) > 12 else "")
        table.add_row(f"{len(members):,}", listed)
    screen.print(table)
    if limit and len(shared) > limit:
        screen.print(f"and {len(shared) - limit:,} smaller classes (--limit 0 shows all)")
