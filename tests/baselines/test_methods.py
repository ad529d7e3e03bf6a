"""What all methods have in common."""

import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.baselines import BASELINES, METHODS, REFERENCE_METHODS, method
from grape_gnn.errors import MissingExtraError, ModelError
from grape_gnn.nn import SparseFeatures
from grape_gnn.training import random_split

POINT = {"hidden": 16, "dropout": 0.3, "learning_rate": 0.03, "weight_decay": 5e-5}
OWN_POINTS = {
    "label-propagation": {"alpha": 0.5, "normalisation": "rows"},
    "logistic-degree": {"penalty": 1.0},
    "logistic-totals": {"penalty": 1.0},
}
WITHOUT_NETWORK = tuple(OWN_POINTS)


def fit(name, graph, seed=0, epochs=60, **choices):
    chosen = method(name, "edge,triangle")
    x = torch.from_numpy(graph.x.copy())
    prepared = chosen.prepare(graph, x)
    point = {**OWN_POINTS.get(name, POINT), **choices}
    settings = chosen.settings(prepared.constant, point, epochs=epochs, patience=50, seed=seed)
    split = random_split(graph.y, 0)
    labels = torch.from_numpy(graph.y.copy())
    masks = [torch.from_numpy(part) for part in (split.train, split.validation)]
    fitted = chosen.fit(prepared, labels, *masks, len(graph.label_names), settings)
    test = torch.from_numpy(split.test)
    found = (fitted.scores[test].argmax(dim=1) == labels[test]).double().mean().item()
    return fitted, found


def test_names():
    assert (*BASELINES, "grape", *REFERENCE_METHODS) == METHODS
    assert len(BASELINES) == 8
    for name in METHODS:
        assert method(name).name == name
        assert method(name).reference == (name in REFERENCE_METHODS)


def test_unknown_name():
    with pytest.raises(ModelError, match=r"unknown method 'mixhopp'.*did you mean 'mixhop'"):
        method("mixhopp")


@pytest.mark.parametrize("name", METHODS)
def test_learns_communities(name, communities):
    _, accuracy = fit(name, communities)
    own_features_only = ("mlp", "logistic-degree", "logistic-totals")
    assert accuracy >= (0.6 if name in own_features_only else 0.8)


def test_grape_can_leave_the_features_out(communities):
    """Then their values do not matter, and labels still do."""
    noise = replace(communities, x=np.random.default_rng(0).normal(size=communities.x.shape))
    point = {"use_features": False, "label_inputs": True}
    (first, right), (second, _) = (fit("grape", g, **point) for g in (communities, noise))
    assert torch.equal(first.scores, second.scores)
    assert right >= 0.8


@pytest.mark.parametrize("name", METHODS)
def test_same_seed_same_scores(name, communities):
    first, again = (fit(name, communities, seed=3, epochs=4)[0] for _ in range(2))
    assert torch.equal(first.scores, again.scores)


@pytest.mark.parametrize("name", [m for m in METHODS if m not in WITHOUT_NETWORK])
def test_sparse_features_give_the_same_scores(name, communities):
    rng = np.random.default_rng(1)
    dense = torch.from_numpy((rng.random((120, 80)) < 0.05).astype(np.float32))
    chosen = method(name, "edge,triangle")
    prepared = chosen.prepare(communities, dense)
    assert isinstance(prepared.x, SparseFeatures)
    network, inputs = chosen.build(prepared, 3, dropout=0.5)
    network.eval()
    assert torch.allclose(network(*inputs), network(dense, *inputs[1:]), atol=1e-4)


@pytest.mark.parametrize("name", METHODS)
def test_directed_graphs_work(name):
    rng = np.random.default_rng(2)
    src, dst = rng.integers(0, 40, (2, 150))
    keep = src != dst
    pairs = np.unique(np.stack([src[keep], dst[keep]]), axis=1)
    graph = grape.Graph.from_edges(*pairs, num_nodes=40, directed=True)
    chosen = method(name, "to,from")
    prepared = chosen.prepare(graph, torch.ones(40, 1))
    if chosen.grid is None:
        network, inputs = chosen.build(prepared, 2)
        assert network(*inputs).shape == (40, 2)


@pytest.mark.parametrize("name", [m for m in METHODS if "norm" in method(m).choices])
def test_batch_norm_is_where_it_is_asked_for(name, communities):
    chosen = method(name, "edge,triangle")
    prepared = chosen.prepare(communities, torch.from_numpy(communities.x.copy()))
    for norm in ("none", "batch"):
        network, _ = chosen.build(prepared, 3, norm=norm)
        found = any(isinstance(part, torch.nn.BatchNorm1d) for part in network.modules())
        assert found == (norm == "batch")


def test_depth_is_what_is_asked_for(communities):
    chosen = method("gin")
    prepared = chosen.prepare(communities, torch.from_numpy(communities.x.copy()))
    for depth in chosen.choices["layers"]:
        network, _ = chosen.build(prepared, 3, layers=depth)
        assert sum(type(part).__name__ == "GINLayer" for part in network.modules()) == depth


def test_unknown_norm(communities):
    chosen = method("mlp")
    prepared = chosen.prepare(communities, torch.ones(120, 1))
    with pytest.raises(ModelError, match="unknown norm 'layer': use 'none' or 'batch'"):
        chosen.build(prepared, 3, norm="layer")


def test_constant_features_are_not_dropped_and_hold_stopping_back(communities):
    chosen = method("gcn")
    prepared = chosen.prepare(communities, torch.ones(120, 1))
    network, _ = chosen.build(prepared, 3, dropout=0.5)
    assert (network.input_dropout, network.dropout) == (0.0, 0.5)
    held = chosen.settings(True, POINT, epochs=500, patience=50, seed=0)
    free = chosen.settings(False, POINT, epochs=500, patience=50, seed=0)
    assert (held["min_epochs"], free["min_epochs"]) == (200, 0)


def test_grape_is_what_the_classifier_trains(communities):
    split = random_split(communities.y, 5)
    clf = grape.GrapeClassifier(
        templates="edge,triangle", hidden=16, dropout=0.3, learning_rate=0.03, epochs=5, seed=5
    ).fit(communities)
    chosen = method("grape", "edge,triangle")
    prepared = chosen.prepare(communities, torch.from_numpy(communities.x.copy()))
    settings = chosen.settings(False, POINT, epochs=5, patience=50, seed=5)
    labels = torch.from_numpy(communities.y.copy())
    masks = [torch.from_numpy(part) for part in (split.train, split.validation)]
    fitted = chosen.fit(prepared, labels, *masks, 3, settings)
    expected = clf.predict_proba(communities)
    assert np.allclose(torch.softmax(fitted.scores, dim=1).numpy(), expected, atol=1e-6)


def test_without_pyg_the_extra_is_named(monkeypatch):
    for module in [m for m in sys.modules if m.startswith("torch_geometric")]:
        monkeypatch.delitem(sys.modules, module)
    for module in ("pyg_layers", "gcn"):
        monkeypatch.delitem(sys.modules, f"grape_gnn.baselines.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    with pytest.raises(MissingExtraError, match=r"grape-gnn\[pyg\]"):
        method("gcn")
