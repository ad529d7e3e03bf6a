"""Role colours as a figure: graphs side by side, nodes of one colour alike in all of them."""

from __future__ import annotations

import math

from grape_gnn.differ.colours import RoleColours
from grape_gnn.drawing.ego import INK
from grape_gnn.drawing.scene import place_nodes
from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.template.draw import clean
from grape_gnn.template.palette import ROLE_COLOURS

__all__ = ["colours_figure"]

_WIDTH, _HEIGHT, _HEAD, _MARGIN = 380.0, 300.0, 30.0, 22.0
_COLUMNS = 3
_MOST_NODES, _MOST_GRAPHS = 300, 30
_GOLDEN = 137.508  # degrees from hue to hue: no two of the first dozens come close


def colours_figure(found: RoleColours) -> str:
    """Draw every graph with its nodes in their colours, numbered, as one SVG document."""
    largest = max(graph.num_nodes for graph in found.sources)
    if largest > _MOST_NODES or len(found.sources) > _MOST_GRAPHS:
        raise GraphError(
            f"{len(found.sources)} graphs of up to {largest:,} nodes are too many to draw: at most "
            f"{_MOST_GRAPHS} graphs of {_MOST_NODES} nodes are; the colours are in `nodes`"
        )
    columns = min(_COLUMNS, len(found.sources))
    rows = math.ceil(len(found.sources) / columns)
    width, height = columns * _WIDTH, rows * (_HEIGHT + _HEAD)
    parts = [f"<rect width='{width:g}' height='{height:g}' fill='#ffffff'/>"]
    for number, graph in enumerate(found.sources):
        left, top = number % columns * _WIDTH, number // columns * (_HEIGHT + _HEAD)
        colours = found.nodes[number].tolist()
        several = f"graph {number}, class {found.graphs[number]}: "
        title = f"{several if len(found.sources) > 1 else ''}{len(set(colours))} colours"
        parts.append(
            f"<g transform='translate({left:g} {top:g})'><text x='{_MARGIN:g}' y='22' "
            f"font-size='14' font-weight='600' fill='{INK}'>{title}</text>"
            f"{_drawing(graph, colours)}</g>"
        )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
        f"viewBox='0 0 {width:g} {height:g}' role='img' "
        f"font-family='Helvetica, Arial, sans-serif'><title>role colours</title>"
        f"{''.join(parts)}</svg>\n"
    )


def _drawing(graph: Graph, colours: list[int]) -> str:
    if not colours:
        return ""
    edges = [(a, b) for a, b in graph.edge_array().tolist()]
    points = place_nodes(list(range(graph.num_nodes)), edges)
    spread = (points.max(axis=0) - points.min(axis=0)).clip(1e-9)
    room = [_WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN]
    at = (points - points.min(axis=0)) / spread * room + [_MARGIN, _HEAD + _MARGIN]
    path = "".join(
        f"M{at[a][0]:.1f} {at[a][1]:.1f}L{at[b][0]:.1f} {at[b][1]:.1f}" for a, b in edges
    )
    dots = [
        f"<g><title>{clean(str(graph.name_of(node)))}: colour {colour}</title>"
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='9' fill='{_fill(colour)}' stroke='{INK}' "
        f"stroke-opacity='0.4'/><text x='{x:.1f}' y='{y + 3.5:.1f}' font-size='10' "
        f"text-anchor='middle' font-weight='600' fill='{INK}' stroke='#ffffff' stroke-width='2' "
        f"paint-order='stroke'>{colour}</text></g>"
        for node, (colour, (x, y)) in enumerate(zip(colours, at.tolist(), strict=True))
    ]
    return f"<path d='{path}' fill='none' stroke='#9aa2ab'/>" + "".join(dots)


def _fill(colour: int) -> str:
    named = ROLE_COLOURS[:-1]  # the last is black, on which nothing can be read
    if colour < len(named):
        return named[colour]
    return f"hsl({colour * _GOLDEN % 360:.0f} 60% {62 + 14 * (colour % 2)}%)"
