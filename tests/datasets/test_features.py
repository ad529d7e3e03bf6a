"""Other features on the same graph."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.datasets import with_features
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph

GRAPH = Graph.from_edges([0, 1], [1, 2], 500, x=np.arange(1000).reshape(500, 2), y=[0] * 500)


def test_original_is_the_graph_itself():
    assert with_features(GRAPH, "original") is GRAPH


@pytest.mark.parametrize("kind", ["constant", "random"])
def test_all_but_the_features_stays(kind):
    changed = with_features(GRAPH, kind)
    assert changed.indices is GRAPH.indices
    assert changed.y is GRAPH.y
    assert changed.label_names == GRAPH.label_names
    assert changed.x.dtype == np.float32
    assert not changed.x.flags.writeable
    assert GRAPH.x[3, 1] == 7


def test_constant_is_one_for_every_node():
    assert (with_features(GRAPH, "constant").x == np.ones((500, 1))).all()


def test_random_is_seeded_and_standard_normal():
    x = with_features(GRAPH, "random", seed=3).x
    assert x.shape == (500, 64)
    np.testing.assert_array_equal(x, with_features(GRAPH, "random", seed=3).x)
    assert (x != with_features(GRAPH, "random", seed=4).x).any()
    assert abs(x.mean()) < 0.02
    assert x.std() == pytest.approx(1, abs=0.02)


def test_unknown_kind():
    with pytest.raises(DatasetError, match="unknown kind of features 'ones'; known are original,"):
        with_features(GRAPH, "ones")


def test_original_of_a_graph_without_features():
    with pytest.raises(DatasetError, match="no features of its own; use 'constant' or 'random'"):
        with_features(Graph.from_edges([0], [1]), "original")
