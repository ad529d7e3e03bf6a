"""Who is drawn around an ego, and where.

Of a small graph all nodes are drawn; of a larger one the ego and the strongest members of every
role in turn, so that no role crowds out another. Places minimise the stress: two nodes want to be
as far apart as they are in the graph.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles import ego_role_counts, instances
from grape_gnn.template import Template
from grape_gnn.template.layout import Points, settle

__all__ = ["Scene", "make_scene", "place_nodes"]

ALL_NODES = 90  # of a graph with no more than this, all nodes are drawn
MOST_MEMBERS = 50
_INSTANCES = 100_000  # looked at for the edges that stand out
_STEPS = 300

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Scene:
    """What there is to draw; nodes by number.

    Parameters
    ----------
    graph, template, ego
        What the picture is about.
    roles_of
        For every drawn node the roles it plays; empty for those that play none.
    points
        Where the drawn nodes are, in their order, in any unit.
    ranked
        Drawn members, the ego first, then by the number of instances.
    edges, used
        Edges between drawn nodes; those that belong to an instance.
    members
        Number of members of every role, drawn or not.
    instances
        Number of instances around the ego.
    """

    graph: Graph
    template: Template
    ego: int
    roles_of: dict[int, list[int]]
    points: Points
    ranked: list[int]
    edges: list[Pair]
    used: set[Pair]
    members: list[int]
    instances: int


def make_scene(
    graph: Graph,
    template: Template,
    ego: str | int,
    positions: NDArray[Any] | None = None,
    *,
    induced: bool = False,
) -> Scene:
    """Find out who is drawn around an ego.

    Parameters
    ----------
    graph, template, ego, induced
        As for `grape_gnn.ego_role_counts`.
    positions
        Where the nodes are, one row (x, y) for every node: all nodes are drawn. None: places are
        found, and of a large graph only the strongest members are drawn.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> scene = make_scene(g, Template("0-1 0-2 1-2"), 0)
    >>> scene.roles_of, sorted(scene.used), scene.instances
    ({0: [0], 1: [1], 2: [1], 3: []}, [(0, 1), (0, 2), (1, 2)], 1)
    """
    counts = ego_role_counts(graph, template, ego, induced=induced)
    numbered = [{graph.index_of(name): n for name, n in one.items()} for one in counts]
    centre = graph.index_of(ego)
    strength: dict[int, int] = {}
    for one in numbered:
        for node, count in one.items():
            strength[node] = strength.get(node, 0) + count
    whole = positions is not None or graph.num_nodes <= ALL_NODES
    chosen = list(range(graph.num_nodes)) if whole else _strongest(centre, numbered)
    among = np.zeros(graph.num_nodes, bool)
    among[chosen] = True
    edges = [(a, b) for v in chosen for a, b in _edges_of(graph, v) if among[b]]
    return Scene(
        graph=graph,
        template=template,
        ego=centre,
        roles_of={v: [role for role, one in enumerate(numbered) if v in one] for v in chosen},
        points=place_nodes(chosen, edges) if positions is None else np.asarray(positions, float),
        ranked=sorted(set(strength) & set(chosen), key=lambda v: (v != centre, -strength[v], v)),
        edges=edges,
        used=_used(graph, template, ego, induced),
        members=[len(one) for one in numbered],
        instances=sum(numbered[1].values()) // len(template.roles[1]) if len(numbered) > 1 else 0,
    )


def _strongest(ego: int, counts: list[dict[int, int]]) -> list[int]:
    queues = [sorted(one, key=lambda v: (-one[v], v)) for one in counts[1:]]
    ordered = [v for turn in itertools.zip_longest(*queues) for v in turn if v is not None]
    return list(dict.fromkeys([ego, *ordered]))[: MOST_MEMBERS + 1]


def _edges_of(graph: Graph, node: int) -> list[Pair]:
    """Return the edges from a node: each undirected one at its smaller end."""
    heads = graph.neighbours(node).tolist()
    return [(node, head) for head in heads if graph.directed or node < head]


def _used(graph: Graph, template: Template, ego: str | int, induced: bool) -> set[Pair]:
    used: set[Pair] = set()
    for found in itertools.islice(instances(graph, template, ego, induced), _INSTANCES):
        nodes = [graph.index_of(name) for name in found]
        for a, b in template.edges:
            pair = nodes[a], nodes[b]
            used.add(pair if graph.directed else (min(pair), max(pair)))
    return used


def place_nodes(nodes: list[int], edges: list[Pair]) -> Points:
    """Find places for nodes, always the same: two want to be as far apart as in the graph.

    Examples
    --------
    >>> line = place_nodes([0, 1, 2], [(0, 1), (1, 2)])
    >>> bool(abs(np.linalg.norm(line[0] - line[2]) - 2) < 0.01)
    True
    """
    # Not at the top: it brings all of scipy.linalg.
    from scipy import sparse
    from scipy.sparse.csgraph import shortest_path

    size = len(nodes)
    new = {node: k for k, node in enumerate(nodes)}
    ends = np.array([(new[a], new[b]) for a, b in edges], np.int64).reshape(-1, 2)
    matrix = sparse.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    apart = shortest_path(matrix, directed=False, unweighted=True)
    reached = np.isfinite(apart)
    apart[~reached] = apart[reached].max() + 1  # other components, at a distance
    if size < 3:
        return np.stack([np.arange(size, dtype=float), np.zeros(size)], axis=1)
    placed: Points = settle(_spread_out(apart)[None], apart, _STEPS)[0]
    return placed


def _spread_out(apart: NDArray[Any]) -> Points:
    """Start from classical scaling of the distances, nodes that coincide moved apart."""
    centre = np.eye(len(apart)) - 1 / len(apart)
    values, vectors = np.linalg.eigh(-0.5 * centre @ apart**2 @ centre)
    axes = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-9))
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])  # eigenvectors have no sign
    moved: Points = axes + np.random.default_rng(0).normal(0, 0.1, axes.shape)
    return moved
