"""The random families are what their names say, and the same for the same seed."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.testing import (
    FAMILIES,
    bipartite,
    disconnected,
    gnp,
    named,
    random_graph,
    reciprocal,
)


def as_networkx(graph: Graph) -> nx.Graph:
    result = nx.DiGraph() if graph.directed else nx.Graph()
    result.add_nodes_from(range(graph.num_nodes))
    result.add_edges_from(graph.edge_array().tolist())
    return result


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("family", FAMILIES)
def test_same_seed_same_graph(family, directed):
    for nodes in (0, 1, 2, 9):
        first, second = (random_graph(family, nodes, 5, directed) for _ in range(2))
        assert first.num_nodes == nodes
        assert first.directed == directed
        np.testing.assert_array_equal(first.edge_array(), second.edge_array())
    if family not in ("complete", "empty"):
        other = random_graph(family, 9, 6, directed)
        assert other.edge_array().tolist() != first.edge_array().tolist()


def test_bipartite_has_no_odd_cycle():
    assert nx.is_bipartite(as_networkx(bipartite(5, 6, 0.7, seed=1)))


def test_disconnected_has_the_parts_asked_for():
    graph = as_networkx(disconnected((4, 1, 3), 1.0, seed=1))
    assert sorted(map(len, nx.connected_components(graph))) == [1, 3, 4]


def test_reciprocal_has_both_kinds_of_arcs():
    graph = as_networkx(reciprocal(12, 0.5, 0.5, seed=1))
    assert 0.2 < nx.overall_reciprocity(graph) < 0.9


def test_labels_and_missing_labels_are_drawn():
    assert set(gnp(60, 0.1, seed=1, labels=2).y.tolist()) == {-1, 0, 1}


def test_petersen_is_the_petersen_graph():
    assert nx.is_isomorphic(as_networkx(named("petersen")), nx.petersen_graph())
