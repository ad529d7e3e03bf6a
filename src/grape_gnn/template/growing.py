"""All connected templates of a size, fewest edges first, made only as far as they are asked for.

There are 72,489 undirected templates of eight nodes: whoever looks for the first that does
something seldom needs them all. The trees of a size grow from those with one node less; each level
of edges from the one below, because a connected template that is no tree has an edge to spare.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from grape_gnn.template.symmetry import canonical_order
from grape_gnn.template.template import Template
from grape_gnn.template.text import Edge

__all__ = ["grow"]

Edges = tuple[Edge, ...]


def grow(size: int, directed: bool = False) -> Iterator[Template]:
    """Yield every connected template of a size, with every anchor, once each, in canonical form.

    Parameters
    ----------
    size
        Number of nodes.
    directed
        Whether to yield directed (weakly connected) templates.

    Yields
    ------
    Template
        By the number of edges, then by canonical text.

    Examples
    --------
    >>> list(grow(3))
    [Template('0-1 0-2'), Template('0-1 1-2'), Template('0-1 0-2 1-2')]
    """
    level = _trees(size, directed)
    while level:
        yield from sorted((Template(edges, directed) for edges in level), key=lambda t: t.text)
        level = {
            _canonical(size, [*edges, pair], directed)
            for edges in level
            for pair in itertools.permutations(range(size), 2)
            if pair not in edges and (directed or pair[0] < pair[1])
        }


def _trees(size: int, directed: bool) -> set[Edges]:
    if size == 1:
        return {()}
    new = size - 1
    return {
        _canonical(size, [*edges, pair], directed)
        for edges in _trees(new, directed)
        for old in range(new)
        for pair in ([(old, new), (new, old)] if directed else [(old, new)])
    }


def _canonical(size: int, edges: list[Edge], directed: bool) -> Edges:
    order = canonical_order(size, edges, directed, [None] * size)
    new = {old: k for k, old in enumerate(order)}
    moved = ((new[a], new[b]) for a, b in edges)
    return tuple(sorted(moved if directed else ((min(pair), max(pair)) for pair in moved)))
