"""A difference as a figure: the template, and the roles around a node of either side that differ.

One SVG document on white, like the figures of `grape_gnn.ego_figure`.
"""

from __future__ import annotations

from grape_gnn.differ.difference import Difference
from grape_gnn.drawing.ego import INK, draw_scene
from grape_gnn.drawing.labels import text_width
from grape_gnn.drawing.scene import make_scene
from grape_gnn.template import Template
from grape_gnn.template.draw import clean, thumbnail

__all__ = ["difference_figure"]

_SIDE = (430.0, 360.0)  # of one drawing
_GAP, _EDGE, _LINE = 20.0, 16.0, 19.0
_BOX = 110.0  # of the template's drawing
_SOFT = "#545d68"
_EDGE_ONLY = Template("0-1", name="edge")


def difference_figure(difference: Difference) -> str:
    """Draw two egos whose counts differ, side by side, below the template and the counts.

    If no template tells them apart, the two nodes, or the first node and its image, are drawn with
    their neighbours.
    """
    template = difference.template
    lines = difference.explanation()
    width = max(2 * _SIDE[0] + _GAP, *(_EDGE + text_width(line, 13) for line in lines))
    head = max(_BOX, 46 + _LINE * len(lines)) + _EDGE
    parts = [_text(difference.title, 32, 18, INK, 600)]
    parts += [_text(line, 56 + _LINE * k, 13, _SOFT, 400) for k, line in enumerate(lines)]
    if template is not None:
        width += _BOX
        parts.append(thumbnail(template, (width - _BOX - _EDGE, 8, _BOX, _BOX - 8)))
    for side, ego in enumerate(_egos(difference)):
        if ego is None:
            continue
        graph = difference.graphs[side]
        drawn = template or (_EDGE_ONLY if not graph.directed else Template("0>1"))
        scene = make_scene(graph, drawn, ego)
        left = side * (_SIDE[0] + _GAP)
        name = "" if difference.of_nodes else f"{difference.names[side]}: "
        words = f"{name}around {ego}: {scene.instances:,} instance"
        parts.append(
            f"<g transform='translate({left:g} {head + 24:g})'>{draw_scene(scene, _SIDE)}"
            f"{_text(words + ('s' if scene.instances != 1 else ''), -8, 14, INK, 600)}</g>"
        )
    whole = head + 24 + _SIDE[1] + _EDGE
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{whole:.0f}' "
        f"viewBox='0 0 {width:.1f} {whole:.1f}' role='img' color='{INK}' "
        f"font-family='Helvetica, Arial, sans-serif'><title>{clean(difference.title)}</title>"
        f"<rect width='{width:.1f}' height='{whole:.1f}' fill='#ffffff'/>{''.join(parts)}</svg>\n"
    )


def _egos(difference: Difference) -> tuple[str | int | None, str | int | None]:
    """Return the node of either side to draw around; None if there is none."""
    if difference.of_nodes:
        return difference.names
    where = difference.where()
    found: list[str | int | None] = [
        nodes[0] if nodes else (graph.name_of(0) if graph.num_nodes else None)
        for graph, nodes in zip(difference.graphs, where, strict=True)
    ]
    if difference.mapping:
        found[1] = next(iter(difference.mapping.values()))
    return found[0], found[1]


def _text(words: str, y: float, size: int, colour: str, weight: int) -> str:
    return (
        f"<text x='{_EDGE:g}' y='{y:.1f}' font-size='{size}' font-weight='{weight}' "
        f"fill='{colour}'>{clean(words)}</text>"
    )
