"""Features of a pair: the same before and after the link between the two is deleted."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.links.distance import FARTHEST, detours
from grape_gnn.links.features import PairFeatures, far_roles
from grape_gnn.testing import FAMILIES, gnp, random_graph


def without(graph, a, b):
    edges = [(u, v) for u, v in graph.edge_array().tolist() if {u, v} != {a, b}]
    return Graph.from_edges(*np.array(edges).reshape(-1, 2).T, num_nodes=graph.num_nodes)


@pytest.mark.parametrize("seed", range(12))
def test_no_feature_sees_the_link(seed):
    graph = random_graph(sorted(FAMILIES)[seed % len(FAMILIES)], 8 + seed, seed)
    features = PairFeatures(graph)
    for a, b in np.random.default_rng(seed).permutation(graph.edge_array())[:4].tolist():
        pair = np.array([a]), np.array([b])
        after = PairFeatures(without(graph, a, b)).of(*pair)
        np.testing.assert_allclose(features.of(*pair), after, rtol=1e-12, atol=1e-12)


def test_the_order_of_the_two_does_not_matter():
    features = PairFeatures(gnp(15, 0.3, seed=1))
    a, b = np.triu_indices(15, 1)
    np.testing.assert_allclose(features.of(a, b), features.of(b, a), rtol=1e-12)
    assert features.of(a, b).shape == (105, len(features.names))
    assert len(set(features.names)) == len(features.names)


def test_every_way_to_stand_apart_is_there_once():
    small = [(t.num_nodes, len(t.edges), same) for t, _, same in far_roles() if t.num_nodes < 5]
    # 3-path; star; 4-path, ends and not; tailed triangle; 4-cycle; diamond
    assert sorted(small) == [
        (3, 2, True), (4, 3, False), (4, 3, True), (4, 3, True),
        (4, 4, False), (4, 4, True), (4, 5, True),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_detours_are_shortest_paths_without_the_link(seed):
    networkx = pytest.importorskip("networkx")
    graph = gnp(25, 0.08, seed)
    a, b = np.triu_indices(25, 1)
    lengths = detours(graph, a, b)
    for u, v, length in zip(a.tolist(), b.tolist(), lengths.tolist(), strict=True):
        rest = graph.to_networkx()
        rest.remove_edges_from([(u, v)])
        there = networkx.has_path(rest, u, v)
        assert length == (networkx.shortest_path_length(rest, u, v) if there else FARTHEST + 1)


def test_directed_graphs_are_refused_with_the_remedy():
    with pytest.raises(GraphError, match=r"graph\.to_undirected\(\)"):
        PairFeatures(gnp(5, 0.5, seed=0, directed=True))
