"""`profile`: every orbit of all small graphs, counted at every node or edge in one go."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import one_of, whole_number
from grape_gnn.errors import DirectionMismatchError
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.roles.algebra import Evaluator
from grape_gnn.roles.algebra.totals import edge_totals
from grape_gnn.roles.engine import make_settings
from grape_gnn.roles.profiles.ego_networks import EgoNetworks, node_column
from grape_gnn.roles.profiles.orbits import LARGEST, Orbit, edge_orbits, node_orbits
from grape_gnn.roles.profiles.result import Profile

__all__ = ["profile"]


def profile(
    graph: GraphLike,
    size: int = 4,
    *,
    of: str = "nodes",
    threads: int | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
) -> Profile:
    """Count every orbit of all connected graphs of up to `size` nodes, at every node or edge.

    Nothing is enumerated: the counts are sums of a few vectors that all orbits share, and of
    numbers that the ego networks give, exact to the last instance. The **non-induced** counts are
    those of `count_instances`; the **induced** ones, which other programs call graphlet degrees,
    follow from them by linear equations.

    Parameters
    ----------
    graph
        An undirected graph.
    size
        Nodes of the largest small graphs: 2 to 5. The number of orbits is 1, 4, 15 or 73.
    of
        ``"nodes"``: node orbits, a row for every node; ``"edges"``: edge orbits, a row for every
        edge (2, 12 or 68 orbits for sizes 3 to 5).
    threads, memory, time
        As for `match`.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> found = profile(g, size=3)
    >>> found.to_numpy().tolist()  # degree, end and middle of a 3-path, triangles
    [[2, 3, 1, 1], [2, 3, 1, 1], [3, 2, 3, 1], [1, 2, 0, 0]]
    >>> found.to_numpy(induced=True).tolist()
    [[2, 1, 0, 1], [2, 1, 0, 1], [3, 0, 2, 1], [1, 2, 0, 0]]
    >>> found.orbits[3], list(found.instances("ann", 3))
    (Orbit(3, '0-1 0-2 1-2'), [('ann', 'bob', 'cat')])
    """
    graph = as_graph(graph)
    one_of("of", of, ("nodes", "edges"))
    whole_number("size", size, 2 if of == "nodes" else 3, LARGEST)
    if graph.directed:
        raise DirectionMismatchError(
            "profile counts the orbits of undirected graphs, but the graph is directed: give "
            "graph.to_undirected(), or count directed templates with count_instances"
        )
    settings = make_settings(threads=threads, memory=memory, time=time)
    known = Evaluator(graph, settings)
    networks = EgoNetworks(known, of)
    orbits = (node_orbits if of == "nodes" else edge_orbits)(size)
    count = node_column if of == "nodes" else _edge_column
    with known.within(settings):
        columns = []
        for orbit in orbits:
            known.check_room(8 * graph.num_nodes)
            columns.append(count(known, networks, orbit))
    return Profile(graph, of, orbits, np.stack(columns, axis=1))


def _edge_column(known: Evaluator, networks: EgoNetworks, orbit: Orbit) -> NDArray[np.int64]:
    if networks.can_count(orbit):
        counts = networks.edge_column(orbit)
    else:
        counts = edge_totals(known, orbit.template, orbit.role)
    graph = known.graph
    forward = np.repeat(np.arange(graph.num_nodes), graph.degrees) < graph.indices
    if orbit.reversible:
        return counts[forward]
    # Either end of the edge may be the anchor.
    return counts[forward] + counts[networks.opposite][forward]
