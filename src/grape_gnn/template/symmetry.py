"""Symmetries of an anchored template: a thin face of the compiled backtracking search.

Definition 2 of the paper: the Ego-AE sets (*roles*) are the orbits of the automorphisms that
keep the anchor in place.
"""

from __future__ import annotations

from collections.abc import Sequence

from grape_gnn import _native
from grape_gnn.template.text import Edge, Label

__all__ = ["canonical_order", "orbits", "stabiliser"]

Permutation = tuple[int, ...]


def stabiliser(
    num_nodes: int,
    edges: Sequence[Edge],
    directed: bool,
    labels: Sequence[Label | None],
    edge_types: Sequence[Label | None] = (),
) -> tuple[Permutation, ...]:
    """Every automorphism that fixes node 0, the identity first; ``g[node]`` is its image.

    It keeps labels, and the types that edges ask for, one per edge.

    Examples
    --------
    >>> stabiliser(3, [(0, 1), (0, 2)], False, [None] * 3)
    ((0, 1, 2), (0, 2, 1))
    >>> stabiliser(3, [(0, 1), (0, 2)], False, [None] * 3, ["single", "double"])
    ((0, 1, 2),)
    """
    native = _native.Template(num_nodes, directed, edges, _ranks(labels), _ranks(edge_types))
    return tuple(tuple(g) for g in _native.stabiliser(native))


def canonical_order(
    num_nodes: int,
    edges: Sequence[Edge],
    directed: bool,
    labels: Sequence[Label | None],
    edge_types: Sequence[Label | None] = (),
) -> Permutation:
    """Nodes in an order that depends on the structure only; the anchor stays first.

    Renumbering isomorphic templates by this order makes them equal.

    Examples
    --------
    >>> canonical_order(4, [(0, 3), (1, 2), (1, 3)], False, [None] * 4)
    (0, 3, 1, 2)
    """
    native = _native.Template(num_nodes, directed, edges, _ranks(labels), _ranks(edge_types))
    return tuple(_native.canonical_order(native))


def orbits(group: Sequence[Permutation]) -> tuple[tuple[int, ...], ...]:
    """Classes of nodes that the group moves into each other, by their smallest node.

    Examples
    --------
    >>> orbits([(0, 1, 2), (0, 2, 1)])
    ((0,), (1, 2))
    """
    images = zip(*group, strict=True)
    return tuple(sorted({tuple(sorted(set(orbit))) for orbit in images}))


def _ranks(labels: Sequence[Label | None]) -> list[int]:
    # Ranks within the template suffice: isomorphic templates ask for the same set of labels.
    present = sorted({x for x in labels if x is not None}, key=lambda x: (isinstance(x, str), x))
    rank: dict[Label | None, int] = {x: k for k, x in enumerate(present)}
    return [rank.get(x, -1) for x in labels]
