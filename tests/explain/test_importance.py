"""Permutation importance: seeded, blind to what is not used, consistent between its tables."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.explain import explain_classifier, permutation_importance
from grape_gnn.explain.permuted_roles import PermutedRoles


@pytest.fixture(scope="module")
def graph():
    return grape.datasets.load("planted-roles", num_shapes=18)


@pytest.fixture(scope="module")
def model(graph):
    settings = {"epochs": 60, "min_epochs": 0, "hidden": 16, "dropout": 0.0}
    return grape.GrapeClassifier("edge,triangle,4-clique", **settings).fit(graph)


def measured(model, graph, **options):
    x, roles = model.inputs(graph)
    return permutation_importance(
        model.network,
        x,
        roles,
        graph.y,
        model.split_.validation,
        num_classes=len(model.classes_),
        **options,
    )


def test_the_same_seed_gives_the_same_numbers(model, graph):
    first, again, other = (measured(model, graph, seed=s) for s in (3, 3, 4))
    assert (first.template_drop == again.template_drop).all()
    assert (first.role_drop == again.role_drop).all()
    assert (first.template_drop != other.template_drop).any()


def test_accuracy_is_that_of_the_model(model, graph):
    found = measured(model, graph, repeats=1)
    assert found.accuracy == pytest.approx(model.score(graph, mask=model.split_.validation))
    assert found.support.sum() == model.split_.validation.sum()


def test_structure_matters_where_features_say_nothing(model, graph):
    found = measured(model, graph)
    assert found.accuracy > 0.5
    assert found.template_drop.max() > 0.2
    assert (found.template_std >= 0).all()


def test_classes_add_up_to_the_whole(model, graph):
    found = measured(model, graph)
    share = found.support / found.support.sum()
    assert np.nansum(found.class_drop * share, axis=1) == pytest.approx(found.template_drop)
    assert np.nansum(found.class_accuracy * share) == pytest.approx(found.accuracy)
    empty = found.support == 0
    assert np.isnan(found.class_drop[:, empty]).all()
    assert not np.isnan(found.class_drop[:, ~empty]).any()


def test_a_template_with_one_role_is_worth_what_its_role_is(model, graph):
    found = measured(model, graph)
    assert found.template_drop.tolist() == found.role_drop.tolist()


def test_a_role_that_is_not_used_is_worth_nothing(graph):
    model = grape.GrapeClassifier("edge,triangle", epochs=5, hidden=8).fit(graph)
    with torch.no_grad():
        for layer in model.network.layers:
            layer.maps.by_role()[1].zero_()
    found = measured(model, graph)
    assert found.template_drop[1] == 0
    assert found.class_drop[1][found.support > 0].tolist() == [0] * int((found.support > 0).sum())


def test_the_order_that_changes_nothing_changes_nothing(model, graph):
    x, roles = model.inputs(graph)
    same = PermutedRoles(roles, [0, 1, 2], torch.arange(graph.num_nodes))
    with torch.no_grad():
        assert torch.allclose(model.network(x, roles), model.network(x, same), atol=1e-4)


def test_the_ego_keeps_its_features():
    graph = grape.Graph.from_edges([0, 0, 0], [1, 2, 3])
    roles = grape.nn.RoleValues(grape.match(graph, "edge,3-path"))
    order = torch.tensor([3, 2, 1, 0])
    ego, scale = torch.tensor([1.0, 0.0]), torch.ones(3, 4)
    x = torch.tensor([[1.0], [10.0], [100.0], [1000.0]])
    plain = roles.aggregate(ego, scale, x)
    dealt = PermutedRoles(roles, [0], order).aggregate(ego, scale, x)
    assert dealt[:, 0].ravel().tolist() == [2.0, 11.0, 101.0, 2110.0]
    assert (dealt[:, 1] == plain[:, 1]).all()


def test_bad_wishes_are_refused(model, graph):
    with pytest.raises(ModelError, match="repeats=0 must be at least 1"):
        measured(model, graph, repeats=0)
    nobody = np.zeros(graph.num_nodes, dtype=bool)
    with pytest.raises(ModelError, match="no validation node"):
        explain_classifier(model, graph, nobody)
    bare = grape.Graph.from_edges([0], [1])
    with pytest.raises(ModelError, match="no labels to measure importance with"):
        explain_classifier(model, bare, np.ones(2, dtype=bool))


def test_labels_that_the_model_does_not_know_are_left_out(model, graph):
    names = [*map(str, graph.label_names[:-1]), "unheard of"]
    other = grape.Graph.from_edges(*graph.edge_array().T, graph.num_nodes, x=graph.x,
                                   y=graph.y, label_names=names)  # fmt: skip
    found = explain_classifier(model, other, np.ones(graph.num_nodes, dtype=bool), repeats=1)
    assert found.importance.support.sum() == (graph.y < len(names) - 1).sum()
