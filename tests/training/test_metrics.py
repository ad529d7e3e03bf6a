"""The metrics, against scikit-learn, and what they choose in a training."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.metrics import roc_auc_score

from grape_gnn.errors import ModelError
from grape_gnn.training import TrainSettings, score, train


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("levels", [2, 7, 10_000])
def test_roc_auc_is_that_of_scikit_learn_ties_included(seed: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 50)
    margins = rng.integers(0, levels, 50) + labels * levels // 4
    scores = torch.from_numpy(np.stack([-margins, margins], axis=1).astype(np.float32))
    expected = roc_auc_score(labels, margins)
    assert score("roc-auc", scores, torch.from_numpy(labels)) == pytest.approx(expected, abs=1e-12)


def test_messages() -> None:
    two = torch.zeros(3, 2)
    with pytest.raises(ModelError, match="metric='f1' is unknown: use 'accuracy' or 'roc-auc'"):
        score("f1", two, torch.zeros(3))
    with pytest.raises(ModelError, match="two classes, and there are 4: use 'accuracy'"):
        score("roc-auc", torch.zeros(3, 4), torch.zeros(3))
    with pytest.raises(ModelError, match="nodes of both classes"):
        score("roc-auc", two, torch.ones(3))
    with pytest.raises(ModelError, match="metric='f1' is unknown"):
        TrainSettings(metric="f1")


def test_the_epoch_is_chosen_by_the_metric() -> None:
    """Few nodes of class 1: ranking them right and predicting them at all are different things."""
    torch.manual_seed(0)
    x = torch.randn(200, 4)
    y = (x[:, 0] + torch.randn(200) > 1.5).long()
    first = torch.arange(200) < 100
    chosen = {}
    for metric in ("accuracy", "roc-auc"):
        torch.manual_seed(1)
        model = torch.nn.Linear(4, 2)
        settings = TrainSettings(epochs=60, patience=60, learning_rate=0.05, metric=metric)
        history = train(model, [x], y, first, ~first, settings)
        reached = [epoch.score for epoch in history.epochs]
        assert reached[history.best] == max(reached)
        assert score(metric, model(x)[~first], y[~first]) == pytest.approx(max(reached))
        chosen[metric] = history.best
    assert chosen["accuracy"] != chosen["roc-auc"]
