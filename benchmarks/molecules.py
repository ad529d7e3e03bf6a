"""Generated sets of graphs that look like molecules, for speed and for targets that need structure.

A molecule is a random tree of 12 to 28 atoms with at most three neighbours each, in which some
pairs four or five steps apart are joined, so that there are rings of five and six atoms and fused
ones. Atoms are C, N, O and S. The targets are counted by enumeration.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from grape_gnn.graphs import GraphSet
from grape_gnn.graphs.pieces import Piece
from grape_gnn.roles import match

__all__ = ["TARGETS", "molecules", "with_target"]

TARGETS = {
    "six-rings": "0-1 0-2 1-3 2-4 3-5 4-5",
    "five-rings": "0-1 0-2 1-3 2-4 3-4",
    "N-C-N": "0-1 1-2 0:N 1:C 2:N",
    "N in six-rings": "0-1 0-2 1-3 2-4 3-5 4-5 0:N",
}
"""Templates whose instances around all nodes of a graph are what is to be predicted."""


def molecules(count: int, seed: int = 0) -> GraphSet:
    """Return generated molecules without targets."""
    random = np.random.default_rng(seed)
    return GraphSet.from_pieces([_molecule(random) for _ in range(count)])


def with_target(graphs: GraphSet, target: str) -> GraphSet:
    """Count the instances of a target's template around all nodes of every graph."""
    roles = match(graphs, TARGETS[target], engine="enumerate")[0]
    counts = np.bincount(graphs.graph_of_node, roles.totals, minlength=len(graphs))
    return graphs.with_targets(counts, task="regression")


def _molecule(random: np.random.Generator) -> Piece:
    n = int(random.integers(12, 29))
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for atom in range(1, n):
        free = [v for v in range(atom) if len(neighbours[v]) < 3]
        # Late atoms more often than early ones: molecules are longer than they are bushy.
        chosen = free[int(len(free) * random.random() ** 0.3)]
        neighbours[atom].add(chosen)
        neighbours[chosen].add(atom)
    for _ in range(int(random.integers(0, 5))):
        start = int(random.integers(n))
        far = [v for v, d in _distances(neighbours, start).items() if d in (4, 5)]
        if far and len(neighbours[start]) < 3:
            end = int(random.choice(far))
            if len(neighbours[end]) < 3:
                neighbours[start].add(end)
                neighbours[end].add(start)
    edges = np.array([(u, v) for u in range(n) for v in neighbours[u] if u < v], np.int64)
    types = random.choice(np.array(["C", "N", "O", "S"]), n, p=(0.6, 0.2, 0.15, 0.05))
    return Piece(edges[:, 0], edges[:, 1], n, types.tolist())


def _distances(neighbours: list[set[int]], start: int) -> dict[int, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        at = waiting.popleft()
        for v in sorted(neighbours[at] - found.keys()):
            found[v] = found[at] + 1
            waiting.append(v)
    return found
