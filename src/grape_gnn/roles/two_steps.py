"""How many pairs of nodes are two steps apart, by looking at some of the nodes.

Where walks of two steps end anywhere, degrees tell. In a lattice, a small world or a graph of
communities many end at the same nodes, and there are several times fewer such pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph

__all__ = ["evenly", "pairs_two_steps_apart"]

HUBS = 32  # nodes of highest degree, a stratum of its own
HUBS_SEEN = 4  # of which so many are looked at
OTHERS_SEEN = 256


def pairs_two_steps_apart(graph: Graph) -> float:
    """Estimate the number of pairs, a node and itself among them, that a walk of two steps joins.

    Examples
    --------
    >>> ring = np.arange(1000)
    >>> pairs_two_steps_apart(Graph.from_edges(ring, (ring + 1) % 1000))
    3000.0
    """
    order = np.argsort(-graph.degrees, kind="stable").astype(np.int32)
    found = 0.0
    for stratum, seen in ((order[:HUBS], HUBS_SEEN), (order[HUBS:], OTHERS_SEEN)):
        if stratum.size:
            chosen = evenly(stratum, min(stratum.size, seen))
            found += stratum.size * float(np.mean([_ends(graph, int(node)) for node in chosen]))
    return found


def evenly(nodes: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """Return so many of the nodes, evenly spread over their order."""
    return nodes[np.linspace(0, nodes.size - 1, size).astype(np.int64)]


def _ends(graph: Graph, node: int) -> int:
    ptr, idx = graph.indptr, graph.indices
    rows = [idx[ptr[near] : ptr[near + 1]] for near in idx[ptr[node] : ptr[node + 1]]]
    return int(np.unique(np.concatenate(rows)).size) if rows else 0
