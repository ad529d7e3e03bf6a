"""`separate` two graphs, and say `why_different` two nodes are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import whole_number
from grape_gnn.differ.candidates import all_candidates, named, order, quick_candidates
from grape_gnn.differ.colours import side_by_side
from grape_gnn.differ.difference import Difference
from grape_gnn.differ.isomorphism import find_isomorphism
from grape_gnn.differ.search import Image, Outcome, search
from grape_gnn.errors import GraphError, TemplateError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.roles.engine import MatchSettings, make_settings
from grape_gnn.template import Template
from grape_gnn.template.structure import MAX_NODES
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["separate", "why_different"]

Templates = str | Template | Iterable[str | Template] | None


def separate(
    left: GraphLike,
    right: GraphLike,
    *,
    size: int = 8,
    templates: Templates = None,
    time: float | str | None = "60s",
    threads: int | None = None,
) -> Difference:
    """Find the smallest template whose counts tell two graphs apart.

    Templates are tried by the number of their nodes, then of their edges, then by canonical text,
    with every place for the anchor. One tells the graphs apart if the instances around the egos,
    or how often the members of a role play it, are not the same as multisets. Only the structure
    counts: names, labels and features do not. If a map turns one graph into the other, no template
    can, and the map is the answer.

    Parameters
    ----------
    left, right
        Two graphs, of any kind that `match` takes, both directed or both not.
    size
        Largest number of nodes of a template, 2 to 8.
    templates
        Try only these: templates, names or the name of a set. None: all up to `size` nodes.
    time
        Seconds to spend, such as ``30`` or ``"5m"``; None: as long as it takes. When they are over
        the answer says how far the search came.
    threads
        As for `match`.

    Returns
    -------
    Difference
        The template and its counts; print it.

    Examples
    --------
    >>> import networkx as nx
    >>> ring, triangles = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    >>> found = separate(ring, triangles)
    >>> found.title, found.evidence.totals, found.minimal
    ('triangle tells first graph from second graph', (0, 6), True)
    >>> separate(ring, nx.relabel_nodes(ring, {0: 3, 3: 0})).isomorphic
    True
    """
    graphs = as_graph(left), as_graph(right)
    both = side_by_side(graphs)
    middle = graphs[0].num_nodes
    egos = np.arange(both.num_nodes, dtype=np.int32)
    settings = make_settings(time=time, threads=threads)

    def find_image(deadline: float) -> Image | None:
        if middle != graphs[1].num_nodes:
            return None
        return find_isomorphism(both, np.zeros(both.num_nodes, np.int64), deadline)

    tried, quick = _candidates(both, size, templates)
    outcome = search(both, (egos[:middle], egos[middle:]), tried, quick, find_image, settings)
    return _difference(("first graph", "second graph"), graphs, outcome, settings, middle)


def why_different(
    graph: GraphLike,
    u: str | int,
    v: str | int,
    *,
    size: int = 8,
    templates: Templates = None,
    time: float | str | None = "60s",
    threads: int | None = None,
) -> Difference:
    """Find the smallest template whose counts tell two nodes of a graph apart.

    Parameters
    ----------
    graph
        The graph.
    u, v
        Two nodes, by their original names.
    size, templates, time, threads
        As for `separate`.

    Returns
    -------
    Difference
        The template and its counts around both nodes; or, if a symmetry of the graph maps one node
        onto the other, that symmetry: then they are in one orbit and no template can.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> print(why_different(g, "ann", "dan"))
    edge tells ann from dan  ●0─1a
      instances: 2 around ann, 1 around dan
      it is the smallest: all before it were counted (1 template)
      recount: grape.count_instances(graph, "0-1")
    >>> print(why_different(g, "ann", "bob"))
    ann and bob are in one orbit: no template can tell them apart
      this map keeps all edges: ann to bob, bob to ann
    """
    graph = as_graph(graph)
    nodes = graph.index_of(u), graph.index_of(v)
    if nodes[0] == nodes[1]:
        raise GraphError(f"{u!r} and {v!r} are the same node: name two")
    settings = make_settings(time=time, threads=threads)

    def find_image(deadline: float) -> Image | None:
        both = side_by_side([graph, graph])
        colours = np.zeros(both.num_nodes, np.int64)
        colours[[nodes[0], graph.num_nodes + nodes[1]]] = 1
        return find_isomorphism(both, colours, deadline)

    tried, quick = _candidates(graph, size, templates)
    groups = np.array(nodes[:1], np.int32), np.array(nodes[1:], np.int32)
    outcome = search(graph, groups, tried, quick, find_image, settings)
    names = graph.name_of(nodes[0]), graph.name_of(nodes[1])
    return _difference(names, (graph, graph), outcome, settings, 0)


def _candidates(
    graph: Graph, size: int, templates: Templates
) -> tuple[Iterable[Template], list[Template]]:
    size = whole_number("size", size, 2, MAX_NODES, error=TemplateError)
    if templates is None:
        return all_candidates(size, graph.directed), quick_candidates(size, graph.directed)
    given = find_templates(templates)
    for template in given:
        if template.has_labels or template.has_edge_types:
            raise TemplateError(
                f"template {template.text!r} asks for labels or types: graphs and nodes are told "
                f"apart by structure only, so leave them out"
            )
    return sorted(map(named, given), key=order), []


def _difference(
    names: tuple[str | int, str | int],
    graphs: tuple[Graph, Graph],
    outcome: Outcome,
    settings: MatchSettings,
    middle: int,
) -> Difference:
    evidence = outcome.evidence
    if evidence is not None:
        first, second = evidence.where
        evidence = replace(evidence, where=(first, [node - middle for node in second]))
    return Difference(
        names=names,
        graphs=graphs,
        template=outcome.template,
        evidence=evidence,
        minimal=outcome.minimal,
        isomorphic=False if outcome.template is not None else outcome.isomorphic,
        mapping=None if outcome.image is None else _mapping(graphs, outcome.image),
        tried=dict(outcome.tried),
        time=settings.seconds,
        exhausted=outcome.exhausted,
    )


def _mapping(graphs: tuple[Graph, Graph], image: NDArray[np.int64]) -> dict[str | int, str | int]:
    return {
        graphs[0].name_of(node): graphs[1].name_of(other)
        for node, other in enumerate(image.tolist())
    }
