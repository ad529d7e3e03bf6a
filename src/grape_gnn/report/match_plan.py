"""How the page's own matcher looks for a template: an order of the nodes, and what to check.

The page finds roles by the same contract as `grape_gnn.match`: non-induced, every instance once.
It places the template's nodes one by one. Of two images that a symmetry of the template could
swap, the smaller comes first (Grochow and Kellis, 2007), so every instance is met exactly once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grape_gnn.template import Template

__all__ = ["match_plan"]


def match_plan(template: Template, label_names: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Return one step per template node, the anchor first.

    Parameters
    ----------
    template
        The template.
    label_names
        The graph's labels by code, for templates that ask for labels.

    Returns
    -------
    list of dict
        ``node`` and ``role``; ``heads`` and ``tails``: earlier steps whose node the new one must
        be joined to by an arc to it, and from it (undirected: ``heads`` only); ``above``: earlier
        steps whose node must have a smaller number; ``label``: the code asked for, -1 for any,
        nobody's for what is no label.

    Examples
    --------
    >>> for step in match_plan(Template("0-1 0-2 1-2")):
    ...     print(step)
    {'node': 0, 'role': 0, 'heads': [], 'tails': [], 'above': [], 'label': -1}
    {'node': 1, 'role': 1, 'heads': [0], 'tails': [], 'above': [], 'label': -1}
    {'node': 2, 'role': 1, 'heads': [0, 1], 'tails': [], 'above': [1], 'label': -1}
    """
    order = _order(template)
    position = {node: k for k, node in enumerate(order)}
    smaller = _restrictions(template, order)
    arcs = set(template.edges)
    if not template.directed:
        arcs |= {(b, a) for a, b in arcs}
    codes = {label: code for code, label in enumerate(label_names)}
    steps = []
    for k, node in enumerate(order):
        earlier = order[:k]
        wanted = template.labels[node]
        tails = [position[p] for p in earlier if (node, p) in arcs] if template.directed else []
        steps.append(
            {
                "node": node,
                "role": template.role_of[node],
                "heads": [position[p] for p in earlier if (p, node) in arcs],
                "tails": tails,
                "above": sorted(position[low] for low, high in smaller if high == node),
                "label": -1 if wanted is None else codes.get(wanted, len(codes)),
            }
        )
    return steps


def _order(template: Template) -> list[int]:
    """Start at the anchor, then always the node with most edges to those placed."""
    order = [0]
    rest = set(range(1, template.num_nodes))
    while rest:
        edges = {
            node: sum(1 for edge in template.edges if node in edge and {*edge} & {*order})
            for node in rest
        }
        best = min(rest, key=lambda node: (-edges[node], node))
        order.append(best)
        rest.remove(best)
    return order


def _restrictions(template: Template, order: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of nodes (smaller image, larger image) that leave one map per instance."""
    group = list(template.automorphisms)
    pairs = []
    for node in order:
        orbit = {g[node] for g in group}
        pairs += [(node, other) for other in sorted(orbit - {node})]
        group = [g for g in group if g[node] == node]
    return pairs
