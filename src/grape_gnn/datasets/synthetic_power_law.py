"""Planted roles on a power law: shapes hung on a sparse graph of hubs, leaves and stray triangles.

The base grows as in Holme and Kim (2002): every new node joins two earlier ones, the first in
proportion to its degree, the second either likewise or among the neighbours of the first, which
closes a triangle. So degrees and triangles of the base have heavy tails, from 2 neighbours to
dozens. Shapes of `synthetic_roles` hang on some of its nodes: on each either a wheel and a
windmill, or a cube, a necklace and a pair of cliques. The label of a node is its shape and its
role there, or ``"base"``; the only feature is a constant 1.

A network has to count triangles and 4-cliques around the nodes of the shapes, beside base nodes of
which some have many times more. *Message passing* may tell base from shape, hub from rim, and
where in the graph a shape hangs. But the shapes that hang together look alike to it, node by node,
at any depth, so that it can only guess one in two or one in three. The best it can reach is 62% of
all nodes.
"""

from __future__ import annotations

import numpy as np

from grape_gnn.datasets.generated import checked_size, generated, seeded
from grape_gnn.datasets.synthetic_roles import FAMILIES, hang
from grape_gnn.graph import Graph

__all__ = ["DATASETS", "power_law_roles"]

BASE_EACH = 5
TRIANGLE_CHANCE = 0.5
# Without the house, which has no twin.
TWINS = FAMILIES[1:]


def power_law_roles(*, num_shapes: int = 200, seed: int = 0) -> Graph:
    """Generate a power-law graph with planted shapes; see the top of the module.

    Parameters
    ----------
    num_shapes
        A multiple of 5, at least 10; the graph has about thirteen nodes per shape.
    seed
        Seed of everything random.

    Returns
    -------
    Graph

    Examples
    --------
    >>> power_law_roles(num_shapes=20)
    Graph(nodes=264, edges=..., undirected, features=1, classes=12)
    """
    kinds = sum(map(len, TWINS))
    reason = "so that there are as many of each"
    count = checked_size("num_shapes", num_shapes, 10, kinds, reason)
    rng = seeded(seed)
    size = BASE_EACH * count
    base = _grow(size, rng)
    families = TWINS * (count // kinds)
    places = rng.permutation(size)[: len(families)].tolist()
    hung = [
        (place, shape) for place, family in zip(places, families, strict=True) for shape in family
    ]
    return hang(base, size, hung, rng)


def _grow(size: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Grow a power-law graph with triangles; return its edges, each once."""
    neighbours: list[list[int]] = [[1, 2], [0, 2], [0, 1]]
    # Every node as often as it has neighbours: a random entry is one in proportion to degree.
    ends = [0, 0, 1, 1, 2, 2]
    for node in range(len(neighbours), size):
        first = ends[rng.integers(len(ends))]
        near = rng.random() < TRIANGLE_CHANCE
        second = first
        while second == first:
            pool = neighbours[first] if near else ends
            second = pool[rng.integers(len(pool))]
        neighbours.append([first, second])
        for other in (first, second):
            neighbours[other].append(node)
            ends.extend((node, other))
    return [(node, other) for node, near in enumerate(neighbours) for other in near if other < node]


DATASETS = (
    generated(
        "power-law-roles",
        "shapes on a sparse power-law graph with triangles; label: role in the shape; "
        "constant feature",
        power_law_roles,
        (2640, 5557, 1, 12),
    ),
)
