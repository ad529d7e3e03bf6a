"""Scores against scikit-learn, and what they do with classes that do not occur."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.errors import ModelError
from grape_gnn.runs.scores import score_labels


def test_agrees_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    classes = ["a", "b", "c", "d"]
    wanted, predicted = rng.choice(classes, (2, 200))
    scores = score_labels(wanted, predicted, classes)
    precision, recall, f1, nodes = metrics.precision_recall_fscore_support(wanted, predicted)
    assert scores.accuracy == metrics.accuracy_score(wanted, predicted)
    np.testing.assert_array_equal(scores.confusion, metrics.confusion_matrix(wanted, predicted))
    np.testing.assert_allclose([c.precision for c in scores.classes], precision)
    np.testing.assert_allclose([c.recall for c in scores.classes], recall)
    np.testing.assert_allclose([c.f1 for c in scores.classes], f1)
    assert [c.nodes for c in scores.classes] == nodes.tolist()
    assert scores.macro_f1 == pytest.approx(np.mean(f1))
    assert scores.majority_share == max(nodes) / 200


def test_classes_that_do_not_occur_and_labels_that_the_model_does_not_know() -> None:
    scores = score_labels([1, 1, 9], [1, 2, 2], [1, 2, 3])
    assert scores.labels == (1, 2, 3, 9)
    one, two, three, nine = scores.classes
    assert (one.precision, one.recall, one.nodes) == (1.0, 0.5, 2)
    assert (two.precision, two.recall, two.f1) == (0.0, None, 0.0)
    assert (three.precision, three.recall, three.f1) == (None, None, None)
    assert (nine.precision, nine.recall, nine.nodes) == (None, 0.0, 1)
    assert scores.to_json()["confusion"] == scores.confusion.tolist()


def test_nothing_to_score() -> None:
    with pytest.raises(ModelError, match="no labelled node to score on"):
        score_labels([], [], ["a"])
