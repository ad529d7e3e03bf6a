"""A graph with its nodes in the colours of a partition, numbered."""

from __future__ import annotations

from grape_gnn.drawing.ego import INK
from grape_gnn.drawing.scene import place_nodes
from grape_gnn.graph import Graph
from grape_gnn.template.draw import clean
from grape_gnn.template.layout import Points
from grape_gnn.template.palette import ROLE_COLOURS

__all__ = ["MARGIN", "class_colour", "coloured_graph"]

MARGIN = 22.0
_GOLDEN = 137.508  # degrees from hue to hue: no two of the first dozens come close
_NUMBERED = 400  # of more nodes, numbers would cover each other


def class_colour(number: int) -> str:
    """Return the colour of a class, as CSS writes it.

    Examples
    --------
    >>> class_colour(1), class_colour(8)
    ('#0072B2', 'hsl(20 60% 62%)')
    """
    named = ROLE_COLOURS[:-1]  # the last is black, on which nothing can be read
    if number < len(named):
        return named[number]
    return f"hsl({number * _GOLDEN % 360:.0f} 60% {62 + 14 * (number % 2)}%)"


def coloured_graph(
    graph: Graph,
    classes: list[int],
    size: tuple[float, float],
    word: str,
    points: Points | None = None,
) -> str:
    """Draw a graph, every node in the colour of its class, as SVG without a frame.

    Parameters
    ----------
    graph
        The graph.
    classes
        The class of every node.
    size
        Width and height.
    word
        What a class is called where a node is pointed at.
    points
        Where the nodes are, as a map without edges; None: places are found for the graph.

    Examples
    --------
    >>> drawn = coloured_graph(Graph.from_edges([0], [1]), [0, 1], (90.0, 90.0), "colour")
    >>> drawn.count("<circle"), "1: colour 1" in drawn
    (2, True)
    """
    if not classes:
        return ""
    edges = [(a, b) for a, b in graph.edge_array().tolist()] if points is None else []
    if points is None:
        points = place_nodes(list(range(graph.num_nodes)), edges)
    spread = (points.max(axis=0) - points.min(axis=0)).clip(1e-9)
    room = [size[0] - 2 * MARGIN, size[1] - 2 * MARGIN]
    at = (points - points.min(axis=0)) / spread * room + MARGIN
    path = "".join(
        f"M{at[a][0]:.1f} {at[a][1]:.1f}L{at[b][0]:.1f} {at[b][1]:.1f}" for a, b in edges
    )
    numbered = len(classes) <= _NUMBERED
    dots = [
        f"<g><title>{clean(str(graph.name_of(node)))}: {word} {number}</title>"
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{9 if numbered else 3.5}' "
        f"fill='{class_colour(number)}' stroke='{INK}' stroke-opacity='0.4'/>"
        f"{_number(number, x, y) if numbered else ''}</g>"
        for node, (number, (x, y)) in enumerate(zip(classes, at.tolist(), strict=True))
    ]
    return f"<path d='{path}' fill='none' stroke='#9aa2ab'/>" + "".join(dots)


def _number(number: int, x: float, y: float) -> str:
    return (
        f"<text x='{x:.1f}' y='{y + 3.5:.1f}' font-size='10' text-anchor='middle' "
        f"font-weight='600' fill='{INK}' stroke='#ffffff' stroke-width='2' "
        f"paint-order='stroke'>{number}</text>"
    )
