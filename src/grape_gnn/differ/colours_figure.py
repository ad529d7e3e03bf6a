"""Role colours as a figure: graphs side by side, nodes of one colour alike in all of them."""

from __future__ import annotations

import math

from grape_gnn.differ.colours import RoleColours
from grape_gnn.drawing.coloured import MARGIN, coloured_graph
from grape_gnn.drawing.ego import INK
from grape_gnn.errors import GraphError

__all__ = ["colours_figure"]

_WIDTH, _HEIGHT, _HEAD = 380.0, 300.0, 30.0
_COLUMNS = 3
_MOST_NODES, _MOST_GRAPHS = 300, 30


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
            f"<g transform='translate({left:g} {top:g})'><text x='{MARGIN:g}' y='22' "
            f"font-size='14' font-weight='600' fill='{INK}'>{title}</text>"
            f"<g transform='translate(0 {_HEAD:g})'>"
            f"{coloured_graph(graph, colours, (_WIDTH, _HEIGHT), 'colour')}</g></g>"
        )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
        f"viewBox='0 0 {width:g} {height:g}' role='img' "
        f"font-family='Helvetica, Arial, sans-serif'><title>role colours</title>"
        f"{''.join(parts)}</svg>\n"
    )
