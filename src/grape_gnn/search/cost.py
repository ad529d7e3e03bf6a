"""What a gene costs to use: entries visited in one aggregation, against edges alone.

Counted, not timed, so that it is the same on every machine. Roles next to the ego
live on the graph's own entries; further ones cost the entries of their matrix, or of the factors
that the algebra multiplies one after the other.
"""

from __future__ import annotations

from grape_gnn.roles import RoleMatches, RoleOperator

__all__ = ["entries_visited", "relative_cost"]


def entries_visited(role: RoleOperator) -> int:
    """Return how many entries the aggregation visits for this role.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> path = grape.match(grape.Graph.from_edges([0, 1, 2], [1, 2, 3]), "3-path")[0]
    >>> entries_visited(path[1]), entries_visited(path[2])  # A, and A times A
    (6, 12)
    """
    return len(role.graph.indices) if role.is_near else role.visited


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
