"""From non-induced maps to induced ones: inclusion and exclusion over further edges.

An injective map of a template is induced if no pair that the template leaves open is an edge of
the graph. Of all maps take away those with one such edge, put back those with two, and so on:

    induced(S)  =  sum over S' of  (-1)^(edges of S' - edges of S) * inj(S'),

where S' runs over the template with further edges between its own nodes. This holds for every
image of the anchor and of the role's node, so it holds for the role matrices, entry by entry. The
further edges are of any type; node labels stay. Graphs that are isomorphic by a map that keeps
the anchor and the role's node are one.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

from grape_gnn.roles.algebra.quotients import (
    Edge,
    Label,
    Quotient,
    glance,
    two_terminal_quotients,
    unfolded,
)
from grape_gnn.template import Template

__all__ = ["MOST_OPEN", "open_pairs", "reaches_induced", "template_quotients"]

MOST_OPEN = 6
"""Open pairs of the sparsest template of five nodes, with 64 graphs to be summed over."""


def open_pairs(template: Template) -> list[tuple[int, int]]:
    """Return the edges that an induced instance must not have.

    Examples
    --------
    >>> open_pairs(Template("0-1 1-2")), open_pairs(Template("0>1"))
    ([(0, 2)], [(1, 0)])
    """
    nodes = range(template.num_nodes)
    pairs = permutations(nodes, 2) if template.directed else combinations(nodes, 2)
    return [pair for pair in pairs if pair not in template.edges]


def reaches_induced(template: Template) -> bool:
    """Whether the algebra counts a template's induced instances.

    It does so up to five nodes, and beyond that for templates that are nearly complete. Directed
    templates have twice as many pairs: up to three nodes, and four with six arcs or more.

    Examples
    --------
    >>> reaches_induced(Template("0-1 1-2 2-3 3-4")), reaches_induced(Template("0>1 1>2 2>3"))
    (True, False)
    """
    return len(open_pairs(template)) <= MOST_OPEN


def template_quotients(
    template: Template, target: int, *, induced: bool = False
) -> dict[Quotient, int]:
    """Return quotients whose homomorphisms add up to the injective maps of a template.

    Parameters
    ----------
    template
        The template; node 0 is its anchor.
    target
        The template node whose image is the column of the operator; 0 for a vector.
    induced
        Only maps that are induced.

    Examples
    --------
    The end of an induced 3-path is ``A A - D - A∘(A A)``: no triangles.

    >>> found = template_quotients(Template("0-1 1-2"), 2, induced=True)
    >>> for quotient, coefficient in found.items():
    ...     print(coefficient, quotient.edges, quotient.target)
    -1 ((0, 1),) 0
    1 ((0, 2), (1, 2)) 1
    -1 ((0, 1), (0, 2), (1, 2)) 1
    """
    total: Counter[Quotient] = Counter()
    for denser, sign in _signed(template, target, open_pairs(template) if induced else []).items():
        parts = two_terminal_quotients(
            denser.num_nodes,
            denser.edges,
            denser.target,
            directed=denser.directed,
            labels=denser.labels,
            edge_types=denser.edge_types,
        )
        for quotient, coefficient in parts.items():
            total[quotient] += sign * coefficient
    return {quotient: value for quotient, value in total.items() if value != 0}


def _signed(template: Template, target: int, loose: list[Edge]) -> Counter[Quotient]:
    """Return the template with any of the loose edges, and how often each counts."""
    edges: dict[Edge, Label | None] = dict(zip(template.edges, template.edge_types, strict=True))
    signs: Counter[Quotient] = Counter()
    for count in range(len(loose) + 1):
        for further in combinations(loose, count):
            glance()
            denser = unfolded(
                edges | dict.fromkeys(further), template.labels, target, template.directed
            )
            signs[denser] += (-1) ** count
    return signs
