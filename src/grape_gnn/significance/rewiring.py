"""Random graphs in which every node keeps its degree: the null model of significance.

The compiled core walks a Markov chain of swaps, two edges a-b and c-d becoming a-d and c-b; see
`native/nulls/rewire.hpp` for why it ends up at every simple graph with these degrees equally often.
How many steps that takes is not known in general. We take 30 for every edge, so that an edge is
drawn 60 times, and look whether the second half of the steps still moved the graph away: `Mixing`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grape_gnn import _native
from grape_gnn.arguments import one_of, whole_number
from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.rows import build_rows

__all__ = ["NULLS", "SWAPS", "Mixing", "check_null", "rewire", "rewired"]

NULLS = ("degrees", "labels")
"""What rewired graphs share with the graph."""
SWAPS = 30
"""Steps of the chain for every edge, unless said otherwise."""


@dataclass(frozen=True)
class Mixing:
    """How far a rewired graph got away from the graph, in shares of one.

    Attributes
    ----------
    accepted
        Steps that changed the graph. The others were tried and count too.
    kept_half, kept
        Edges of the graph that were there after half of the steps, and after all of them. A chain
        that has settled keeps no more at half time than at the end.
    """

    accepted: float
    kept_half: float
    kept: float


def rewire(graph: GraphLike, seed: int = 0, *, null: str = "degrees", swaps: int = SWAPS) -> Graph:
    """Return a random simple graph in which every node has the degree it has in `graph`.

    Names, labels, types and features stay with their nodes; types of edges are left out.

    Parameters
    ----------
    graph
        Directed or not. In a directed graph, in- and out-degrees are kept.
    seed
        The same seed gives the same graph.
    null
        ``"degrees"``, or ``"labels"``: every node also keeps how many neighbours of each type, or
        where nodes have no types of each label, it has.
    swaps
        Steps of the chain for every edge, those among them that could not be taken.

    Examples
    --------
    >>> import networkx as nx
    >>> club = as_graph(nx.karate_club_graph())
    >>> other = rewire(club, seed=1)
    >>> bool((other.degrees == club.degrees).all()), other.num_edges
    (True, 78)
    """
    graph = as_graph(graph)
    check_null(graph, null, swaps)
    return rewired(graph, whole_number("seed", seed), null, swaps)[0]


def check_null(graph: Graph, null: str, swaps: int) -> None:
    """Refuse a null model that is unknown or that the graph has no labels for."""
    one_of("null", null, NULLS)
    whole_number("swaps", swaps, 1, 10**6)
    if null == "labels" and graph.matched_types[0] is None:
        raise GraphError(
            f"null='labels' keeps the labels of neighbours, but {graph!r} has no classes: give "
            f"labels, or use null='degrees'"
        )


def rewired(graph: Graph, seed: int, null: str, swaps: int) -> tuple[Graph, Mixing]:
    """Return a rewired graph and how far it got; arguments are not checked."""
    start = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    steps = swaps * graph.num_edges
    tails, heads, accepted, half, kept = _native.rewire(
        graph.native, start, steps, null == "labels"
    )
    rows = build_rows(
        tails.astype(np.int64),
        heads.astype(np.int64),
        graph.num_nodes,
        directed=graph.directed,
        strict=True,
    )
    edges = max(1, graph.num_edges)
    mixing = Mixing(accepted / max(1, steps), half / edges, kept / edges)
    return replace(graph, **vars(rows), edge_types=None, edge_type_names=None), mixing
