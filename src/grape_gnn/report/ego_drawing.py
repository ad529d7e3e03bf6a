"""A graph drawn around one ego: every node in the colours of the roles it plays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles import ego_role_counts, instances
from grape_gnn.template import Template
from grape_gnn.template.palette import role_colour

__all__ = ["draw_ego"]

_MARGIN = 34.0
_LETTER, _LINE = 6.6, 13.0  # width of a letter and height of a line, in pixels


def draw_ego(
    graph: Graph,
    template: Template,
    ego: str | int,
    positions: NDArray[Any],
    *,
    size: tuple[float, float] = (560.0, 420.0),
) -> str:
    """Draw a graph as SVG, coloured by the roles around one ego.

    A node that plays several roles is a pie of their colours; edges that belong to an instance
    of the template (non-induced) stand out. Members carry their names, the strongest first, as far
    as they fit; every node shows its name when pointed at.

    Parameters
    ----------
    graph, template
        What to draw, and whose roles.
    ego
        Name of the ego.
    positions
        Where the nodes are: one row (x, y) per node, in any unit.
    size
        Width and height in pixels.

    Examples
    --------
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> g = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> picture = draw_ego(g, Template("0-1 1-2"), 0, square)
    >>> picture.count("<title>"), role_colour(2) in picture
    (4, True)
    """
    at = _fit(np.asarray(positions, float), size)
    counts = ego_role_counts(graph, template, ego)
    roles_of: dict[int, list[int]] = {}
    strength: dict[int, int] = {}
    for role, members in enumerate(counts):
        for name, count in members.items():
            node = graph.index_of(name)
            roles_of.setdefault(node, []).append(role)
            strength[node] = strength.get(node, 0) + count
    used = {
        frozenset((graph.index_of(found[a]), graph.index_of(found[b])))
        for found in instances(graph, template, ego)
        for a, b in template.edges
    }
    edges = [frozenset(edge) for edge in graph.edge_array().tolist()]
    strongest = sorted(strength, key=lambda v: (v != graph.index_of(ego), -strength[v]))
    width, height = size
    parts = [
        _lines("edge", [e for e in edges if e not in used], at),
        _lines("used", [e for e in edges if e in used], at),
        *(_dot(graph, v, at[v], roles_of) for v in range(graph.num_nodes)),
        *_labels(graph, strongest, at),
    ]
    return (
        f"<svg class='ego' viewBox='0 0 {width:g} {height:g}' xmlns='http://www.w3.org/2000/svg' "
        f"role='img'>{''.join(parts)}</svg>"
    )


def _fit(points: NDArray[Any], size: tuple[float, float]) -> NDArray[Any]:
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array(size) - 2 * _MARGIN
    fitted: NDArray[Any] = _MARGIN + (points - low) / np.maximum(high - low, 1e-9) * room
    return fitted


def _lines(kind: str, edges: Sequence[frozenset[int]], at: NDArray[Any]) -> str:
    path = "".join(
        f"M{at[a][0]:.1f} {at[a][1]:.1f}L{at[b][0]:.1f} {at[b][1]:.1f}"
        for a, b in map(sorted, edges)
    )
    return f"<path class='{kind}' d='{path}'/>" if path else ""


def _dot(graph: Graph, node: int, at: NDArray[Any], roles_of: Mapping[int, Sequence[int]]) -> str:
    roles = roles_of.get(node, [])
    x, y = at
    hint = escape(str(graph.name_of(node)))
    if roles:
        hint += ": role " + ", ".join(map(str, roles))
    if not roles:
        shape = f"<circle class='other' cx='{x:.1f}' cy='{y:.1f}' r='3.5'/>"
    elif len(roles) == 1:
        radius = 9 if roles[0] == 0 else 7
        shape = f"<circle class='dot' cx='{x:.1f}' cy='{y:.1f}' r='{radius}' "
        shape += f"fill='{role_colour(roles[0])}'/>"
        if roles[0] == 0:
            shape += f"<circle cx='{x:.1f}' cy='{y:.1f}' r='12.5' fill='none' "
            shape += f"stroke='{role_colour(0)}' stroke-width='2'/>"
    else:
        shape = "".join(_slice(x, y, 7, k, len(roles), role) for k, role in enumerate(roles))
    return f"<g><title>{hint}</title>{shape}</g>"


def _slice(x: float, y: float, radius: float, k: int, slices: int, role: int) -> str:
    turns = [2 * math.pi * (k + step) / slices - math.pi / 2 for step in (0, 1)]
    (x1, y1), (x2, y2) = (
        (x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns
    )
    return (
        f"<path class='dot' d='M{x:.1f} {y:.1f}L{x1:.1f} {y1:.1f}"
        f"A{radius} {radius} 0 0 1 {x2:.1f} {y2:.1f}Z' fill='{role_colour(role)}'/>"
    )


def _labels(graph: Graph, nodes: Sequence[int], at: NDArray[Any]) -> list[str]:
    """Write the names of the first nodes, and of as many others as fit beside them."""
    taken: list[tuple[float, float, float]] = []  # middle, baseline and half width of a name
    labels = []
    for node in nodes:
        name = str(graph.name_of(node))
        x, y, half = float(at[node][0]), float(at[node][1]) - 11, len(name) * _LETTER / 2
        if all(abs(x - u) > half + w or abs(y - v) > _LINE for u, v, w in taken):
            taken.append((x, y, half))
            labels.append(f"<text class='name' x='{x:.1f}' y='{y:.1f}'>{escape(name)}</text>")
    return labels
