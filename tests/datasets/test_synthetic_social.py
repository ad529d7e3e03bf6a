"""The social-like graph has the traits it is made for."""

from __future__ import annotations

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets import social_like
from grape_gnn.errors import DatasetError


@pytest.fixture(scope="module")
def graph():
    return social_like(seed=0)


def test_years_and_features(graph):
    assert graph.num_nodes == 2000
    assert graph.label_names == tuple(range(2002, 2010))
    members = np.bincount(graph.y[graph.y >= 0])
    assert members[-4:].sum() > 0.7 * members.sum()
    assert (graph.y < 0).mean() == pytest.approx(1 / 12, abs=0.02)
    assert (graph.x.sum(axis=1) == 2).all()


def test_friends_are_mostly_of_one_year(graph):
    years = graph.y[graph.edge_array()]
    told = (years >= 0).all(axis=1)
    same = years[told, 0] == years[told, 1]
    assert 0.75 < same.mean() < 0.9


def accuracy_of_nearest_mean(x, y):
    """Score the simplest classifier: learn class means on even nodes, test on odd ones."""
    train, test = np.flatnonzero(y >= 0)[::2], np.flatnonzero(y >= 0)[1::2]
    means = np.stack([x[train][y[train] == c].mean(axis=0) for c in np.unique(y[train])])
    nearest = ((x[test][:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    return (np.unique(y[train])[nearest] == y[test]).mean()


@pytest.mark.parametrize("seed", range(5))
def test_friends_majors_tell_the_year_better_than_ones_own(seed):
    g = social_like(seed=seed)
    own = accuracy_of_nearest_mean(g.x, g.y)
    of_friends = (g.to_scipy() @ g.x) / np.maximum(g.degrees, 1)[:, None]
    assert own < 0.5
    assert accuracy_of_nearest_mean(of_friends, g.y) > own + 0.2


def test_degrees_are_uneven(graph):
    assert graph.degrees.max() > 4 * np.median(graph.degrees)


def test_cliques_are_planted(graph):
    # 240 groups of at least four; so dense a random graph of this size would have about none.
    cliques = grape.match(graph, ["4-clique"])[0].totals.sum() / 4
    assert cliques > 240
    random = np.random.default_rng(0)
    ends = random.integers(graph.num_nodes, size=(2, graph.num_edges))
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    shuffled = grape.Graph.from_edges(*ends, graph.num_nodes)
    assert grape.match(shuffled, ["4-clique"])[0].totals.sum() / 4 < 24


def test_seed(graph):
    again, other = social_like(seed=0), social_like(seed=1)
    np.testing.assert_array_equal(graph.indices, again.indices)
    np.testing.assert_array_equal(graph.y, again.y)
    np.testing.assert_array_equal(graph.x, again.x)
    assert graph.num_edges != other.num_edges


@pytest.mark.parametrize("seed", range(20))
def test_small_graphs(seed):
    g = social_like(num_nodes=50, seed=seed)
    assert g.num_nodes == 50
    assert g.num_edges > 100


@pytest.mark.parametrize("num_nodes", [49, 100.0, True])
def test_impossible_sizes(num_nodes):
    with pytest.raises(DatasetError, match=f"num_nodes={num_nodes} must be (at least 50|a whole)"):
        social_like(num_nodes=num_nodes)
