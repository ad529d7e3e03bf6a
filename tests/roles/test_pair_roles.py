"""`PairRoles` as a transformer of scikit-learn, with pairs of nodes in the place of rows."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import ModelError, UnknownNodeError
from grape_gnn.graph import Graph
from grape_gnn.testing import gnp

NAMED = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])


@pytest.mark.parametrize("roles", ["far", "all"])
def test_the_counts_of_the_matrices(roles):
    graph = gnp(25, 0.25, 1)
    pairs = np.random.default_rng(0).integers(0, 25, (60, 2))
    found = grape.PairRoles(graph, "all-4,5-clique", roles=roles).fit()
    counts = found.transform(pairs)
    expected = [
        role.to_scipy().toarray()[pairs[:, 0], pairs[:, 1]]
        for one in grape.match(graph, "all-4,5-clique", engine="enumerate")
        for role in one[1:]
        if roles == "all" or role.is_far
    ]
    np.testing.assert_array_equal(counts, np.stack(expected, axis=1))
    assert len(found.get_feature_names_out()) == counts.shape[1]


def test_far_roles_do_not_see_the_edge_between_the_two():
    graph = gnp(30, 0.2, 2)
    edges = graph.edge_array()
    found = grape.PairRoles(graph, "all-4,6-path")
    for k in range(0, len(edges), 9):
        rest = Graph.from_edges(*np.delete(edges, k, axis=0).T, num_nodes=30)
        pair = edges[k : k + 1]
        np.testing.assert_array_equal(
            found.transform(pair), grape.PairRoles(rest, "all-4,6-path").transform(pair)
        )


def test_near_roles_see_it():
    pair = [("ann", "bob")]
    rest = Graph.from_edges([0, 1, 2], [2, 2, 3], names=list(NAMED.names))
    before = grape.PairRoles(NAMED, "triangle", roles="all").transform(pair)
    after = grape.PairRoles(rest, "triangle", roles="all").transform(pair)
    assert (before.tolist(), after.tolist()) == ([[1]], [[0]])


@pytest.mark.parametrize("engine", ["enumerate", "algebra"])
def test_induced_roles_see_it_wherever_they_are(engine):
    """Without the edge the ends of a 3-path are an induced one; with it they are none."""
    path, triangle = Graph.from_edges([0, 1], [1, 2]), Graph.from_edges([0, 1, 0], [1, 2, 2])
    counts = []
    for graph in (path, triangle):
        found = grape.match(graph, "3-path", induced=True, engine=engine)
        end = found[0][2]
        counts.append(end.at([(0, 2)]).tolist())
        same = [end, end.T, found.materialised()[0][2]]
        assert [role.is_far for role in same] == [False, False, False]
        assert grape.match(graph, "3-path", engine=engine)[0][2].is_far
    assert counts == [[1], [0]]


def test_directed_graphs():
    graph = gnp(15, 0.3, 3, directed=True)
    end = grape.match(graph, "0>1 1>2")[0][2]
    pairs = [(a, b) for a in range(15) for b in range(15)]
    counts = grape.PairRoles(graph, "0>1 1>2").transform(pairs)
    np.testing.assert_array_equal(counts[:, 0], end.at(pairs))


def test_clone_pickle_and_output():
    sklearn = pytest.importorskip("sklearn.base")
    pytest.importorskip("pandas")
    found = grape.PairRoles(NAMED, "3-path").set_output(transform="pandas").fit()
    frame = pickle.loads(pickle.dumps(found)).transform([("ann", "dan"), ("bob", "cat")])
    assert frame.columns.tolist() == ["3-path (2)"]
    assert frame.index.tolist() == [("ann", "dan"), ("bob", "cat")]
    again = sklearn.clone(found)
    assert again.get_params().keys() == found.get_params().keys()
    assert again.transform([("ann", "dan")]).iloc[0].tolist() == [1]


def test_in_a_pipeline_that_knows_links():
    linear = pytest.importorskip("sklearn.linear_model")
    pipeline = pytest.importorskip("sklearn.pipeline")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    ring = [(v, (v + step) % 20) for v in range(20) for step in (1, 2)]
    graph = Graph.from_edges(*zip(*ring, strict=True))
    steps = pipeline.make_pipeline(
        grape.PairRoles(graph),
        preprocessing.FunctionTransformer(np.log1p),
        linear.LogisticRegression(),
    )
    others = [(v, (v + 8) % 20) for v in range(20)]
    pairs, linked = [*ring, *others], [1] * 40 + [0] * 20
    assert steps.fit(pairs, linked).score(pairs, linked) == 1.0
    search = pytest.importorskip("sklearn.model_selection").GridSearchCV
    found = search(steps, {"pairroles__templates": ["3-path", "4-cycle,4-path"]}, cv=3)
    assert found.fit(np.array(pairs), linked).best_score_ > 0.9


def test_errors_name_the_remedy():
    with pytest.raises(ModelError, match="roles='near' is unknown"):
        grape.PairRoles(NAMED, roles="near").fit()
    with pytest.raises(ModelError, match="roles='all'"):
        grape.PairRoles(NAMED, "edge,triangle").fit()
    with pytest.raises(UnknownNodeError, match="zoe"):
        grape.PairRoles(NAMED).transform([("ann", "zoe")])
