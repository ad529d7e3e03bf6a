"""Independent witnesses: networkx and igraph list the maps, pynauty finds the roles.

These libraries share nothing with our brute force, so a misreading of the definitions there
would show here. They know nothing of anchors: every map they list is counted for its own ego,
and divided by the number of maps that describe the same instance.
"""

from __future__ import annotations

from collections.abc import Iterable

import igraph
import networkx as nx
import numpy as np
import pynauty
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import ENGINES, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates
from grape_gnn.testing import brute_force_roles, random_graph, random_template

TEMPLATES = {
    False: ["0-1", "0-1 1-2", "0-1 0-2 1-2", "0-1 0-2 0-3 1-2", "0-1 1-2 2-3 3-0", "0-1 0-2 0-3"],
    True: ["0>1", "0<1", "0<>1", "0>1 1>2 2>0", "0<>1 1>2 0>3", "0>1 0>2 1<>2"],
}
CASES = [
    pytest.param(Template(text), random_graph(family, 9, seed, directed), id=f"{text},{family}")
    for directed, texts in TEMPLATES.items()
    for text in texts
    for family, seed in (("sparse", 11), ("dense", 12), ("reciprocal", 13))
]


def roles_from_maps(
    num_nodes: int, template: Template, maps: Iterable[dict[int, int]]
) -> list[np.ndarray]:
    counts = [np.zeros((num_nodes, num_nodes), np.int64) for _ in template.roles]
    for image in maps:
        for role, matrix in zip(template.roles, counts, strict=True):
            for node in role:
                matrix[image[0], image[node]] += 1
    assert all((matrix % template.num_automorphisms == 0).all() for matrix in counts)
    counts = [matrix // template.num_automorphisms for matrix in counts]
    return [np.eye(num_nodes, dtype=np.int64), *counts[1:]]


def as_networkx(num_nodes: int, edges: Iterable[tuple[int, int]], directed: bool) -> nx.Graph:
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(num_nodes))
    graph.add_edges_from(edges)
    return graph


def networkx_maps(graph: Graph, template: Template, induced: bool) -> list[dict[int, int]]:
    big = as_networkx(graph.num_nodes, graph.edge_array().tolist(), graph.directed)
    small = as_networkx(template.num_nodes, template.edges, template.directed)
    isomorphism = nx.algorithms.isomorphism
    matcher = (isomorphism.DiGraphMatcher if graph.directed else isomorphism.GraphMatcher)(
        big, small
    )
    found = (
        matcher.subgraph_isomorphisms_iter() if induced else matcher.subgraph_monomorphisms_iter()
    )
    return [{t: g for g, t in mapping.items()} for mapping in found]


def igraph_maps(graph: Graph, template: Template, method: str) -> list[dict[int, int]]:
    big = igraph.Graph(graph.num_nodes, graph.edge_array().tolist(), directed=graph.directed)
    small = igraph.Graph(template.num_nodes, list(template.edges), directed=template.directed)
    if method == "vf2":
        found = big.get_subisomorphisms_vf2(small)
    else:
        found = big.get_subisomorphisms_lad(small, induced=method == "lad, induced")
    return [dict(enumerate(mapping)) for mapping in found]


def assert_same(found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for j, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_array_equal(ours, theirs, err_msg=f"role {j}")


def our_roles(graph: Graph, template: Template, **options: object) -> list[np.ndarray]:
    return [role.to_scipy().toarray() for role in match(graph, [template], **options)[0]]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("template", "graph"), CASES)
def test_networkx_agrees(template, graph, engine):
    maps = networkx_maps(graph, template, induced=False)
    expected = roles_from_maps(graph.num_nodes, template, maps)
    assert_same(our_roles(graph, template, engine=engine), expected)


@pytest.mark.parametrize("method", ["vf2", "lad"])
@pytest.mark.parametrize(("template", "graph"), CASES)
def test_igraph_agrees(template, graph, method):
    maps = igraph_maps(graph, template, method)
    expected = roles_from_maps(graph.num_nodes, template, maps)
    assert_same(our_roles(graph, template, engine="enumerate"), expected)


@pytest.mark.parametrize(("template", "graph"), CASES)
def test_induced_agrees_with_networkx_and_igraph(template, graph):
    ours = our_roles(graph, template, engine="enumerate", induced=True)
    for maps in (
        networkx_maps(graph, template, induced=True),
        igraph_maps(graph, template, "lad, induced"),
    ):
        assert_same(ours, roles_from_maps(graph.num_nodes, template, maps))


@pytest.mark.parametrize(("template", "graph"), CASES)
def test_brute_force_agrees_with_networkx(template, graph):
    for induced in (False, True):
        maps = networkx_maps(graph, template, induced)
        expected = roles_from_maps(graph.num_nodes, template, maps)
        assert_same(brute_force_roles(graph, template, induced=induced), expected)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_pynauty_finds_the_same_roles(directed):
    small = [t for size in (2, 3, 4) for t in all_templates(size, directed=directed)]
    large = [random_template(seed, max_nodes=8, directed=directed) for seed in range(300)]
    for template in small + large:
        arcs: dict[int, list[int]] = {node: [] for node in range(template.num_nodes)}
        for a, b in template.edges:
            arcs[a].append(b)
        others = set(range(1, template.num_nodes))
        graph = pynauty.Graph(template.num_nodes, directed, arcs, [{0}, others])
        _, mantissa, exponent, orbit_of, _ = pynauty.autgrp(graph)
        orbits: dict[int, list[int]] = {}
        for node, orbit in enumerate(orbit_of):
            orbits.setdefault(orbit, []).append(node)
        assert sorted(map(tuple, orbits.values())) == list(template.roles), template
        assert template.num_automorphisms == round(mantissa * 10**exponent), template
