"""Counting: nodes are labelled by the number of triangles through them, in four equal classes.

Nodes lie on a ring, each joined to the six before and the six after it, which makes 45 triangles
through every node. Then edges exchange their ends at random, in some stretches of the ring hardly
any and in others nearly all, so that from none to all triangles are lost. An exchange leaves all
degrees as they are.

A network has to count the instances of the template and compare the count with three thresholds.
As every node has degree 12 and the constant feature 1, *message passing sees nothing at all*:
every node looks the same at any depth, and the best that it can do is to guess one class in four.
Any template with a cycle in it makes a task of its own, such as ``4-cycle``; small trees do not,
because on a regular graph there are as many of them around every node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.datasets.generated import checked_size, generated, seeded
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph
from grape_gnn.roles.match import match
from grape_gnn.template import Template

__all__ = ["DATASETS", "role_quartile"]

REACH = 6
STRETCH = 50


def role_quartile(
    *, num_nodes: int = 2000, template: str | Template = "triangle", seed: int = 0
) -> Graph:
    """Generate a regular graph labelled by quartiles of a role count; see the top of the module.

    Parameters
    ----------
    num_nodes
        At least 200.
    template
        What to count: an undirected template, or its name or text.
    seed
        Seed of everything random.

    Returns
    -------
    Graph
        Labels 1 (fewest) to 4; nodes with equal counts have equal labels.

    Examples
    --------
    >>> role_quartile(num_nodes=300)
    Graph(nodes=300, edges=1800, undirected, features=1, classes=4)
    """
    n = checked_size("num_nodes", num_nodes, 200)
    rng = seeded(seed)
    src = np.tile(np.arange(n), REACH)
    dst = (src + np.repeat(np.arange(1, REACH + 1), n)) % n
    stretches = -(-n // STRETCH)
    # Of the triangles in a stretch this share is to keep all three edges.
    kept = (rng.permutation(stretches) + 0.5) / stretches
    loose = rng.random(src.size) >= np.cbrt(kept)[src // STRETCH]
    ends = _exchange(src, dst, loose, rng)
    ends = rng.permutation(n)[ends]
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], n, strict=True)
    counts = match(graph, template)[0].totals
    quarter = np.searchsorted(np.quantile(counts, [0.25, 0.5, 0.75]), counts)
    if len(np.unique(quarter)) < 4:
        raise DatasetError(
            f"the numbers of {template!s} through the nodes are too much alike to make four "
            "classes; choose a template with a cycle that is common, such as 'triangle'"
        )
    x = np.ones((n, 1))
    return Graph.from_edges(
        ends[:, 0], ends[:, 1], n, x=x, y=quarter, label_names=(1, 2, 3, 4), strict=True
    )


def _exchange(
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    loose: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Let pairs of loose edges, a-b and c-d, become a-d and c-b where both are new edges."""
    edges = list(zip(src.tolist(), dst.tolist(), strict=True))
    known = {frozenset(edge) for edge in edges}
    order = rng.permutation(np.flatnonzero(loose)).tolist()
    for i, j in zip(order[::2], order[1::2], strict=False):
        (a, b), (c, d) = edges[i], edges[j]
        new = frozenset((a, d)), frozenset((c, b))
        if a == d or c == b or new[0] == new[1] or known.intersection(new):
            continue
        known.difference_update((frozenset((a, b)), frozenset((c, d))))
        known.update(new)
        edges[i], edges[j] = (a, d), (c, b)
    return np.array(edges, np.int64)


DATASETS = (
    generated(
        "role-quartile",
        "a regular graph, clustered here and there; label: quartile of the number of triangles "
        "(or another template); constant feature",
        role_quartile,
        (2000, 12000, 1, 4),
    ),
)
