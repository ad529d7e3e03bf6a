"""The roles around a node as a figure for a paper: a title, the template, the drawing, a legend.

One SVG document on white, with text as text and no link to anything; every program that reads SVG
shows it the same.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from grape_gnn.drawing.ego import INK, draw_scene
from grape_gnn.drawing.labels import text_width
from grape_gnn.drawing.scene import Scene, make_scene
from grape_gnn.graph import Graph
from grape_gnn.template import Template
from grape_gnn.template.draw import clean, thumbnail
from grape_gnn.template.palette import role_colour
from grape_gnn.template.zoo import template as find_template

__all__ = ["draw_ego", "ego_figure"]

_HEAD, _ROW, _EDGE = 84.0, 22.0, 16.0
_SOFT = "#545d68"


def draw_ego(
    graph: Graph,
    template: Template,
    ego: str | int,
    positions: NDArray[Any] | None = None,
    *,
    induced: bool = False,
    size: tuple[float, float] = (560.0, 420.0),
) -> str:
    """Draw the roles around a node for a page: the drawing alone, which the page gives its colours.

    Parameters
    ----------
    graph, template, ego, induced
        What to draw, and whose roles; see `grape_gnn.ego_role_counts`.
    positions
        Where the nodes are: one row (x, y) per node, in any unit. None: places are found.
    size
        Width and height in pixels.

    Examples
    --------
    >>> import numpy as np
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> g = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> picture = draw_ego(g, Template("0-1 1-2"), 0, square)
    >>> picture.count("<title>"), role_colour(2) in picture
    (4, True)
    """
    scene = make_scene(graph, template, ego, positions, induced=induced)
    width, height = size
    return (
        f"<svg class='ego' viewBox='0 0 {width:g} {height:g}' xmlns='http://www.w3.org/2000/svg' "
        f"role='img'>{draw_scene(scene, size)}</svg>"
    )


def ego_figure(
    graph: Graph,
    template: str | Template,
    node: str | int,
    *,
    induced: bool = False,
    size: tuple[float, float] = (760.0, 560.0),
) -> str:
    """Draw who plays which role around a node, as a figure: one SVG document.

    Of a graph with more than 90 nodes, the ego and the strongest members of every role are drawn,
    up to 50; the title says so.

    Parameters
    ----------
    graph, template, node, induced
        As for `grape_gnn.ego_ae_sets`.
    size
        Width and height of the drawing in pixels; the title and the legend come on top.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> figure = ego_figure(g, "triangle", "ann")
    >>> figure.startswith("<svg xmlns="), ">triangle around ann</text>" in figure
    (True, True)
    """
    wanted = find_template(template)
    scene = make_scene(graph, wanted, node, induced=induced)
    width, height = size
    title = f"{wanted.name or wanted.text} around {graph.name_of(scene.ego)}"
    legend, rows = _legend(scene, width, _HEAD + height)
    whole = _HEAD + height + _ROW * rows + _EDGE
    parts = [
        f"<rect width='{width:g}' height='{whole:g}' fill='#ffffff'/>",
        _text(title, _EDGE, 32, 18, INK, 600),
        _text(_words(scene, induced), _EDGE, 54, 13, _SOFT, 400),
        thumbnail(wanted, (width - 120 - _EDGE, 8, 120, _HEAD - 14)),
        f"<g transform='translate(0 {_HEAD:g})'>{draw_scene(scene, size)}</g>",
        legend,
    ]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{whole:g}' "
        f"viewBox='0 0 {width:g} {whole:g}' role='img' color='{INK}' "
        f"font-family='Helvetica, Arial, sans-serif'>"
        f"<title>{clean(title)}</title>{''.join(parts)}</svg>\n"
    )


def _words(scene: Scene, induced: bool) -> str:
    drawn, members = len(scene.ranked) - 1, scene.members[1:]
    words = f"{scene.instances:,} instance{'s' if scene.instances != 1 else ''}"
    words += f", {'induced' if induced else 'non-induced'}"
    if len(scene.roles_of) < scene.graph.num_nodes and drawn < max(members, default=0):
        words += f"; the {drawn} strongest members are drawn"
    return words


def _legend(scene: Scene, width: float, top: float) -> tuple[str, int]:
    """Return a dot and words for every role, in as many rows as they need."""
    parts, x, row = [], _EDGE, 0
    for role, count in enumerate(scene.members):
        words = "role 0, the ego" if role == 0 else f"role {role}: {count:,} nodes"
        words = words.removesuffix("s") if count == 1 and role else words
        wide = text_width(words, 13) + 36
        if x + wide > width and x > _EDGE:
            x, row = _EDGE, row + 1
        y = top + _ROW * (row + 0.5)
        parts.append(f"<circle cx='{x + 6:.1f}' cy='{y:.1f}' r='6' fill='{role_colour(role)}'/>")
        parts.append(_text(words, x + 18, y + 4.5, 13, INK, 400))
        x += wide
    return "".join(parts), row + 1


def _text(words: str, x: float, y: float, size: int, colour: str, weight: int) -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' font-weight='{weight}' "
        f"fill='{colour}'>{clean(words)}</text>"
    )
