"""Hand-placed nodes for the shapes that have a customary picture: a house looks like a house.

A shape is drawn the same way whichever of its nodes is the anchor, mirrored if that brings the
anchor to the left. Shapes without an entry are placed by `layout`.
"""

from __future__ import annotations

from functools import cache

from grape_gnn.template.template import Template

__all__ = ["placed"]

Position = tuple[float, float]

# Shape (its node 0 is of no consequence), and the positions of its nodes; y grows downwards.
_SHAPES: dict[str, list[Position]] = {
    " ".join(f"{a}-{a + 1}" for a in range(size - 1)): [(float(a), 0.0) for a in range(size)]
    for size in range(2, 9)
} | {
    # Triangle with a tail, with two, with another triangle.
    "0-1 0-2 0-3 1-2": [(0.87, 0.5), (0, 0), (0, 1), (1.87, 0.5)],
    "0-1 0-2 0-3 0-4 1-2": [(0.87, 0.5), (0, 0), (0, 1), (1.74, 0), (1.74, 1)],
    "0-1 0-2 0-3 0-4 1-2 3-4": [(0.87, 0.5), (0, 0), (0, 1), (1.74, 0), (1.74, 1)],
    # Fork, bull, square with a tail.
    "0-1 0-2 0-3 3-4": [(0.8, 0.6), (0, 0), (0, 1.2), (1.8, 0.6), (2.8, 0.6)],
    "0-1 0-2 1-2 1-3 2-4": [(1, 1.74), (0.5, 0.87), (1.5, 0.87), (0, 0), (2, 0)],
    "0-1 0-2 0-4 1-3 2-3": [(1.42, 0.71), (0.71, 0), (0.71, 1.42), (0, 0.71), (2.42, 0.71)],
    # Square, diamond, house, K2,3, gem, 4-clique with a tail.
    "0-1 0-2 1-3 2-3": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "0-1 0-2 0-3 1-2 2-3": [(0.87, 0), (0, 0.5), (0.87, 1), (1.74, 0.5)],
    "0-1 0-2 1-2 1-3 2-4 3-4": [(0.5, 0), (0, 0.8), (1, 0.8), (0, 1.8), (1, 1.8)],
    "0-1 0-2 0-3 1-4 2-4 3-4": [(0, 0.9), (1, 0), (1, 0.9), (1, 1.8), (2, 0.9)],
    "0-1 0-2 0-3 0-4 1-2 2-3 3-4": [(1.1, 1.1), (0, 0.8), (0.6, 0), (1.6, 0), (2.2, 0.8)],
    "0-1 0-2 0-3 0-4 1-2 1-3 2-3": [(1.6, 0.8), (0.8, 0), (0, 0.8), (0.8, 1.6), (2.7, 0.8)],
}


def placed(template: Template) -> list[Position] | None:
    """Positions of the nodes if the (undirected, label-free) template is a known shape.

    Examples
    --------
    >>> placed(Template("0-1 0-2"))  # a path with the anchor in the middle
    [(1.0, 0.0), (0.0, 0.0), (2.0, 0.0)]
    """
    known = _by_canonical().get(template.canonical)
    if known is None:
        return None
    where = dict(zip(template.canonical_order, known, strict=True))
    return [where[node] for node in range(template.num_nodes)]


@cache
def _by_canonical() -> dict[str, list[Position]]:
    """For every shape and anchor the positions in canonical order."""
    table: dict[str, list[Position]] = {}
    for text, positions in _SHAPES.items():
        shape = Template(text)
        for anchor in range(shape.num_nodes):
            order = [anchor, *(node for node in range(shape.num_nodes) if node != anchor)]
            anchored = shape.relabel(order)
            if anchored.canonical not in table:
                at = [positions[order[node]] for node in anchored.canonical_order]
                table[anchored.canonical] = _anchor_left(at)
    return table


def _anchor_left(positions: list[Position]) -> list[Position]:
    width = max(x for x, _ in positions)
    if positions[0][0] <= width / 2:
        return positions
    return [(width - x, y) for x, y in positions]
