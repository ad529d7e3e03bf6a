"""Role analysis of a graph from networkx: who bridges groups, who is in the thick of one.

    python examples/role_analysis.py

The graph is Zachary's karate club, whose members split into the followers of Mr. Hi (node 0) and
of the officer (node 33). Everything is counted exactly, around every member at once.
"""

from __future__ import annotations

import networkx as nx
import numpy as np

import grape_gnn as grape

SOCIAL = grape.templates("social")  # edge, 3-path, triangle, 4-clique, tailed triangle


def role_profiles(roles: grape.RoleMatches) -> np.ndarray:
    """Return how often each member plays each role around others: one row per member."""
    # The columns of a role matrix belong to those who play the role, the rows to the egos.
    columns = [operator.T.row_sums() for part in roles for operator in part[1:]]
    return np.log1p(np.column_stack(columns).astype(float))


def main() -> None:
    """Print brokers, strong ties, and members who play the same parts."""
    club = nx.karate_club_graph()
    graph = grape.Graph.from_networkx(club)
    roles = grape.match(graph, SOCIAL)

    edges, paths, triangles = (part.totals for part in roles[:3])
    pairs = edges * (edges - 1) / 2
    closed = np.divide(triangles, pairs, out=np.zeros(graph.num_nodes), where=pairs > 0)
    brokers = sorted(np.flatnonzero(edges >= 5), key=lambda v: closed[v])[:3]
    print("Brokers, whose friends know each other least:")
    for v in brokers:
        print(f"  {graph.name_of(v):>2}: {edges[v]} friends, {closed[v]:.0%} of their pairs closed")

    print("Strong ties of Mr. Hi, by shared triangles:")
    ties = sorted(roles[2][1].members(0).items(), key=lambda item: -item[1])[:4]
    print("  " + ", ".join(f"{name} ({count})" for name, count in ties))

    profiles = role_profiles(roles)
    gaps = np.linalg.norm(profiles - profiles[0], axis=1)
    nearest = [graph.name_of(v) for v in np.argsort(gaps)[1:4]]
    print(f"Members who play parts most like those of Mr. Hi: {nearest}")
    print(f"3-paths in the club, one per end: {int(paths.sum())}")


if __name__ == "__main__":
    main()
