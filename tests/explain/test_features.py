"""Importance of features: seeded, bounded, and on what differs between nodes only."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.explain import explain_classifier
from grape_gnn.explain.features import feature_importance
from grape_gnn.nn import SparseFeatures


@pytest.fixture(scope="module")
def fitted():
    """Give a classifier whose labels hang on one column of four, one of which is constant."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    x = np.stack([rng.normal(size=200), y + rng.normal(0, 0.1, 200), np.ones(200),
                  rng.normal(size=200)], axis=1)  # fmt: skip
    ends = np.unique(np.sort(rng.integers(0, 200, size=(2, 300)), axis=0), axis=1)
    ends = ends[:, ends[0] != ends[1]]
    graph = grape.Graph.from_edges(*ends, 200, x=x, y=y)
    model = grape.GrapeClassifier("edge", epochs=60, hidden=16).fit(graph)
    return model, graph


def test_the_column_that_tells_is_first(fitted):
    model, graph = fitted
    found = explain_classifier(model, graph, model.split_.validation).features
    assert found.names[0] == "feature 1"
    assert found.drop[0] > 0.3
    assert set(found.names) == {"feature 0", "feature 1", "feature 3"}
    assert found.columns == 3
    assert found.together >= found.drop[0] - 0.15
    again = explain_classifier(model, graph, model.split_.validation).features
    assert again.drop.tolist() == found.drop.tolist()
    assert list(found.drop) == sorted(found.drop, reverse=True)


def test_columns_made_of_one_are_one(fitted):
    model, graph = fitted
    x, roles = model.inputs(graph)
    groups = [("table column", (0, 1)), ("other", (3,))]
    found = feature_importance(
        model.network, x, roles, graph.y, model.split_.validation, groups, repeats=2
    )
    assert found.names[0] == "table column"
    assert found.columns == 2


def test_many_columns_and_little_time(fitted):
    model, graph = fitted
    x, roles = model.inputs(graph)
    groups = [(f"feature {k}", (k,)) for k in range(4)]
    given = (model.network, x, roles, graph.y, model.split_.validation, groups)
    one = feature_importance(*given, most=1)
    assert one.names == ("feature 1",)  # the gradient finds it
    assert one.columns == 3
    assert len(feature_importance(*given, seconds=0.0).names) == 1


def test_sparse_features_are_the_same(fitted):
    model, graph = fitted
    x, roles = model.inputs(graph)
    groups = [(f"feature {k}", (k,)) for k in range(4)]
    rest = (roles, graph.y, model.split_.validation, groups)
    dense = feature_importance(model.network, x, *rest)
    sparse = feature_importance(model.network, SparseFeatures(torch.as_tensor(x)), *rest)
    assert dense.drop.tolist() == sparse.drop.tolist()


def test_without_features_there_is_nothing_to_permute():
    graph = grape.datasets.load("planted-roles", num_shapes=9)
    model = grape.GrapeClassifier("edge,triangle", epochs=3).fit(graph)
    found = explain_classifier(model, graph, model.split_.validation)
    assert found.features.names == ()
    assert found.features.together is None
    assert found.occurs.shape == (2, graph.num_nodes)
    totals = grape.count_instances(graph, "edge,triangle")
    assert ((totals > 0) == found.occurs.T).all()


def test_label_inputs_count_as_one_column():
    graph = grape.datasets.load("social-like", num_nodes=120)
    model = grape.GrapeClassifier("edge", epochs=5, label_inputs=True).fit(graph)
    found = explain_classifier(model, graph, model.split_.validation).features
    assert "known labels (inputs)" in found.names


def test_columns_of_a_node_table_have_their_names(tmp_path):
    rng = np.random.default_rng(0)
    edges, table = tmp_path / "edges.csv", tmp_path / "people.csv"
    edges.write_text("source,target\n" + "".join(f"{k},{(k + 1) % 90}\n" for k in range(90)))
    teams = rng.integers(0, 2, 90)
    rows = [
        f"{k},{'red' if team else 'blue'},{rng.choice(['cook', 'clerk', 'judge'])},"
        f"{'' if k % 9 == 0 else round(10 * team + rng.normal(), 2)}\n"
        for k, team in enumerate(teams)
    ]
    table.write_text("id,team,job,pay\n" + "".join(rows))
    graph = grape.read_graph(edges, nodes=table, label="team")
    model = grape.GrapeClassifier("edge", epochs=60).fit(graph)
    found = explain_classifier(model, graph, model.split_.validation).features
    assert set(found.names) == {"job", "pay"}  # not one for every category
    assert found.names[0] == "pay"
