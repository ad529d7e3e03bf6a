"""Heterophily with a cure: a node's class is not that of its neighbours but that of its opposites.

Every node takes part in four squares (4-cycles). The opposite corner of each is of the node's own
class; its two neighbours there are of any class, whatever the node's. So an edge joins equals no
more often than chance, one time in four, and the neighbours tell nothing. The features are four
numbers: the one-hot class plus normal noise, too much of it to read the class off a node alone.

A network has to average over the *far role* of the square: with the node's own features that makes
five readings of one class. Message passing meets the four opposites too, two steps away, but among
fifty others that mean nothing, so what it adds up is mostly noise. No theorem holds it there, as
the features tell nodes apart. What linear models make of it: a node's own features 60% right, with
sums over one and two steps 70%, with the sum over the opposite corners 89%.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import number
from grape_gnn.datasets.generated import checked_size, generated, seeded
from grape_gnn.datasets.simple_edges import simple_edges
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph

__all__ = ["DATASETS", "heterophilous_roles"]

CLASSES = 4
SQUARES_EACH = 4


def heterophilous_roles(*, num_nodes: int = 3000, noise: float = 0.9, seed: int = 0) -> Graph:
    """Generate a graph of squares with like opposite corners; see the top of the module.

    Parameters
    ----------
    num_nodes
        A multiple of 8, at least 200.
    noise
        Standard deviation of the noise in the features.
    seed
        Seed of everything random.

    Returns
    -------
    Graph

    Examples
    --------
    >>> heterophilous_roles(num_nodes=800)
    Graph(nodes=800, edges=..., undirected, features=4, classes=4)
    """
    reason = "so that every class falls into pairs of opposite corners"
    n = checked_size("num_nodes", num_nodes, 200, 2 * CLASSES, reason)
    spread = number("noise", noise, least=0, error=DatasetError)
    rng = seeded(seed)
    y = rng.permutation(np.arange(n) % CLASSES)
    ends = np.concatenate([_squares(y, rng) for _ in range(SQUARES_EACH)])
    x = np.eye(CLASSES)[y] + spread * rng.standard_normal((n, CLASSES))
    return Graph.from_edges(*simple_edges(ends[:, 0], ends[:, 1], n), n, x=x, y=y)


def _squares(y: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Put every node into one square, opposite to one of its class; return the edges."""
    pairs = np.concatenate(
        [rng.permutation(np.flatnonzero(y == c)).reshape(-1, 2) for c in range(CLASSES)]
    )
    one, other = rng.permutation(pairs).reshape(2, -1, 2)
    return np.concatenate(
        [np.stack([one[:, i], other[:, j]], axis=1) for i in range(2) for j in range(2)]
    )


DATASETS = (
    generated(
        "heterophilous-roles",
        "squares whose opposite corners are of one class, neighbours of any; label: class; "
        "features: class with noise",
        heterophilous_roles,
        (3000, 11983, 4, 4),
        templates="edge,4-cycle",
    ),
)
