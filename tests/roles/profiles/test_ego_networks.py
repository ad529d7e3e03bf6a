"""Wheels and short cliques by ego networks: the numbers of the search, at every node and edge."""

from __future__ import annotations

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import Evaluator
from grape_gnn.roles.algebra.totals import edge_totals, node_totals
from grape_gnn.roles.profiles import edge_orbits, node_orbits
from grape_gnn.roles.profiles.ego_networks import EgoNetworks

NODES = [orbit for orbit in node_orbits(5) if EgoNetworks.can_count(orbit)]
EDGES = [orbit for orbit in edge_orbits(5) if EgoNetworks.can_count(orbit)]


def random_graph(seed: int) -> Graph:
    random = np.random.default_rng(seed)
    n = int(random.integers(5, 40))
    upper = np.triu(random.random((n, n)) < random.uniform(0.1, 0.9), 1)
    if seed % 3 == 0:  # a node that knows many who know nobody else: rows of unequal length
        upper = np.pad(upper, (0, 60))
        upper[0, n:] = True
    sources, targets = np.nonzero(upper)
    return Graph.from_edges(sources, targets, num_nodes=len(upper))


def test_they_are_two_graphs_with_two_orbits_of_nodes_and_two_of_edges_each():
    assert [orbit.number for orbit in NODES] == [68, 69, 70, 71]
    assert [len(orbit.template.edges) for orbit in EDGES] == [8, 8, 9, 9]


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_equal_to_the_search(first):
    for seed in range(first, first + 50):
        graph = random_graph(seed)
        known = Evaluator(graph)
        networks = EgoNetworks(known, "edges")
        for orbit in NODES:
            expected = node_totals(known, orbit.template)
            assert np.array_equal(networks.node_column(orbit), expected), (seed, orbit)
        for orbit in EDGES:
            expected = edge_totals(known, orbit.template, orbit.role)
            assert np.array_equal(networks.edge_column(orbit), expected), (seed, orbit)


def test_threads_change_nothing():
    graph = random_graph(1)
    one, two = (grape.profile(graph, 5, of="edges", threads=k).to_numpy() for k in (1, 2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("edges", [([], []), ([0], [1])])
def test_graphs_without_any(edges):
    graph = Graph.from_edges(*edges, num_nodes=3)
    assert not grape.profile(graph, 5).to_numpy()[:, 68:].any()


def test_a_star_is_no_work_and_a_budget_ends_the_pass():
    star = Graph.from_edges(np.zeros(200_000, dtype=int), np.arange(1, 200_001))
    networks = EgoNetworks(Evaluator(star), "nodes")
    assert not networks.node_column(NODES[0]).any()
    clique = Graph.from_edges(*np.triu_indices(900, 1))
    known = Evaluator(clique)
    settings = grape.roles.engine.make_settings(time=0.3)
    with pytest.raises(BudgetExceededError, match="time"), known.within(settings):
        EgoNetworks(known, "edges").node_column(NODES[0])
