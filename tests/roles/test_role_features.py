"""`RoleFeatures` as a transformer of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.testing.random_graphs import gnp


@pytest.mark.parametrize("induced", [False, True])
def test_standardised_logs_of_the_profile(induced):
    graph = gnp(40, 0.2, 1)
    features = grape.RoleFeatures("all-4", induced=induced).fit_transform(graph)
    assert features.shape == (40, 15)
    assert np.allclose(features.mean(axis=0), 0)
    counts = grape.count_instances(graph, "all-4", induced=induced)
    logs = np.log1p(counts)
    assert np.allclose(features, (logs - logs.mean(axis=0)) / logs.std(axis=0))


def test_another_graph_on_the_same_scale():
    one, other = gnp(40, 0.2, 1), gnp(30, 0.2, 2)
    features = grape.RoleFeatures("edge,triangle").fit(one)
    expected = np.log1p(grape.count_instances(other, "edge,triangle"))
    assert np.allclose(features.transform(other) * features.scale_ + features.mean_, expected)


def test_features_that_do_not_differ_are_zero():
    ring = grape.Graph.from_edges(range(7), [*range(1, 7), 0])
    assert not grape.RoleFeatures("all-4").fit_transform(ring).any()


def test_clone_pickle_and_output():
    sklearn = pytest.importorskip("sklearn.base")
    pytest.importorskip("pandas")
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    features = grape.RoleFeatures("edge,triangle").set_output(transform="pandas").fit(graph)
    frame = pickle.loads(pickle.dumps(features)).transform(graph)
    assert frame.columns.tolist() == ["edge", "triangle"]
    assert frame.index.tolist() == ["ann", "bob", "cat", "dan"]
    again = sklearn.clone(features)
    assert again.get_params() == features.get_params()
    assert (again.fit_transform(graph) == frame).all(axis=None)


def test_in_a_pipeline():
    pipeline = pytest.importorskip("sklearn.pipeline")
    decomposition = pytest.importorskip("sklearn.decomposition")
    steps = pipeline.make_pipeline(grape.RoleFeatures(), decomposition.PCA(2))
    assert steps.fit_transform(gnp(30, 0.3, 0)).shape == (30, 2)


def test_errors_name_the_remedy():
    with pytest.raises(ModelError, match="call fit"):
        grape.RoleFeatures("edge").transform(gnp(4, 0.5, 0))
    with pytest.raises(ModelError, match="without nodes"):
        grape.RoleFeatures("edge").fit(grape.Graph.from_edges([], [], num_nodes=0))
    with pytest.raises(ModelError, match="transform='polars'"):
        grape.RoleFeatures("edge").set_output(transform="polars")


@pytest.mark.parametrize("transformer", [grape.RoleFeatures, grape.RoleEmbedding])
@pytest.mark.parametrize("name", ["templates", "means"])
def test_no_template_is_refused(transformer, name):
    with pytest.raises(ModelError, match=rf"^{name}=\[\] has no template"):
        transformer(**{name: []}, hops=1).fit(gnp(10, 0.5, 1))
