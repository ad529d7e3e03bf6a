"""`RoleClusters` finds the orbits of graphs whose orbits are known, and says what they are."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.embedding.kmeans import best_groups, group
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.testing import gnp


def test_the_orbits_of_the_barbell():
    found = grape.RoleClusters().fit(nx.barbell_graph(10, 10))
    orbits = [min(v, 29 - v) for v in range(30)]
    orbits = [0 if orbit < 9 else orbit for orbit in orbits]
    labels = found.labels_.tolist()
    assert len(set(zip(orbits, labels, strict=True))) == len(set(orbits)) == len(set(labels)) == 7
    assert labels.count(0) == 18
    assert max(found.silhouettes_, key=found.silhouettes_.get) == 7
    assert found.silhouette_ == pytest.approx(1.0)


def test_what_sets_a_cluster_apart():
    network = nx.disjoint_union(nx.complete_graph(5), nx.complete_bipartite_graph(4, 4))
    found = grape.RoleClusters(embedding=grape.RoleEmbedding("edge,triangle", hops=0)).fit(network)
    (mark, *_) = found.marks(1)
    assert (mark.feature, mark.inside, mark.outside) == ("triangle", 6.0, 0.0)
    assert mark.gap > 1
    assert str(mark) == "triangle 6 (others 0)"
    assert found.typical(1) in range(5)
    assert [m.feature for m in found.marks(0)] == [m.feature for m in found.marks(1)]
    assert [str(mark) for mark in found.fit(nx.star_graph(4)).marks(1)] == ["edge 4 (others 1)"]


def test_clusters_of_another_graph():
    found = grape.RoleClusters(clusters=2).fit(nx.star_graph(9))
    assert found.predict(nx.star_graph(7)).tolist() == [1, *[0] * 7]
    assert found.silhouettes_ == {}
    assert grape.RoleClusters(clusters=2).fit_predict(nx.star_graph(9)).tolist() == [1, *[0] * 9]


def test_nodes_that_are_all_alike_are_one_cluster():
    found = grape.RoleClusters().fit(nx.cycle_graph(8))
    assert found.labels_.tolist() == [0] * 8
    assert found.marks(0) == []
    assert found.silhouettes_ == {}
    assert "1 clusters of 8 nodes" in found.svg()


def test_the_same_seed_gives_the_same_clusters():
    graph = gnp(120, 0.08, 5)
    one, two = (grape.RoleClusters(seed=3).fit(graph) for _ in range(2))
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).predict(graph), one.labels_)


def test_a_node_belongs_to_the_nearest_centre():
    graph = gnp(150, 0.05, 7)
    found = grape.RoleClusters(clusters=5).fit(graph)
    apart = np.linalg.norm(found.places_[:, None] - found.centres_[None], axis=2)
    np.testing.assert_array_equal(apart.argmin(axis=1), found.labels_)
    sizes = np.bincount(found.labels_)
    assert sizes.tolist() == sorted(sizes.tolist(), reverse=True)
    assert set(found.embedding_.transform(graph).shape) == {150, 16}


def test_three_clouds_are_three_groups():
    rng = np.random.default_rng(0)
    points = np.repeat([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]], [50, 30, 20], axis=0)
    found, scores = best_groups(points + rng.normal(0, 0.5, points.shape), most=6)
    assert found.labels.tolist() == [0] * 50 + [1] * 30 + [2] * 20
    assert max(scores, key=scores.get) == 3
    assert sorted(scores) == [2, 3, 4, 5, 6]


def test_more_groups_than_points():
    assert group(np.array([[0.0], [0.0], [1.0]]), 9).labels.tolist() == [0, 0, 1]


def test_of_many_points_a_sample_finds_the_centres():
    points = np.concatenate([np.zeros((30_000, 1)), np.ones((10_000, 1))])
    assert np.bincount(group(points, 2).labels).tolist() == [30_000, 10_000]


def test_drawings():
    small = grape.RoleClusters().fit(nx.barbell_graph(4, 2)).svg()
    assert small.count("<circle") == 10
    assert "cluster 0" in small
    large = grape.RoleClusters(clusters=3).fit(gnp(350, 0.02, 1)).svg()
    assert large.count("<circle") == 350
    assert "first two dimensions" in large
    names = Graph.from_edges([0], [1], names=["<b>", "d&n"])
    assert "&lt;b&gt;" in grape.RoleClusters().fit(names).svg()


def test_errors_name_the_remedy():
    with pytest.raises(ModelError, match="call fit"):
        grape.RoleClusters().predict(gnp(5, 0.5, 0))
    with pytest.raises(ModelError, match="most=1 must be at least 2"):
        grape.RoleClusters(most=1).fit(gnp(5, 0.5, 0))
    with pytest.raises(ModelError, match="clusters=0 must be at least 1"):
        grape.RoleClusters(clusters=0).fit(gnp(5, 0.5, 0))
    with pytest.raises(ModelError, match="cluster=2 must be at most 1"):
        grape.RoleClusters(clusters=2).fit(nx.star_graph(4)).marks(2)
