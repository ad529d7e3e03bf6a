"""The surroundings of some nodes: who is within so many steps, and the graph between them.

Ego-AE is local: the roles around an ego depend on nothing beyond the reach of the template.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph.graph import Graph

__all__ = ["induced", "places_of_rows", "within"]

Nodes = NDArray[np.int64]


def places_of_rows(ptr: NDArray[np.int64], rows: NDArray[Any]) -> tuple[Nodes, Nodes]:
    """Return compressed rows of some rows: where each begins, and the places of its entries.

    Examples
    --------
    >>> starts, places = places_of_rows(np.array([0, 2, 3, 6]), np.array([2, 0]))
    >>> starts.tolist(), places.tolist()
    ([0, 3, 5], [3, 4, 5, 0, 1])
    """
    starts = np.zeros(len(rows) + 1, np.int64)
    counts = ptr[rows + 1] - ptr[rows]
    np.cumsum(counts, out=starts[1:])
    places = np.repeat(ptr[rows] - starts[:-1], counts)
    places += np.arange(starts[-1])
    return starts, places


def within(graph: Graph, nodes: Nodes, hops: int) -> Nodes:
    """Return the nodes within so many steps of some, along or against arcs, in ascending order.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> within(path, np.array([0]), 2).tolist()
    [0, 1, 2]
    """
    seen = np.zeros(graph.num_nodes, bool)
    seen[nodes] = True
    edge = np.flatnonzero(seen)
    sides = [(graph.indptr, graph.indices)]
    if graph.directed:
        sides.append((graph.in_indptr, graph.in_indices))
    for _ in range(hops):
        reached = np.zeros_like(seen)
        for ptr, idx in sides:
            reached[idx[places_of_rows(ptr, edge)[1]]] = True
        edge = np.flatnonzero(reached & ~seen)
        if edge.size == 0:
            break
        seen |= reached
    return np.flatnonzero(seen)


def induced(graph: Graph, nodes: Nodes) -> Graph:
    """Return the graph between some nodes, given in ascending order, with their labels and types.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> induced(path, np.array([1, 2, 4])).edge_array().tolist()
    [[0, 1]]
    """
    number = np.full(graph.num_nodes, -1, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)

    def between(
        ptr: NDArray[np.int64], idx: NDArray[np.int32]
    ) -> tuple[Nodes, NDArray[np.int32], Nodes]:
        starts, places = places_of_rows(ptr, nodes)
        members = number[idx[places]]
        kept = members >= 0
        before = np.zeros(len(kept) + 1, np.int64)
        np.cumsum(kept, out=before[1:])
        return before[starts], members[kept], places[kept]

    indptr, indices, entries = between(graph.indptr, graph.indices)
    columns = indptr, indices
    if graph.directed:
        columns = between(graph.in_indptr, graph.in_indices)[:2]
    return Graph(
        graph.directed,
        indptr,
        indices,
        *columns,
        y=None if graph.y is None else graph.y[nodes],
        label_names=graph.label_names,
        types=None if graph.types is None else graph.types[nodes],
        type_names=graph.type_names,
        edge_types=None if graph.edge_types is None else graph.edge_types[entries],
        edge_type_names=graph.edge_type_names,
    )
