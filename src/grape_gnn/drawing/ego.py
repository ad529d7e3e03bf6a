"""A graph drawn around one ego: every node in the colours of the roles it plays.

Everything has its colours as attributes, so that a drawing is whole by itself in any program; the
style sheet of a page overrides them by the classes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.drawing.labels import place_labels
from grape_gnn.drawing.scene import Pair, Scene
from grape_gnn.template.draw import clean
from grape_gnn.template.palette import role_colour

__all__ = ["INK", "draw_scene"]

INK, _EDGE, _USED, _OTHER, _PAPER = "#1c2127", "#c9cdd2", "#3b444e", "#9aa2ab", "#ffffff"
_MARGIN = 34.0
_LONGEST = 26  # letters of a name
_FONT = 12.0
_RADII = {"ego": 9.0, "member": 7.0, "other": 3.5}


def draw_scene(scene: Scene, size: tuple[float, float]) -> str:
    """Draw a scene as SVG, without a frame.

    A node that plays several roles is a pie of their colours; edges that belong to an instance of
    the template stand out. Members carry their names, the strongest first, as far as they fit;
    every node shows its name when pointed at.

    Parameters
    ----------
    scene
        What to draw.
    size
        Width and height in pixels.
    """
    nodes = list(scene.roles_of)
    at = dict(zip(nodes, _fit(scene.points, size).tolist(), strict=True))
    radii = {v: _RADII[_kind(scene, v)] for v in nodes}
    faint = [pair for pair in scene.edges if pair not in scene.used]
    strong = [pair for pair in scene.edges if pair in scene.used]
    names = {v: _short(str(scene.graph.name_of(v))) for v in nodes}
    new = {v: k for k, v in enumerate(nodes)}
    labels = place_labels(
        [at[v] for v in nodes],
        [radii[v] + (5 if v == scene.ego else 1) for v in nodes],
        [names[v] for v in nodes],
        [new[v] for v in scene.ranked],
        size,
        size=_FONT,
        lines=_lines_of(strong, at, new),
    )
    parts = [
        _lines("edge", _EDGE, 1.0, faint, at),
        _lines("used", _USED, 1.4, strong, at),
    ]
    if scene.graph.directed:
        parts.append(_heads(strong, at, radii))
    parts += [
        f"<line class='leader' x1='{label.leader[0]:.1f}' y1='{label.leader[1]:.1f}' "
        f"x2='{at[nodes[label.number]][0]:.1f}' y2='{at[nodes[label.number]][1]:.1f}' "
        f"stroke='{_OTHER}' stroke-width='0.8'/>"
        for label in labels
        if label.leader is not None
    ]
    parts += [_dot(scene, v, at[v], radii[v]) for v in nodes]
    parts += [
        f"<text class='name' x='{label.x:.1f}' y='{label.y:.1f}' font-size='{_FONT:g}' "
        f"font-weight='600' text-anchor='middle' fill='{INK}' stroke='{_PAPER}' "
        f"stroke-width='3' stroke-linejoin='round' paint-order='stroke'>{clean(label.text)}</text>"
        for label in labels
    ]
    return "".join(parts)


def _lines_of(
    edges: Sequence[Pair], at: dict[int, Any], new: dict[int, int]
) -> dict[int, list[tuple[float, float]]]:
    """For every drawn node, by its new number, where the lines that stand out lead to."""
    lines: dict[int, list[tuple[float, float]]] = {}
    for a, b in edges:
        lines.setdefault(new[a], []).append(at[b])
        lines.setdefault(new[b], []).append(at[a])
    return lines


def _kind(scene: Scene, node: int) -> str:
    return "ego" if node == scene.ego else "member" if scene.roles_of[node] else "other"


def _short(name: str) -> str:
    """Cut a long name in the middle: names that begin alike often differ at the end."""
    if len(name) <= _LONGEST:
        return name
    end = _LONGEST // 2
    return f"{name[: _LONGEST - 1 - end]}…{name[-end:]}"


def _fit(points: NDArray[Any], size: tuple[float, float]) -> NDArray[Any]:
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array(size) - 2 * _MARGIN
    spread = high - low
    fitted: NDArray[Any] = _MARGIN + (points - low) / np.maximum(spread, 1e-9) * room
    return np.where(spread < 1e-9, np.array(size) / 2, fitted)


def _lines(kind: str, colour: str, width: float, edges: Sequence[Pair], at: dict[int, Any]) -> str:
    path = "".join(
        f"M{at[a][0]:.1f} {at[a][1]:.1f}L{at[b][0]:.1f} {at[b][1]:.1f}" for a, b in edges
    )
    if not path:
        return ""
    # Hundreds of lines would hide what is behind them.
    opacity = max(0.35, min(1.0, 150 / len(edges)))
    return (
        f"<path class='{kind}' d='{path}' fill='none' stroke='{colour}' stroke-width='{width}' "
        f"stroke-opacity='{opacity:.2g}'/>"
    )


def _heads(arcs: Sequence[Pair], at: dict[int, Any], radii: dict[int, float]) -> str:
    """Draw the heads of the arcs that stand out."""
    parts = []
    for tail, head in arcs:
        turn = math.atan2(at[head][1] - at[tail][1], at[head][0] - at[tail][0])
        away = radii[head] + 2.0
        corners = [
            (at[head][0] - r * math.cos(turn + t), at[head][1] - r * math.sin(turn + t))
            for r, t in ((away, 0.0), (away + 8.0, 0.28), (away + 8.0, -0.28))
        ]
        parts.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z")
    return f"<path class='head' d='{''.join(parts)}' fill='{_USED}'/>" if parts else ""


def _dot(scene: Scene, node: int, at: Sequence[float], radius: float) -> str:
    roles = scene.roles_of[node]
    x, y = at
    hint = clean(str(scene.graph.name_of(node)))
    if roles:
        hint += ": role " + ", ".join(map(str, roles))
    line = f"stroke='{INK}' stroke-opacity='0.4'"
    if not roles:
        shape = f"<circle class='other' cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{_OTHER}'/>"
    elif len(roles) == 1:
        shape = f"<circle class='dot' cx='{x:.1f}' cy='{y:.1f}' r='{radius:g}' "
        shape += f"fill='{role_colour(roles[0])}' {line}/>"
        if roles[0] == 0:
            shape += f"<circle cx='{x:.1f}' cy='{y:.1f}' r='12.5' fill='none' "
            shape += f"stroke='{role_colour(0)}' stroke-width='2'/>"
    else:
        shape = "".join(
            f"<path class='dot' d='{_slice(x, y, radius, k, len(roles))}' "
            f"fill='{role_colour(role)}' {line}/>"
            for k, role in enumerate(roles)
        )
    return f"<g><title>{hint}</title>{shape}</g>"


def _slice(x: float, y: float, radius: float, k: int, slices: int) -> str:
    turns = [2 * math.pi * (k + step) / slices - math.pi / 2 for step in (0, 1)]
    (x1, y1), (x2, y2) = (
        (x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns
    )
    arc = f"A{radius:g} {radius:g} 0 0 1 {x2:.1f} {y2:.1f}"
    return f"M{x:.1f} {y:.1f}L{x1:.1f} {y1:.1f}{arc}Z"
