"""Logistic regression on role counts."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from grape_gnn import Graph, datasets
from grape_gnn.baselines import method
from grape_gnn.baselines.logistic import log_totals
from grape_gnn.comparison import compare
from grape_gnn.errors import MissingExtraError, ModelError


def test_totals_solve_what_degrees_do_not():
    g = datasets.load("role-quartile")
    names = ["logistic-totals", "logistic-degree"]
    totals, degree = compare(g, names, dataset="role-quartile", seeds=[0])
    assert totals.test_score > 0.9
    assert degree.test_score < 0.35


def test_columns_are_all_templates_and_the_features_that_vary():
    g = datasets.load("role-quartile")
    assert log_totals(g, 4).shape == (g.num_nodes, 15)
    assert log_totals(g, 2).any() == (np.ptp(g.degrees) > 0)
    chosen = method("logistic-degree")
    rng = np.random.default_rng(0)
    told = rng.integers(0, 2, g.num_nodes)
    x = torch.from_numpy(np.stack([told, rng.random(g.num_nodes)], axis=1)).float()
    mask = torch.arange(g.num_nodes) % 2 == 0
    settings = chosen.settings(False, {"penalty": 1.0}, epochs=1, patience=1, seed=0)
    fitted = chosen.fit(chosen.prepare(g, x), torch.from_numpy(told), mask, ~mask, 2, settings)
    assert fitted.validation_score == 1


def test_directed_edges_count_by_direction():
    g = Graph.from_edges([0, 0, 1], [1, 2, 2], directed=True)
    assert log_totals(g, 2).shape == (3, 3)  # to, from, both


def test_a_class_without_training_nodes_is_never_the_answer():
    g = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], y=[0, 1, 0, 1, 2])
    chosen = method("logistic-totals")
    mask = torch.tensor([True, True, True, True, False])
    settings = chosen.settings(True, {"penalty": 1.0}, epochs=1, patience=1, seed=0)
    prepared = chosen.prepare(g, torch.ones(5, 1))
    fitted = chosen.fit(prepared, torch.from_numpy(g.y.copy()), mask, ~mask, 3, settings)
    assert set(fitted.scores.argmax(dim=1).tolist()) <= {0, 1}
    with pytest.raises(ModelError, match="no network"):
        chosen.build(prepared, 3)


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"grape-gnn\[sklearn\]"):
        method("logistic-totals")
