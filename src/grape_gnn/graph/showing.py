"""How a graph shows itself: a line in a shell, a table in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grape_gnn.notebook import html_table

if TYPE_CHECKING:
    from grape_gnn.graph.graph import Graph

__all__ = ["graph_html", "graph_text"]


def graph_text(graph: Graph) -> str:
    """Return the facts of a graph in one line.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> graph_text(Graph.from_edges([0, 1], [1, 2], y=["a", "b", "a"]))
    'Graph(nodes=3, edges=2, undirected, classes=2)'
    """
    parts = [
        f"nodes={graph.num_nodes}",
        f"edges={graph.num_edges}",
        "directed" if graph.directed else "undirected",
    ]
    if graph.x is not None:
        parts.append(f"features={graph.x.shape[1]}")
    if graph.columns is not None:
        parts.append(f"columns={len(graph.columns)}")
    if graph.label_names is not None:
        kind = "labels" if graph.task == "multi-label" else "classes"
        parts.append(f"{kind}={len(graph.label_names)}")
    elif graph.y is not None:
        parts.append("numbers to predict")
    for kind, found in (("node", graph.type_names), ("edge", graph.edge_type_names)):
        if found is not None:
            parts.append(f"{kind} types={len(found)}")
    if graph.splits:
        parts.append(f"splits={len(graph.splits)}")
    if graph.names is not None:
        parts.append("named")
    return f"Graph({', '.join(parts)})"


def graph_html(graph: Graph) -> str:
    """Return what a notebook shows of a graph: facts that take no time to find."""
    from grape_gnn.graph.summary import summarise_labels

    kind = "arcs (directed)" if graph.directed else "edges (undirected)"
    rows: list[tuple[str, object]] = [("nodes", graph.num_nodes), (kind, graph.num_edges)]
    if graph.num_nodes:
        rows.append(("mean degree", f"{graph.degrees.mean():.2f}"))
    labels = summarise_labels(graph)
    if labels is not None:
        frequent = ", ".join(f"{name}: {count:,}" for name, count in labels.largest[:5])
        more = ", ..." if labels.classes > 5 else ""
        words = f"{labels.classes:,} classes ({frequent}{more})" if labels.classes else "numbers"
        rows.append(("labels", f"{words}, {labels.missing:,} missing"))
    for what, kinds in (("node types", graph.type_names), ("edge types", graph.edge_type_names)):
        if kinds is not None:
            few = ", ".join(map(str, kinds[:5])) + (", ..." if len(kinds) > 5 else "")
            rows.append((what, f"{len(kinds):,} ({few})"))
    if graph.x is not None:
        rows.append(("features", graph.x.shape[1]))
    if graph.columns is not None:
        rows.append(("columns", ", ".join(column.name for column in graph.columns)))
    if graph.names is not None:
        few = ", ".join(map(str, graph.names[:5]))
        rows.append(("names", f"{few}, ..." if graph.num_nodes > 5 else few))
    return html_table("Graph", (), rows)
