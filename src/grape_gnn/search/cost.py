"""What a gene costs to use: entries visited in one aggregation, against edges alone.

Counted, not timed, so that it is the same on every machine. Roles next to the ego
live on the graph's own entries; further ones cost the entries of their matrix, or of the factors
that the algebra multiplies one after the other.
"""

from __future__ import annotations

from grape_gnn.roles import RoleMatches, RoleOperator
from grape_gnn.roles.algebra import AlgebraicRole

__all__ = ["entries_visited", "relative_cost"]


def entries_visited(role: RoleOperator) -> int:
    """Return how many entries a product with this role visits.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> path = grape.match(grape.Graph.from_edges([0, 1, 2], [1, 2, 3]), "3-path")[0]
    >>> entries_visited(path[1]), entries_visited(path[2])  # A, and A times A
    (6, 12)
    """
    if role.role == 0:
        return 0
    entries = len(role.graph.indices)
    template = role.template
    node = template.roles[role.role][0]
    if (0, node) in template.edges or (node, 0) in template.edges:
        return entries
    if not isinstance(role, AlgebraicRole):
        return role.nnz
    visited = 0
    for product in role.plan.products:
        for factor in product.factors:
            streamed = role.evaluator.streams(factor)
            visited += 2 * entries if streamed else role.evaluator.factor(factor).pattern.nnz
    return visited


def relative_cost(matches: RoleMatches) -> float:
    """Return the cost of a gene's roles; 1 for as many edges.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> relative_cost(grape.match(g, "edge,edge")), relative_cost(grape.match(g, "edge,3-path"))
    (1.0, 2.0)
    """
    edges = len(matches) * max(1, len(matches.graph.indices))
    return sum(entries_visited(role) for role in matches.operators()) / edges
