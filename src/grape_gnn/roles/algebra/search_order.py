"""In which order a search places the nodes of a block that no product expresses.

Each node is placed where it has the most links to nodes already placed, so that its candidates
are an intersection of as many rows as possible.
"""

from __future__ import annotations

from dataclasses import dataclass

from grape_gnn.roles.algebra.expression import Core, Matrix, transpose

__all__ = ["SearchOrder", "search_order"]


@dataclass(frozen=True)
class SearchOrder:
    """Nodes in search order, and per position the links (earlier position, matrix).

    The matrix None stands for the mask, the places where values are wanted.
    """

    order: tuple[int, ...]
    links: tuple[tuple[tuple[int, Matrix | None], ...], ...]


def search_order(core: Core, *, masked: bool) -> SearchOrder:
    """Order the nodes of a core; the row terminal first, with a mask the column terminal second.

    Examples
    --------
    >>> from grape_gnn.roles.algebra.expression import Adjacency, Ones
    >>> A = Adjacency("out")
    >>> diamond = Core(4, ((0, 2, A), (0, 3, A), (1, 2, A), (1, 3, A), (2, 3, A)), (Ones(),) * 4)
    >>> search_order(diamond, masked=False).order
    (0, 2, 3, 1)
    """
    between: dict[tuple[int, int], Matrix] = {}
    for a, b, matrix in core.links:
        between[a, b] = matrix
        between[b, a] = transpose(matrix)
    order = [0, 1] if masked else [0]
    while len(order) < core.size:
        left = [node for node in range(core.size) if node not in order]
        # Ties: later terminals wait, so that the last step can add to the row directly.
        order.append(max(left, key=lambda b: (sum((a, b) in between for a in order), b != 1, -b)))
    links: list[tuple[tuple[int, Matrix | None], ...]] = []
    for position, node in enumerate(order):
        found: list[tuple[int, Matrix | None]] = [
            (p, between[a, node]) for p, a in enumerate(order[:position]) if (a, node) in between
        ]
        if masked and position == 1:
            found.append((0, None))
        links.append(tuple(found))
    return SearchOrder(tuple(order), tuple(links))
