"""Role colours: the partition of nodes, or of graphs, that the roles of some templates can make.

All nodes start alike. In every round a node's colour becomes its old one together with, for every
role of every template, the colours of those who play the role around it and how often they do.
Graphs are of one class if they have the same colours equally often. With the edge alone this is
the Weisfeiler-Leman test; no network on these roles can tell apart what has one colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grape_gnn.arguments import one_of, whole_number
from grape_gnn.differ.refine import SEES, Colours, by_appearance, refine
from grape_gnn.errors import DirectionMismatchError, GraphError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graphs import GraphSet
from grape_gnn.roles.match import match
from grape_gnn.template import Template

__all__ = ["RoleColours", "role_colours", "side_by_side"]


@dataclass(frozen=True, eq=False)
class RoleColours:
    """A partition of nodes and graphs.

    Parameters
    ----------
    nodes
        For every graph the colour of each node, numbered through all graphs from 0 in the order of
        first appearance.
    graphs
        The class of every graph, numbered in the same way.
    rounds
        Rounds of refinement that told more nodes apart.
    sources
        The graphs themselves.
    """

    nodes: list[Colours]
    graphs: Colours
    rounds: int
    sources: Sequence[Graph]

    @property
    def num_colours(self) -> int:
        """Number of colours of nodes."""
        return 1 + max((int(one.max(initial=-1)) for one in self.nodes), default=-1)

    @property
    def num_classes(self) -> int:
        """Number of classes of graphs."""
        return 1 + int(self.graphs.max(initial=-1))

    def svg(self) -> str:
        """Draw the graphs with their nodes in their colours."""
        from grape_gnn.differ.colours_figure import colours_figure

        return colours_figure(self)

    def __repr__(self) -> str:
        nodes = sum(map(len, self.nodes))
        return (
            f"RoleColours({nodes:,} nodes in {self.num_colours:,} colours, "
            f"{len(self.graphs):,} graphs in {self.num_classes:,} classes, {self.rounds} rounds)"
        )


def role_colours(
    graphs: GraphLike | Sequence[GraphLike] | GraphSet,
    templates: str | Template | Iterable[str | Template],
    *,
    sees: str = "members",
    rounds: int | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
) -> RoleColours:
    """Sort the nodes of a graph, or of many together, by the colours of their roles.

    Parameters
    ----------
    graphs
        A graph of any kind that `match` takes, a list of them, or a `GraphSet`.
    templates
        Templates, their names, or the name of a set.
    sees
        What a node sees of those who play a role around it. ``"members"``: every member's colour
        with its count; ``"count"``: for every colour the sum of the counts, all that a layer with
        ``weighting="count"`` can see; ``"set"``: how many members have the colour, as with
        ``weighting="set"``; ``"both"``: the last two.
    rounds
        At most so many; None: until nothing changes.
    threads, memory, time
        As for `match`.

    Returns
    -------
    RoleColours
        Colours of nodes and classes of graphs.

    Examples
    --------
    >>> import networkx as nx
    >>> pair = [nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))]
    >>> role_colours(pair, "edge").graphs.tolist()  # as message passing sees them
    [0, 0]
    >>> role_colours(pair, "edge,triangle").graphs.tolist()
    [0, 1]
    >>> role_colours(nx.path_graph(5), "edge").nodes[0].tolist()
    [0, 1, 2, 1, 0]
    """
    one_of("sees", sees, SEES)
    if rounds is not None:
        whole_number("rounds", rounds)
    found: Sequence[Graph]
    if isinstance(graphs, GraphSet):
        found, both = graphs, graphs.union
    else:
        listed = graphs if isinstance(graphs, list | tuple) else [graphs]
        found = [as_graph(graph) for graph in listed]
        both = side_by_side(found)
    roles = match(both, templates, threads=threads, memory=memory, time=time)
    relations = [role.to_scipy() for matches in roles for role in matches[1:]]
    colours, done = refine(np.zeros(both.num_nodes, np.int64), relations, sees, rounds)
    ends = np.cumsum(_sizes(found))
    nodes = np.split(by_appearance(colours), ends[:-1])
    histograms: dict[tuple[Any, ...], int] = {}
    classes = [
        histograms.setdefault(tuple(np.sort(one).tolist()), len(histograms)) for one in nodes
    ]
    return RoleColours(nodes, np.array(classes, np.int64), done, found)


def side_by_side(graphs: Sequence[Graph]) -> Graph:
    """Return graphs side by side as one, structure only, their nodes one after the other.

    Examples
    --------
    >>> side_by_side([Graph.from_edges([0], [1]), Graph.from_edges([0, 1], [1, 2])])
    Graph(nodes=5, edges=3, undirected)
    """
    if not graphs:
        raise GraphError("the list of graphs is empty: give at least one graph")
    for number, graph in enumerate(graphs):
        if graph.directed != graphs[0].directed:
            kinds = [("undirected", "directed")[one.directed] for one in (graphs[0], graph)]
            raise DirectionMismatchError(
                f"graph 0 is {kinds[0]} and graph {number} {kinds[1]}: convert one of them, for "
                f"example with to_undirected()"
            )
    starts = np.cumsum([0, *(graph.num_nodes for graph in graphs)])
    edges = np.concatenate(
        [graph.edge_array() + start for graph, start in zip(graphs, starts[:-1], strict=True)]
    )
    return Graph.from_edges(
        edges[:, 0], edges[:, 1], num_nodes=int(starts[-1]), directed=graphs[0].directed
    )


def _sizes(graphs: Sequence[Graph]) -> list[int]:
    if isinstance(graphs, GraphSet):
        return [int(size) for size in graphs.sizes]
    return [graph.num_nodes for graph in graphs]
