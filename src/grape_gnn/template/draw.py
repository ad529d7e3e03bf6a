"""SVG drawings of templates: the anchor wears a ring, every role has its colour.

The drawings have no background and no identifiers, so that any number of them can be put into
one page, light or dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

import numpy as np

from grape_gnn.template.layout import Points, layout
from grape_gnn.template.palette import role_colour, text_colour
from grape_gnn.template.template import Template

__all__ = ["clean", "sheet", "svg", "thumbnail"]

_EDGE_LENGTH = 66.0
_RADIUS = 12.0
_RING = 16.5
_MARGIN = 20.0
_LINE = 20.0  # height of a line of text
_GREY = "#7A828C"
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FONT = "font-family='system-ui, Helvetica, Arial, sans-serif'"


def svg(template: Template, *, legend: bool = False, scale: float = 1.0) -> str:
    """Draw one template.

    Parameters
    ----------
    template
        The template; node numbers are written into the nodes, labels beside them.
    legend
        Whether to list the roles below the drawing.
    scale
        Size of the picture; at 1 an edge is about 66 pixels long.

    Examples
    --------
    >>> picture = svg(Template("0-1 0-2 1-2"))
    >>> picture.count("<line"), picture.count("<circle")  # three nodes and the anchor's ring
    (3, 4)
    """
    points, (width, height) = _frame(template)
    parts = [_drawing(template, points)]
    if legend:
        parts += [
            _role_line(text, role, height + _LINE * (role + 0.5))
            for role, text in enumerate(_role_texts(template))
        ]
        width = max(width, _MARGIN + 7.0 * max(map(len, _role_texts(template))) + 24)
        height += _LINE * template.num_roles + 6
    return _document(parts, width, height, scale, _title(template), _described(template))


def sheet(templates: Iterable[Template], *, columns: int = 6, scale: float = 1.0) -> str:
    """Draw many templates in one picture, each with its name (or text) and roles.

    Examples
    --------
    >>> from grape_gnn.template.zoo import templates
    >>> sheet(templates("social")).count("<text") > 5
    True
    """
    drawn = list(templates)
    frames = [_frame(t) for t in drawn]
    titles = [_title(t) for t in drawn]
    cell = _MARGIN + max(
        [140.0, *(box[0] for _, box in frames), *(7.6 * len(title) for title in titles)]
    )
    parts, top = [], 0.0
    for first in range(0, len(drawn), columns):
        row = range(first, min(first + columns, len(drawn)))
        tallest = max(frames[k][1][1] for k in row)
        for k in row:
            points, (width, height) = frames[k]
            left = (k - first) * cell
            parts.append(_text(titles[k], left + cell / 2, top + 20, size=14, weight=600))
            corner = [left + (cell - width) / 2, top + 28 + (tallest - height) / 2]
            parts.append(_drawing(drawn[k], points + corner))
            parts.append(_role_strip(drawn[k], left + cell / 2, top + 28 + tallest + 14))
        top += 28 + tallest + 36
    names = ", ".join(titles)
    whole = cell * min(columns, max(len(drawn), 1))
    return _document(parts, whole, top, scale, f"{len(drawn)} templates", names)


def thumbnail(template: Template, box: tuple[float, float, float, float]) -> str:
    """Draw a template inside a box of another drawing: left, top, width and height."""
    points, (width, height) = _frame(template)
    scale = min(1.0, box[2] / width, box[3] / height)
    left = box[0] + (box[2] - scale * width) / 2
    top = box[1] + (box[3] - scale * height) / 2
    place = f"translate({left:.1f} {top:.1f}) scale({scale:.3f})"
    return f"<g transform='{place}'>{_drawing(template, points)}</g>"


def _frame(template: Template) -> tuple[Points, tuple[float, float]]:
    """Return the positions in pixels, and the width and height of the drawing."""
    points = layout(template) * _EDGE_LENGTH
    longest = max(len(str(x)) if x is not None else 0 for x in template.labels)
    margin = np.array([max(_MARGIN, 3.6 * longest), _MARGIN + (10 if longest else 0)])
    width, height = points.max(axis=0) + 2 * margin
    return points + margin, (float(width), float(height))


def _drawing(template: Template, points: Points) -> str:
    arcs = set(template.edges)
    lines = []
    for a, b in sorted({(min(e), max(e)) for e in arcs}):
        heads = ((b, a) in arcs, (a, b) in arcs) if template.directed else (False, False)
        lines.append(_edge(points[a], points[b], a == 0, heads))
        asked = template.type_of_edge
        kinds = [str(asked[arc]) for arc in dict.fromkeys([(a, b), (b, a)]) if arc in asked]
        x, y = (points[a] + points[b]) / 2
        lines.append(_text(" / ".join(dict.fromkeys(kinds)), x, y - 5, size=11) if kinds else "")
    middle = points[:, 1].mean()
    nodes = [_node(template, k, at, above=at[1] < middle - 1) for k, at in enumerate(points)]
    return "<g>" + "".join(lines) + "".join(nodes) + "</g>"


def _edge(start: Points, end: Points, at_anchor: bool, heads: tuple[bool, bool]) -> str:
    """Draw a line between two nodes, with arrow heads (at its start, at its end)."""
    along = (end - start) / np.linalg.norm(end - start)
    first = start + along * (_RING if at_anchor else _RADIUS)
    last = end - along * _RADIUS
    tips = []
    if heads[0]:
        tips.append(_arrow_head(first + along, -along))
        first = first + along * 9
    if heads[1]:
        tips.append(_arrow_head(last - along, along))
        last = last - along * 9
    (x1, y1), (x2, y2) = first, last
    line = (
        f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{_GREY}' "
        f"stroke-width='2.2'/>"
    )
    return line + "".join(tips)


def _arrow_head(tip: Points, along: Points) -> str:
    across = np.array([-along[1], along[0]])
    corners = [tip, tip - along * 11 + across * 5.2, tip - along * 11 - across * 5.2]
    listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f"<polygon points='{listed}' fill='{_GREY}'/>"


def _node(template: Template, node: int, at: Points, *, above: bool) -> str:
    x, y = at
    role = template.role_of[node]
    colour = role_colour(role)
    hint = f"node {node}, role {role}" + (", the anchor" if node == 0 else "")
    ring = (
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{_RING - 1}' fill='none' stroke='{colour}' "
        f"stroke-width='2'/>"
    )
    label = template.labels[node]
    beside = y - _RING - 4 if above else y + _RING + 11
    constraint = "" if label is None else _text(str(label), x, beside, size=11)
    return (
        f"<g><title>{hint}</title>{ring if node == 0 else ''}"
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{_RADIUS}' fill='{colour}'/>"
        f"{_text(str(node), x, y + 4.4, fill=text_colour(role), weight=600)}{constraint}</g>"
    )


def _role_texts(template: Template) -> list[str]:
    return [
        f"{'role 0, the anchor' if role == 0 else f'role {role}'}: "
        f"node{'s' if len(nodes) > 1 else ''} {', '.join(map(str, nodes))}"
        for role, nodes in enumerate(template.roles)
    ]


def _role_line(text: str, role: int, y: float) -> str:
    dot = f"<circle cx='{_MARGIN - 4:.1f}' cy='{y:.1f}' r='6' fill='{role_colour(role)}'/>"
    return dot + _text(text, _MARGIN + 8, y + 4, align="start")


def _role_strip(template: Template, centre: float, y: float) -> str:
    """Draw all roles on one line: a dot of each role's colour, then its nodes."""
    words = [" ".join(map(str, nodes)) for nodes in template.roles]
    widths = [20 + 7 * len(text) for text in words]
    x = centre - sum(widths) / 2
    parts = []
    for role, (text, width) in enumerate(zip(words, widths, strict=True)):
        parts.append(f"<circle cx='{x + 5:.1f}' cy='{y:.1f}' r='5' fill='{role_colour(role)}'/>")
        parts.append(_text(text, x + 13, y + 4, size=12, align="start"))
        x += width
    return "".join(parts)


def _text(
    words: str,
    x: float,
    y: float,
    *,
    size: int = 12,
    fill: str = "currentColor",
    align: str = "middle",
    weight: int = 400,
) -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{fill}' "
        f"text-anchor='{align}' font-weight='{weight}'>{clean(words)}</text>"
    )


def _title(template: Template) -> str:
    return template.text if template.name is None else template.name


def _described(template: Template) -> str:
    return f"Template {template.text}; " + "; ".join(_role_texts(template))


def _document(
    parts: list[str], width: float, height: float, scale: float, title: str, words: str
) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width * scale:.0f}' "
        f"height='{height * scale:.0f}' viewBox='0 0 {width:.1f} {height:.1f}' role='img' {_FONT}>"
        f"<title>{clean(title)}</title><desc>{clean(words)}</desc>{''.join(parts)}</svg>"
    )


def clean(words: str) -> str:
    """Write text as XML wants it; letters that XML does not know are replaced."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", words))
