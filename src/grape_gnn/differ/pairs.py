"""Colours of pairs: the vector of all role counts of a pair, refined by the 2-FWL (3-WL) test.

A pair (v, u) starts with whether v is u and how often u plays each role around v. In every round
its colour becomes the old one together with the multiset, over all nodes w, of the colours of
(v, w) and (w, u). With the edge alone this is the two-dimensional folklore Weisfeiler-Leman test,
as strong as the three-dimensional one; with more templates it starts from far finer colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import whole_number
from grape_gnn.differ.refine import Numbers, by_appearance, mixed
from grape_gnn.errors import GraphError
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.roles.match import match
from grape_gnn.template import Template

__all__ = ["LARGEST", "pair_colours"]

LARGEST = 200
"""Nodes of a graph whose pairs can be refined: a round takes their number to the third power."""


def pair_colours(
    graphs: Sequence[GraphLike],
    templates: str | Template | Iterable[str | Template],
    *,
    rounds: int | None = None,
) -> NDArray[np.int64]:
    """Sort graphs by the colours of their pairs of nodes.

    Parameters
    ----------
    graphs
        Graphs of up to 200 nodes.
    templates
        Templates, their names, or the name of a set.
    rounds
        At most so many; None: until no graph's pairs are told further apart.

    Returns
    -------
    numpy.ndarray
        The class of every graph, numbered from 0 in the order of first appearance.

    Examples
    --------
    >>> import networkx as nx
    >>> pair = [nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))]
    >>> pair_colours(pair, "edge").tolist()
    [0, 1]
    """
    if rounds is not None:
        whole_number("rounds", rounds)
    return by_appearance(
        np.array([_number(graph, templates, rounds) for graph in graphs], np.uint64)
    )


def _number(graph: GraphLike, templates: Any, rounds: int | None) -> int:
    """Return a number that is the same for all orders of the nodes."""
    graph = as_graph(graph)
    if graph.num_nodes > LARGEST:
        raise GraphError(
            f"a graph of {graph.num_nodes:,} nodes has too many pairs to refine: at most {LARGEST} "
            f"nodes; role_colours has no such limit"
        )
    colours: Numbers = mixed(np.eye(graph.num_nodes, dtype=np.uint64))
    for roles in match(graph, templates):
        for role in roles[1:]:
            colours = mixed(colours ^ mixed(role.to_scipy().toarray().astype(np.uint64)))
    classes, done = len(np.unique(colours)), 0
    while rounds is None or done < rounds:
        refined = _refined(colours)
        found = len(np.unique(refined))
        if rounds is None and found == classes:
            break
        colours, classes, done = refined, found, done + 1
    # One more round, so that stable colours of several graphs mean the same in all of them.
    last = _refined(colours)
    return int(mixed(last).sum(dtype=np.uint64))


def _refined(colours: Numbers) -> Numbers:
    first, second = mixed(colours), mixed(~colours)
    seen = np.empty_like(colours)
    for v in range(len(colours)):  # row by row: n squared numbers at a time
        seen[v] = mixed(first[v][:, None] + second).sum(axis=0, dtype=np.uint64)
    return mixed(colours ^ mixed(seen))
