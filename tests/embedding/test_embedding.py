"""`RoleEmbedding` knows no names: what a symmetry or an isomorphism maps has one place."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import MatchError, ModelError, UnknownNodeError
from grape_gnn.graph import Graph
from grape_gnn.testing import FAMILIES, gnp, random_graph


def mirrored_karate():
    """Return two copies of the karate club, joined at one member each."""
    club = nx.karate_club_graph()
    both = nx.disjoint_union(club, club)
    both.add_edge(0, 34)
    return both


SYMMETRIC = {
    "barbell": (nx.barbell_graph(10, 10), [*range(29, -1, -1)]),
    "mirrored karate": (mirrored_karate(), [*range(34, 68), *range(34)]),
    "Petersen": (nx.petersen_graph(), [*range(1, 5), 0, *range(6, 10), 5]),
    "star": (nx.star_graph(6), [0, *range(6, 0, -1)]),
}


@pytest.mark.parametrize("name", SYMMETRIC)
@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_equivalent_nodes_have_one_place(name, hops):
    network, image = SYMMETRIC[name]
    edges = {frozenset(edge) for edge in network.edges}
    assert {frozenset((image[a], image[b])) for a, b in network.edges} == edges
    graph = Graph.from_networkx(network)
    numbers = [graph.index_of(image[graph.name_of(v)]) for v in range(graph.num_nodes)]
    places = grape.RoleEmbedding(hops=hops, dimensions=64).fit_transform(graph)
    np.testing.assert_allclose(places, places[numbers], atol=1e-9)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_isomorphic_copies_have_the_same_places(family):
    graph = random_graph(family, 30, 4)
    order = np.random.default_rng(1).permutation(graph.num_nodes)
    copy = Graph.from_edges(*order[graph.edge_array()].T, num_nodes=graph.num_nodes)
    embedding = grape.RoleEmbedding()
    places = embedding.fit_transform(graph)
    np.testing.assert_allclose(embedding.transform(copy)[order], places, atol=1e-9)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    refitted = grape.RoleEmbedding().fit_transform(copy)[order]
    again = np.linalg.norm(refitted[:, None] - refitted[None], axis=2)
    np.testing.assert_allclose(again, apart, atol=1e-6)


def test_nodes_in_different_places_are_told_apart():
    """Color refinement sees all nodes of a 3-regular graph alike; the profile does not."""
    prism_and_more = Graph.from_networkx(
        nx.disjoint_union(nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3))
    )
    places = grape.RoleEmbedding(hops=0).fit_transform(prism_and_more)
    assert np.ptp(places[:6], axis=0).max() < 1e-9
    assert np.linalg.norm(places[0] - places[6]) > 1


def test_means_see_further_than_the_profile():
    path = Graph.from_networkx(nx.path_graph(14))
    apart = []
    for hops in (0, 2):
        places = grape.RoleEmbedding(hops=hops).fit_transform(path)
        apart.append(np.linalg.norm(places[4] - places[6]))
    assert apart[0] < 1e-9 < 1e-3 < apart[1]


def test_dimensions_are_those_of_the_singular_value_decomposition():
    graph = gnp(60, 0.1, 2)
    features = grape.RoleFeatures("all-4", hops=1, means="edge").fit_transform(graph)
    weighted = features * np.repeat([1.0, 0.3], [15, 15])
    _, sizes, axes = np.linalg.svd(weighted)
    embedding = grape.RoleEmbedding(hops=1, means="edge", decay=0.3, dimensions=4)
    places = embedding.fit_transform(graph)
    np.testing.assert_allclose(np.abs(places), np.abs(weighted @ axes[:4].T), atol=1e-8)
    np.testing.assert_allclose(embedding.explained_, sizes[:4] ** 2 / (sizes**2).sum())
    assert embedding.get_feature_names_out().tolist() == [f"dimension {k}" for k in range(1, 5)]


def test_a_graph_without_differences_has_no_dimensions():
    ring = Graph.from_networkx(nx.cycle_graph(9))
    assert grape.RoleEmbedding().fit_transform(ring).shape == (9, 0)


def test_the_same_for_any_number_of_threads_and_twice(monkeypatch):
    graph = gnp(80, 0.1, 3)
    first = grape.RoleEmbedding().fit_transform(graph)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    np.testing.assert_array_equal(first, grape.RoleEmbedding().fit_transform(graph))


def test_clone_pickle_and_output():
    sklearn = pytest.importorskip("sklearn.base")
    pytest.importorskip("pandas")
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    embedding = grape.RoleEmbedding(dimensions=2).set_output(transform="pandas").fit(graph)
    frame = pickle.loads(pickle.dumps(embedding)).transform(graph)
    assert frame.index.tolist() == ["ann", "bob", "cat", "dan"]
    assert frame.columns.tolist() == ["dimension 1", "dimension 2"]
    again = sklearn.clone(embedding)
    assert again.get_params() == embedding.get_params()
    assert (again.fit_transform(graph) == frame).all(axis=None)


def test_directed_graphs_with_directed_templates():
    graph = gnp(20, 0.2, 1, directed=True)
    embedding = grape.RoleEmbedding("to,from,bi-direct,from-to", means="to,from", hops=1)
    assert embedding.fit_transform(graph).shape == (20, 12)
    with pytest.raises(MatchError, match="directed"):
        grape.RoleEmbedding().fit(graph)


def test_most_similar_here_and_elsewhere():
    karate = mirrored_karate()
    for node in (0, 5, 33):
        (twin, distance), *_ = grape.most_similar(karate, node, k=1)
        group = [v for v, d in grape.most_similar(karate, node, k=20) if d == 0]
        assert node + 34 in group
        assert (distance, twin in group) == (0.0, True)
    names = Graph.from_networkx(nx.relabel_nodes(nx.path_graph(5), dict(enumerate("abcde"))))
    assert grape.most_similar(names, "a", k=1) == [("e", 0.0)]
    assert grape.most_similar(names, "b", k=2, other=nx.path_graph(5)) == [(1, 0.0), (3, 0.0)]
    fitted = grape.RoleEmbedding(hops=1).fit(names)
    assert grape.most_similar(names, "c", k=1, other=nx.path_graph(5), embedding=fitted)[0][0] == 2
    with pytest.raises(UnknownNodeError, match="zoe"):
        grape.most_similar(names, "zoe")
    with pytest.raises(ModelError, match="k=0 must be at least 1"):
        grape.most_similar(names, "a", k=0)


def test_errors_name_the_remedy():
    graph = gnp(5, 0.5, 0)
    with pytest.raises(ModelError, match="call fit"):
        grape.RoleEmbedding().transform(graph)
    with pytest.raises(ModelError, match="dimensions=0 must be at least 1"):
        grape.RoleEmbedding(dimensions=0).fit(graph)
    with pytest.raises(ModelError, match="decay=0 must be a number, above 0"):
        grape.RoleEmbedding(decay=0).fit(graph)
    with pytest.raises(ModelError, match="hops=9 must be at most 3"):
        grape.RoleEmbedding(hops=9).fit(graph)
    with pytest.raises(ModelError, match="no roles to find in a graph without nodes"):
        grape.RoleEmbedding().fit(Graph.from_edges([], [], num_nodes=0))
