"""The metrics, against scikit-learn, and what they choose in a training."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn import metrics as sk

from grape_gnn.errors import ModelError
from grape_gnn.training import (
    TrainSettings,
    all_figures,
    check_metric,
    default_metric,
    score,
    score_text,
    train,
)
from grape_gnn.training.measures import calibration_error, probabilities


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("levels", [2, 7, 10_000])
def test_roc_auc_is_that_of_scikit_learn_ties_included(seed: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 50)
    margins = rng.integers(0, levels, 50) + labels * levels // 4
    scores = torch.from_numpy(np.stack([-margins, margins], axis=1).astype(np.float32))
    wanted = torch.from_numpy(labels)
    expected = sk.roc_auc_score(labels, margins)
    assert score("roc-auc", scores, wanted) == pytest.approx(expected, abs=1e-12)
    rare = labels if 2 * labels.sum() <= labels.size else 1 - labels
    precision = sk.average_precision_score(rare, margins if rare is labels else -margins)
    assert score("average-precision", scores, wanted) == pytest.approx(precision, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_figures_of_classes_are_those_of_scikit_learn(seed: int, classes: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.choice(classes, 80, p=np.arange(1, classes + 1) / sum(range(classes + 1)))
    scores = rng.normal(size=(80, classes)) + 2 * np.eye(classes)[labels]
    shares, answers = probabilities(scores), scores.argmax(axis=1)
    ranked = shares[:, 1] if classes == 2 else shares
    one_hot = np.eye(classes)[labels]
    rare = int(2 * labels.sum() <= labels.size)  # the class that is looked for, of two
    precision = sk.average_precision_score(
        labels == rare if classes == 2 else one_hot,
        shares[:, rare] if classes == 2 else ranked,
        average="macro",
    )
    expected = {
        "accuracy": sk.accuracy_score(labels, answers),
        "balanced-accuracy": sk.balanced_accuracy_score(labels, answers),
        "macro-f1": sk.f1_score(labels, answers, average="macro"),
        "weighted-f1": sk.f1_score(labels, answers, average="weighted"),
        "roc-auc": sk.roc_auc_score(labels, ranked, multi_class="ovr"),
        "average-precision": precision,
        "log-loss": sk.log_loss(labels, shares, labels=range(classes)),
    }
    found = all_figures(scores, labels)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_figures_of_several_labels_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    labels = (rng.random((60, 4)) < [0.5, 0.3, 0.1, 0.9]).astype(int)
    scores = rng.normal(size=(60, 4)) + 2 * labels - 1
    assert all_figures(scores, labels) == pytest.approx(
        {
            "micro-f1": sk.f1_score(labels, scores > 0, average="micro"),
            "macro-f1": sk.f1_score(labels, scores > 0, average="macro"),
            "roc-auc": sk.roc_auc_score(labels, scores, average="macro"),
            "average-precision": sk.average_precision_score(labels, scores, average="macro"),
        }
    )


def test_figures_of_numbers_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(2)
    wanted = rng.normal(1e6, 50, 40)
    found = wanted + rng.normal(0, 20, 40)
    assert all_figures(found, wanted) == pytest.approx(
        {
            "rmse": sk.mean_squared_error(wanted, found) ** 0.5,
            "mae": sk.mean_absolute_error(wanted, found),
            "r2": sk.r2_score(wanted, found),
        }
    )
    assert all_figures(np.full(40, wanted.mean()), wanted)["r2"] == pytest.approx(0)


def test_calibration_error_by_hand() -> None:
    """Two bins: four answers with 0.9, of which half are right, and one with 0.6, which is."""
    shares = np.array([[0.9, 0.1]] * 4 + [[0.6, 0.4]])
    labels = np.array([0, 0, 1, 1, 0])
    assert calibration_error(np.log(shares), labels) == pytest.approx(0.8 * 0.4 + 0.2 * 0.4)


def test_what_is_not_defined_is_none() -> None:
    one = all_figures(np.zeros((3, 2)), np.zeros(3, int))
    assert (one["roc-auc"], one["average-precision"], one["accuracy"]) == (None, None, 1.0)
    assert all_figures(np.ones(2), np.ones(2))["r2"] is None


def test_a_class_that_is_neither_label_nor_answer_does_not_count() -> None:
    scores = np.array([[3.0, 0, 0], [3, 0, 0], [0, 3, 0]])
    assert all_figures(scores, np.array([0, 0, 1]))["macro-f1"] == 1.0


def test_what_is_chosen_by_if_nothing_is_said() -> None:
    assert default_metric(np.array([0] * 7 + [1] * 3)) == "accuracy"
    assert default_metric(np.array([0] * 71 + [1] * 29)) == "roc-auc"
    assert default_metric(np.array([0] * 90 + [1] * 5 + [2] * 5)) == "accuracy"
    assert default_metric(np.eye(3, dtype=int)) == "micro-f1"
    assert default_metric(np.array([0.5, 1.5])) == "rmse"


def test_errors_are_negative_scores_and_written_as_errors() -> None:
    found = score("rmse", torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    assert found == pytest.approx(-(2**0.5))
    assert score_text("rmse", found) == "1.414"
    assert score_text("accuracy", 0.5, digits=1) == "50.0%"


def test_messages() -> None:
    two = torch.zeros(3, 2)
    with pytest.raises(ModelError, match="metric='f1' is unknown: use one of accuracy, balanced"):
        score("f1", two, torch.zeros(3, dtype=torch.long))
    with pytest.raises(ModelError, match="ROC AUC needs nodes of different labels"):
        score("roc-auc", two, torch.ones(3, dtype=torch.long))
    with pytest.raises(ModelError, match="R2 needs numbers that differ"):
        score("r2", torch.zeros(3), torch.zeros(3))
    with pytest.raises(ModelError, match=r"not for regression tasks.*: use rmse, mae, r2"):
        check_metric("accuracy", "regression")
    with pytest.raises(ModelError, match="metric='calibration-error' is unknown"):
        check_metric("calibration-error")
    with pytest.raises(ModelError, match="metric='f1' is unknown"):
        TrainSettings(metric="f1")
    with pytest.raises(ModelError, match="class_weight='even'"):
        TrainSettings(class_weight="even")


def test_settings_without_class_weights_are_written_as_before_there_were_any() -> None:
    assert "class_weight" not in TrainSettings().to_json()
    assert TrainSettings(class_weight="balanced").to_json()["class_weight"] == "balanced"


def test_the_epoch_is_chosen_by_the_metric() -> None:
    """Few nodes of class 1: ranking them right and predicting them at all are different things."""
    torch.manual_seed(0)
    x = torch.randn(200, 4)
    y = (x[:, 0] + torch.randn(200) > 1.5).long()
    first = torch.arange(200) < 100
    chosen = {}
    for metric in ("accuracy", "roc-auc", "log-loss"):
        torch.manual_seed(1)
        model = torch.nn.Linear(4, 2)
        settings = TrainSettings(epochs=60, patience=60, learning_rate=0.05, metric=metric)
        history = train(model, [x], y, first, ~first, settings)
        assert history.metric == metric
        reached = [epoch.score for epoch in history.epochs]
        assert reached[history.best] == max(reached)
        assert score(metric, model(x)[~first], y[~first]) == pytest.approx(max(reached))
        chosen[metric] = history.best
    assert chosen["accuracy"] != chosen["roc-auc"]
