"""Why a link is suggested: the instances between the two nodes, in words and as a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grape_gnn.drawing.labels import text_width
from grape_gnn.graph import Graph
from grape_gnn.template.draw import clean
from grape_gnn.template.palette import role_colour

__all__ = ["Suggestion", "reason_for", "suggestion_svg"]

_MOST_PATHS = 8
_Name = str | int


@dataclass(frozen=True)
class Suggestion:
    """A link that may be missing.

    Parameters
    ----------
    head, tail
        Names of the two nodes.
    probability
        As if half of all pairs were linked: good for ranking.
    paths
        Shortest paths from head to tail, those through nodes of low degree first; at most eight.
    num_paths
        How many there are in all.
    """

    head: _Name
    tail: _Name
    probability: float
    paths: tuple[tuple[_Name, ...], ...]
    num_paths: int

    @property
    def reason(self) -> str:
        """The instances that speak for the link, in words."""
        if not self.paths:
            return "no short path between them"
        inner = [path[1:-1] for path in self.paths]
        more = ", ..." if self.num_paths > len(inner) else ""
        if len(inner[0]) == 1:
            count = f"{self.num_paths:,} common neighbour{'s' if self.num_paths > 1 else ''}"
            return f"{count}: {', '.join(str(node) for (node,) in inner)}{more}"
        count = f"{self.num_paths:,} path{'s' if self.num_paths > 1 else ''} of 3 edges"
        return f"{count}: {', '.join('-'.join(map(str, path)) for path in inner)}{more}"


def reason_for(graph: Graph, head: int, tail: int, probability: float) -> Suggestion:
    """Return what speaks for a link between two nodes that are two or three steps apart.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], names=["ann", "bob", "cat", "dan"])
    >>> reason_for(g, 0, 3, 0.9).reason
    '2 common neighbours: bob, cat'
    """
    degrees = graph.degrees
    mine, other = graph.neighbours(head), graph.neighbours(tail)
    common = np.intersect1d(mine, other).tolist()
    inner: list[tuple[int, ...]] = [(node,) for node in common]
    if not inner:
        inner = [
            (int(a), int(b))
            for a in mine.tolist()
            if a != tail
            for b in np.intersect1d(graph.neighbours(a), other).tolist()
            if b != head
        ]
    inner.sort(key=lambda path: (float(np.prod(degrees[list(path)])), path))
    names = [
        tuple(graph.name_of(node) for node in (head, *path, tail)) for path in inner[:_MOST_PATHS]
    ]
    return Suggestion(
        graph.name_of(head), graph.name_of(tail), probability, tuple(names), len(inner)
    )


def suggestion_svg(suggestion: Suggestion) -> str:
    """Draw the two nodes, the paths between them, and the missing link as a dashed line.

    Examples
    --------
    >>> picture = suggestion_svg(Suggestion("ann", "dan", 0.9, (("ann", "bob", "dan"),), 1))
    >>> picture.count("<circle"), "stroke-dasharray" in picture
    (3, True)
    """
    columns = [
        list(dict.fromkeys(path[step] for path in suggestion.paths))
        for step in range(1, len(suggestion.paths[0]) - 1 if suggestion.paths else 1)
    ]
    tallest = max([1, *map(len, columns)])
    width, height = 200.0 * (len(columns) + 1) + 160.0, 44.0 * tallest + 96.0
    gap = (width - 160.0) / (len(columns) + 1)
    places = {(0, suggestion.head): (80.0, height / 2)}
    for step, names in enumerate(columns, 1):
        for row, name in enumerate(names):
            y = height / 2 - 30.0 + 44.0 * (row - (len(names) - 1) / 2)
            places[step, name] = (80.0 + gap * step, y)
    last = len(columns) + 1
    places[last, suggestion.tail] = (width - 80.0, height / 2)
    steps = {pair for path in suggestion.paths for pair in pairwise(enumerate(path))}
    lines = [
        f"<line x1='{places[a][0]:.1f}' y1='{places[a][1]:.1f}' x2='{places[b][0]:.1f}' "
        f"y2='{places[b][1]:.1f}' stroke='#8c959f'/>"
        for a, b in sorted(steps, key=repr)
    ]
    (x, y), (end, _) = places[0, suggestion.head], places[last, suggestion.tail]
    lines.append(
        f"<path d='M {x:.1f} {y:.1f} Q {width / 2:.1f} {2 * height - 40.0 - y:.1f} {end:.1f} "
        f"{y:.1f}' fill='none' stroke='{role_colour(0)}' stroke-width='2' stroke-dasharray='6 5'/>"
    )
    dots = [
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='8' fill='{role_colour(k % last)}'/>"
        f"<text x='{x:.1f}' y='{y - 12:.1f}' text-anchor='middle'>{clean(str(name))}</text>"
        for (k, name), (x, y) in places.items()
    ]
    widest = max(text_width(str(name), 12.0) for _, name in places)
    margin = max(0.0, widest / 2 - 76.0)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width + 2 * margin:g}' "
        f"height='{height:g}' viewBox='{0.0 - margin:g} 0 {width + 2 * margin:g} {height:g}' "
        f"font-family='sans-serif' font-size='12'><rect x='{0.0 - margin:g}' width='100%' "
        f"height='100%' fill='white'/>{''.join(lines)}{''.join(dots)}</svg>\n"
    )
