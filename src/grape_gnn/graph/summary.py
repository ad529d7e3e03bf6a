"""What ``grape info`` prints: the facts one wants to know of a graph before working with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.graph.attributes import Label
from grape_gnn.graph.graph import Graph

__all__ = [
    "ColumnSummary",
    "FeatureSummary",
    "GraphSummary",
    "LabelSummary",
    "TypeSummary",
    "facts",
    "summarise",
    "summarise_labels",
    "summarise_types",
]

TOP_CLASSES = 10


@dataclass(frozen=True)
class LabelSummary:
    """How the labels are spread; `largest` lists (label, count) of the most frequent ones.

    Numbers to predict have no classes but a `spread`: the smallest, the mean and the largest.
    """

    classes: int
    missing: int
    largest: tuple[tuple[Label, int], ...]
    task: str = "classification"
    spread: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class FeatureSummary:
    """Width of the feature matrix, share of its entries that are not 0, rows that are all 0."""

    width: int
    density: float
    zero_rows: int


@dataclass(frozen=True)
class ColumnSummary:
    """A column of the node table: its kind, how many nodes lack it, how many values differ."""

    name: str
    kind: str
    missing: int
    distinct: int
    note: str


@dataclass(frozen=True)
class TypeSummary:
    """How the types of nodes or edges are spread; `largest` as for `LabelSummary`."""

    types: int
    missing: int
    largest: tuple[tuple[Label, int], ...]


@dataclass(frozen=True)
class GraphSummary:
    """Counts and degrees of a graph; see :func:`summarise`."""

    nodes: int
    edges: int
    directed: bool
    density: float
    degree_min: int
    degree_mean: float
    degree_median: float
    degree_max: int
    isolated: int
    components: int
    largest_component: int
    triangles: int
    labels: LabelSummary | None
    features: FeatureSummary | None
    columns: tuple[ColumnSummary, ...] | None
    node_types: TypeSummary | None
    edge_types: TypeSummary | None

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as nested dictionaries of plain numbers, ready for JSON."""
        return asdict(self)


def summarise(graph: Graph) -> GraphSummary:
    """Summarise a graph.

    Degrees of a directed graph count out-arcs; its components are the weakly connected ones, and
    its triangles those of the undirected version. A node is isolated if it has no arc at all.

    Examples
    --------
    >>> from grape_gnn.graph import Graph, summarise
    >>> s = summarise(Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=4))
    >>> s.triangles, s.components, s.isolated, s.degree_mean
    (1, 2, 1, 1.5)
    """
    # Not at the top: it brings all of scipy.linalg, half the time that `import grape_gnn` takes.
    from scipy.sparse.csgraph import connected_components

    n, degrees = graph.num_nodes, graph.degrees
    pairs = n * (n - 1) // (1 if graph.directed else 2)
    components, member_of = connected_components(graph.to_scipy(), directed=graph.directed)
    return GraphSummary(
        nodes=n,
        edges=graph.num_edges,
        directed=graph.directed,
        density=graph.num_edges / pairs if pairs else 0.0,
        degree_min=int(degrees.min()) if n else 0,
        degree_mean=float(degrees.mean()) if n else 0.0,
        degree_median=float(np.median(degrees)) if n else 0.0,
        degree_max=int(degrees.max()) if n else 0,
        isolated=int(np.count_nonzero((degrees == 0) & (np.diff(graph.in_indptr) == 0))),
        components=int(components),
        largest_component=int(np.bincount(member_of).max()) if n else 0,
        triangles=_count_triangles(graph),
        labels=summarise_labels(graph),
        features=_summarise_features(graph),
        columns=_summarise_columns(graph),
        node_types=summarise_types(graph.types, graph.type_names),
        edge_types=summarise_types(graph.edge_types, graph.edge_type_names, not graph.directed),
    )


def facts(graph: Graph) -> dict[str, Any]:
    """Return what can be said of a graph without reading it, however large it is.

    Examples
    --------
    >>> facts(Graph.from_edges([0, 1], [1, 2]))["edges"]
    2
    """
    labels = 0 if graph.label_names is None else len(graph.label_names)
    return {
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "directed": graph.directed,
        "mean degree": round(graph.indices.size / max(1, graph.num_nodes), 2),
        "names": "0, 1, 2, ..." if graph.names is None else f"such as {graph.name_of(0)!r}",
        "features": 0 if graph.x is None else graph.x.shape[1],
        "columns": len(graph.columns or ()),
        "task": graph.task or "no labels",
        "labels": labels,
        "node types": len(graph.type_names or ()),
        "edge types": len(graph.edge_type_names or ()),
        "splits": len(graph.splits),
    }


def _count_triangles(graph: Graph) -> int:
    return _native.count_triangles(graph.to_undirected().native)


def summarise_labels(graph: Any) -> LabelSummary | None:
    """Return how the labels of a graph's nodes, or of a set's graphs, are spread; None without."""
    if graph.y is None:
        return None
    known, missing = graph.y[graph.labelled], int(np.count_nonzero(~graph.labelled))
    names, task = graph.label_names or (), str(graph.task)
    if task == "regression":
        spread = None
        if known.size:
            spread = (float(known.min()), float(known.mean()), float(known.max()))
        return LabelSummary(0, missing, (), task, spread)
    if task == "multi-label":
        counts = known.sum(axis=0)
    else:
        counts = np.bincount(known, minlength=len(names))
    by_size = np.argsort(-counts, kind="stable")[:TOP_CLASSES]
    largest = tuple((names[c], int(counts[c])) for c in by_size)
    return LabelSummary(len(names), missing, largest, task)


def summarise_types(
    codes: NDArray[np.int64] | None, names: tuple[Label, ...] | None, twice: bool = False
) -> TypeSummary | None:
    """Count types of nodes or edges; `twice`: every edge is there from both of its ends.

    Examples
    --------
    >>> summarise_types(np.array([1, 0, 1, -1]), ("C", "N"))
    TypeSummary(types=2, missing=1, largest=(('N', 2), ('C', 1)))
    """
    if codes is None:
        return None
    known = names or ()
    counts = np.bincount(codes[codes >= 0], minlength=len(known)) // (1 + twice)
    by_size = np.argsort(-counts, kind="stable")[:TOP_CLASSES]
    largest = tuple((known[c], int(counts[c])) for c in by_size)
    return TypeSummary(len(known), int((codes < 0).sum()) // (1 + twice), largest)


def _summarise_columns(graph: Graph) -> tuple[ColumnSummary, ...] | None:
    if graph.columns is None:
        return None
    return tuple(
        ColumnSummary(
            column.name,
            column.kind,
            int(column.missing.sum()),
            len(set(column.values[~column.missing].tolist())),
            column.note,
        )
        for column in graph.columns
    )


def _summarise_features(graph: Graph) -> FeatureSummary | None:
    if graph.x is None:
        return None
    if isinstance(graph.x, np.ndarray):
        per_row = np.count_nonzero(graph.x, axis=1)
    else:
        per_row = np.diff(graph.x.indptr)
    cells = graph.x.shape[0] * graph.x.shape[1]
    return FeatureSummary(
        width=graph.x.shape[1],
        density=float(per_row.sum() / cells) if cells else 0.0,
        zero_rows=int(np.count_nonzero(per_row == 0)),
    )
