"""A search by another metric than the accuracy, and for other tasks than classes."""

from __future__ import annotations

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.search.folder import SearchFolder
from grape_gnn.training import METRICS, metrics_of

N = 90
EDGES = np.array([(i, i // 2) for i in range(1, N)] + [(i, i // 2 - 1) for i in range(4, N, 3)])


def graph(y) -> grape.Graph:
    return grape.Graph.from_edges(*EDGES.T, N, y=y)


DEGREES = graph(np.zeros(N, int)).degrees


@pytest.mark.parametrize(
    ("y", "metric", "expected"),
    [
        (DEGREES * 10.5, None, "rmse"),
        (DEGREES * 10.5, "r2", "r2"),
        ([{"hub"} if d > 3 else {"leaf", "low"} for d in DEGREES], None, "micro-f1"),
        ((DEGREES > 4).astype(int), None, "roc-auc"),
        ((DEGREES > 2).astype(int), "macro-f1", "macro-f1"),
    ],
)
def test_genes_are_judged_by_the_metric(y, metric, expected, tmp_path) -> None:
    model = {"epochs": 5, **({"metric": metric} if metric else {})}
    settings = grape.SearchSettings(model=model, population=4, finalists=1)
    found = grape.search(graph(y), settings=settings, rounds=2, out=tmp_path / "s")
    assert found.history.metric == expected
    assert np.isfinite(found.validation_accuracy)
    assert found.validation_accuracy == max(
        each.validation_accuracy for each in found.history if each.fitness == "training"
    )
    kept = SearchFolder.open(tmp_path / "s").history
    assert kept.metric == expected
    for each in kept:
        # All metrics of a training; a ridge regression has the chosen one only.
        known = {metric.name for metric in metrics_of(graph(y).task)}
        assert set(each.figures) == (known if each.fitness == "training" else set())
        if each.figures:
            sign = -1 if METRICS[expected].is_error else 1
            assert sign * each.figures[expected] == pytest.approx(each.validation_accuracy)
    kind = grape.GrapeRegressor if expected in ("rmse", "r2") else grape.GrapeClassifier
    assert type(found.classifier()) is kind


def test_a_metric_of_another_task_is_refused() -> None:
    settings = grape.SearchSettings(model={"metric": "rmse"})
    with pytest.raises(ModelError, match="metric='rmse' is not for classification"):
        grape.search(graph(DEGREES % 2), settings=settings, rounds=1)
