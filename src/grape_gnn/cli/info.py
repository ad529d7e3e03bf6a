"""``grape info``: what is in a graph file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.options import AsJson, GraphFile, ReadGraph, reads_graph
from grape_gnn.cli.output import console, print_json, working
from grape_gnn.cli.train_graphs import is_about_graphs, read_many
from grape_gnn.cli.train_options import EdgeFeatures, GraphColumn, Targets
from grape_gnn.errors import GrapeError

if TYPE_CHECKING:
    from grape_gnn.graph.summary import ColumnSummary, TypeSummary

__all__ = ["info"]

_COLUMNS = 30  # that are shown


@reads_graph
def info(
    read: ReadGraph,
    file: GraphFile,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="For .grape: read all of it, to count what takes more than a look."
        ),
    ] = False,
    targets: Targets = None,
    graph_column: GraphColumn = None,
    edge_features: EdgeFeatures = None,
    as_json: AsJson = False,
) -> None:
    """Print what a graph file holds: size, degrees, components, triangles, labels, features.

    Of a graph on disk (.grape) it prints what can be seen without reading it, unless asked for all.

    \b
    Examples:
      grape info friends.csv
      grape info cites.tsv.gz --directed --json
      grape info friends.csv --nodes people.csv --label team
      grape info molecules.txt --task graph
    """
    from grape_gnn.graph.graph_folder import GRAPH_SUFFIX
    from grape_gnn.graph.summary import facts, summarise, summarise_labels

    many = None
    if is_about_graphs(read.source):
        with working(f"reading {read.source.title}"):
            many = read_many(read.source, targets, graph_column, edge_features)
    elif any(each is not None for each in (targets, graph_column, edge_features)):
        raise GrapeError(
            "--targets, --graph-column and --edge-features are for many graphs: add --task graph"
        )
    graph = read() if many is None else many.union
    if Path(file).suffix == GRAPH_SUFFIX and not full:
        at_once = facts(graph)
        if as_json:
            print_json({"file": str(file), **at_once})
        else:
            rows = [(name, _shown(value)) for name, value in at_once.items()]
            _print_rows(
                str(file), [*rows, ("", "--full counts degrees, components, triangles, ...")]
            )
        return
    with working("counting triangles"):
        summary = summarise(graph)
    sizes = [0] if many is None else many.sizes.tolist() or [0]
    if many is not None:
        summary = replace(summary, labels=summarise_labels(many))
    if as_json:
        of_many: dict[str, Any] = {}
        if many is not None:
            numbers = [] if many.edge_features is None else list(many.edge_features.names)
            of_many = {"graphs": len(many), "largest_graph": max(sizes), "edge_features": numbers}
        print_json({"file": str(file), **of_many, **summary.to_dict()})
        return
    s, kind = summary, "directed" if summary.directed else "undirected"
    rows = [
        ("nodes", f"{s.nodes:,}"),
        ("arcs" if s.directed else "edges", f"{s.edges:,}  ({kind}, density {s.density:.3g})"),
        (
            "out-degree" if s.directed else "degree",
            f"{s.degree_min:,} to {s.degree_max:,}, mean {s.degree_mean:.2f}, "
            f"median {s.degree_median:g}",
        ),
        ("components", f"{s.components:,}, the largest with {s.largest_component:,} nodes"),
        ("isolated", f"{s.isolated:,}"),
        ("triangles", f"{s.triangles:,}"),
    ]
    if many is not None:
        mean = sum(sizes) / len(sizes)
        words = f"{len(many):,} of {min(sizes):,} to {max(sizes):,} nodes, mean {mean:.2f}"
        rows.insert(0, ("graphs", words))
    if s.labels is None:
        rows.append(("labels", "none"))
    elif s.labels.spread is not None:
        low, mean, high = s.labels.spread
        words = f"numbers from {low:g} to {high:g}, mean {mean:g}, {s.labels.missing:,} missing"
        rows.append(("labels", words))
    else:
        largest = ", ".join(f"{name}: {count:,}" for name, count in s.labels.largest)
        more = ", ..." if s.labels.classes > len(s.labels.largest) else ""
        each = "node" if many is None else "graph"
        kind = f"labels, several per {each}" if s.labels.task == "multi-label" else "classes"
        rows.append(("labels", f"{s.labels.classes:,} {kind}, {s.labels.missing:,} missing"))
        rows.append(("", f"{largest}{more}"))
    for what, kinds in (("node types", s.node_types), ("edge types", s.edge_types)):
        if kinds is not None:
            rows.append((what, _spread(kinds)))
    if many is not None and many.edge_features is not None:
        rows.append(("edge features", str(many.edge_features)))
    if s.columns is not None:
        rows += [("" if k else "columns", _about(c)) for k, c in enumerate(s.columns[:_COLUMNS])]
        if len(s.columns) > _COLUMNS:
            rows.append(("", f"and {len(s.columns) - _COLUMNS:,} more"))
    elif s.features is None:
        rows.append(("features", "none"))
    else:
        f = s.features
        rows.append(
            ("features", f"{f.width:,} columns, {f.density:.2%} not 0, {f.zero_rows:,} rows all 0")
        )
    for k, split in enumerate(graph.splits[:_COLUMNS]):
        sizes = ", ".join(f"{part} {int(mask.sum()):,}" for part, mask in vars(split).items())
        rows.append(("" if k else "splits", f"number {k}: {sizes}"))
    if len(graph.splits) > _COLUMNS:
        rows.append(("", f"and {len(graph.splits) - _COLUMNS:,} more"))
    _print_rows(str(file), rows)


def _spread(kinds: TypeSummary) -> str:
    largest = ", ".join(f"{name}: {count:,}" for name, count in kinds.largest)
    more = ", ..." if kinds.types > len(kinds.largest) else ""
    gaps = f", {kinds.missing:,} without" if kinds.missing else ""
    return f"{kinds.types:,} ({largest}{more}){gaps}"


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _about(column: ColumnSummary) -> str:
    gaps = f", {column.missing:,} missing" if column.missing else ""
    note = f"; {column.note}" if column.note else ""
    return f"{column.name}: {column.kind}, {column.distinct:,} different{gaps}{note}"


def _print_rows(title: str, rows: list[tuple[str, str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for name, value in rows:
        table.add_row(Text(name, "bold"), value)
    screen = console()
    screen.print(title, style="bold cyan")
    screen.print(table)
