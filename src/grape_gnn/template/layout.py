"""Where to draw the nodes of a template.

Isomorphic templates get the same picture, every time. Well-known shapes are placed by hand
(`shapes`). For the others, positions minimise the stress (every pair of nodes wants its
distance in the template, directions ignored) from several fixed starts; the best picture has
few crossings and no node on a foreign edge. It is then turned so that edges lie level or
upright and the anchor comes first: on the left or at the top.
"""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grape_gnn.template.shapes import placed
from grape_gnn.template.template import Template
from grape_gnn.template.text import Edge

__all__ = ["Points", "layout", "settle"]

Points = NDArray[np.float64]

_STARTS = 16
_STEPS = 400
_APART = 0.6  # no two nodes are drawn closer
_CLEARANCE = 0.3  # closer than this to a foreign edge, a node seems to lie on it


def layout(template: Template) -> Points:
    """Positions of the nodes, edges about one unit long, y growing downwards.

    Examples
    --------
    >>> layout(Template("0-1 1-2")).round(2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]
    """
    skeleton = Template({(min(edge), max(edge)) for edge in template.edges})
    order = skeleton.canonical_order
    points = np.empty((template.num_nodes, 2))
    points[list(order)] = _place(skeleton.canonical)
    return points


@lru_cache(maxsize=1024)
def _place(canonical: str) -> Points:
    template = Template(canonical)
    known = placed(template)
    if known is not None:
        return np.array(known)
    edges, size = template.edges, template.num_nodes
    wanted = _distances(edges, size)
    rng = np.random.default_rng(0)
    starts = np.stack([_circle(size)[rng.permutation(size)] for _ in range(_STARTS)])
    settled = settle(starts + rng.normal(0, 0.05, starts.shape), wanted, _STEPS)
    best = min(settled, key=lambda points: round(_ugliness(points, edges, wanted), 4))
    turned: Points = _turn(best * _scale(best, edges), edges).round(3) + 0.0  # no minus zeros
    return turned


def _scale(points: Points, edges: tuple[Edge, ...]) -> float:
    """Factor that makes the mean edge one unit long, or more where nodes would be too close."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    mean = np.mean([apart[a, b] for a, b in edges])
    closest = apart[np.triu_indices(len(points), 1)].min()
    return float(max(1 / mean, _APART / closest))


def _distances(edges: tuple[Edge, ...], size: int) -> Points:
    away = np.full((size, size), np.inf)
    np.fill_diagonal(away, 0)
    for a, b in edges:
        away[a, b] = away[b, a] = 1
    for via in range(size):
        away = np.minimum(away, away[:, [via]] + away[[via], :])
    return away


def _circle(size: int) -> Points:
    angle = 2 * np.pi * np.arange(size) / size
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * size / 6


def settle(points: Points, wanted: Points, steps: int) -> Points:
    """Minimise the stress of all starts by majorisation (SMACOF), pairs weighted by 1/distance².

    Parameters
    ----------
    points
        Several starts, shape (starts, nodes, 2).
    wanted
        How far apart every two nodes should be, shape (nodes, nodes).
    steps
        Number of steps; each makes the stress smaller.
    """
    weight = 1 / np.where(wanted > 0, wanted, 1) ** 2
    np.fill_diagonal(weight, 0)
    solve = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    same = np.eye(points.shape[1])
    for _ in range(steps):
        actual = np.linalg.norm(points[:, :, None] - points[:, None], axis=3) + same
        pull = -weight * wanted / actual
        pull -= same * pull.sum(axis=2, keepdims=True)
        points = solve @ (pull @ points)
    return points


def _ugliness(points: Points, edges: tuple[Edge, ...], wanted: Points) -> float:
    actual = np.linalg.norm(points[:, None] - points[None], axis=2)
    stress = float((((actual - wanted) / np.where(wanted > 0, wanted, 1)) ** 2).sum())
    crossings = sum(
        _cross(points, e, f) for e, f in itertools.combinations(edges, 2) if not {*e} & {*f}
    )
    covered = sum(
        max(0.0, _CLEARANCE - _gap(points, node, edge))
        for node in range(len(points))
        for edge in edges
        if node not in edge
    )
    return stress + 0.2 * crossings + 20 * covered


def _cross(points: Points, e: Edge, f: Edge) -> bool:
    def side(a: int, b: int, c: int) -> bool:
        u, v = points[b] - points[a], points[c] - points[a]
        return bool(u[0] * v[1] > u[1] * v[0])

    return side(*e, f[0]) != side(*e, f[1]) and side(*f, e[0]) != side(*f, e[1])


def _gap(points: Points, node: int, edge: Edge) -> float:
    start, along = points[edge[0]], points[edge[1]] - points[edge[0]]
    where = np.clip((points[node] - start) @ along / max(along @ along, 1e-12), 0, 1)
    return float(np.linalg.norm(points[node] - start - where * along))


def _turn(points: Points, edges: tuple[Edge, ...]) -> Points:
    """Rotate and mirror to the most orderly of the turns that make some edge level or upright."""
    centred = points - points.mean(axis=0)
    angles = [np.arctan2(*(points[b] - points[a])[::-1]) for a, b in edges]
    angles.append(np.arctan2(*centred[0][::-1]))
    turns = [
        _rotated(centred, -angle + quarter * np.pi / 2) * [mirror, 1]
        for angle in angles
        for quarter in range(4)
        for mirror in (1, -1)
    ]
    best = min(turns, key=lambda p: tuple(round(x, 3) for x in _disorder(p, edges)))
    moved: Points = best - best.min(axis=0)
    return moved


def _rotated(points: Points, angle: float) -> Points:
    cos, sin = np.cos(angle), np.sin(angle)
    turned: Points = points @ np.array([[cos, sin], [-sin, cos]])
    return turned


def _disorder(points: Points, edges: tuple[Edge, ...]) -> tuple[float, ...]:
    width, height = np.ptp(points, axis=0)
    slanted = sum(abs(np.sin(2 * np.arctan2(*(points[b] - points[a])))) for a, b in edges) / len(
        edges
    )
    x, y = points[0] - points.min(axis=0)
    wide = width > 1.6 * height
    late = x / max(width, 1e-9) if wide else y / max(height, 1e-9)
    lopsided = abs(y / height - 0.5) if wide and height > 0.1 else 0.0
    lopsided = abs(x / width - 0.5) if not wide and width > 0.1 else lopsided
    tall = max(0.0, height - width)
    return late + 0.6 * slanted + 0.6 * lopsided + 0.5 * tall, float(points[:, 0] @ points[:, 1])
