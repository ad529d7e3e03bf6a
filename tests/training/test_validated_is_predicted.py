"""The scores that chose an epoch are the scores the trained model gives: to the last digits.

Small graphs tell: there a variance over n and one over n - 1 differ by percents.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.baselines import METHODS, method
from grape_gnn.estimator import GrapeClassifier
from grape_gnn.nn import PRESETS
from grape_gnn.training import random_split, trainer


@pytest.fixture
def validated(monkeypatch: pytest.MonkeyPatch) -> list[torch.Tensor]:
    """Scores of the validation nodes, epoch by epoch."""
    seen = []
    original = trainer.accuracy

    def note(scores: torch.Tensor, labels: torch.Tensor) -> float:
        seen.append(scores.clone())
        return original(scores, labels)

    monkeypatch.setattr(trainer, "accuracy", note)
    return seen


@pytest.fixture(scope="module")
def small() -> grape.Graph:
    rng = np.random.default_rng(0)
    src, dst = np.nonzero(np.triu(rng.random((40, 40)) < 0.2, 1))
    y = np.arange(40) % 2
    return grape.Graph.from_edges(src, dst, 40, x=rng.normal(size=(40, 5)) + y[:, None], y=y)


@pytest.mark.parametrize("label_inputs", [False, True])
@pytest.mark.parametrize("preset", [*PRESETS, "decoupled"])
def test_presets(
    preset: str, label_inputs: bool, small: grape.Graph, validated: list[torch.Tensor]
) -> None:
    model = GrapeClassifier(
        "edge,3-path,triangle", preset, hidden=8, dropout=0.3, epochs=12, label_inputs=label_inputs
    ).fit(small)
    chosen = torch.softmax(validated[model.history_.best], dim=1).numpy()
    found = model.predict_proba(small)[model.split_.validation]
    np.testing.assert_allclose(found, chosen, rtol=0, atol=1e-6)


@pytest.mark.parametrize("norm", ["none", "batch"])
@pytest.mark.parametrize("name", [name for name in METHODS if method(name).grid is None])
def test_methods(name: str, norm: str, small: grape.Graph, validated: list[torch.Tensor]) -> None:
    chosen_method = method(name, "edge,triangle")
    prepared = chosen_method.prepare(small, torch.from_numpy(small.x.copy()))
    point = {"hidden": 8, "dropout": 0.3, "learning_rate": 0.03, "weight_decay": 5e-5, "norm": norm}
    settings = chosen_method.settings(prepared.constant, point, epochs=12, patience=50, seed=0)
    split = random_split(small.y, 0)
    masks = [torch.from_numpy(part) for part in (split.train, split.validation)]
    fitted = chosen_method.fit(prepared, torch.from_numpy(small.y.copy()), *masks, 2, settings)
    chosen = validated[fitted.best_epoch]
    torch.testing.assert_close(fitted.scores[masks[1]], chosen, rtol=0, atol=1e-6)
