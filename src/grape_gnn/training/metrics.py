"""The metrics by name: what chooses epochs and settings, and what a trained model is scored by.

A *score* is the higher the better: for a metric that counts errors (log loss, RMSE, MAE) it is the
negative, as scikit-learn has it. `score_text` writes it as people know it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.arguments import one_of
from grape_gnn.errors import ModelError
from grape_gnn.graph.targets import task_of
from grape_gnn.training import measures

__all__ = [
    "METRICS", "Metric", "accuracy", "all_figures", "check_metric", "default_metric",
    "figure_text", "in_units", "metrics_of", "score", "score_text",
]  # fmt: skip

_CLASSES, _LABELS, _NUMBERS = "classification", "multi-label", "regression"
RARE = 0.3  # of two classes, if one has fewer nodes the accuracy says little


@dataclass(frozen=True)
class Metric:
    """A metric.

    Parameters
    ----------
    name, words
        What options call it, and how it is written in tables.
    figure
        Computes it from scores and labels; see `grape_gnn.training.measures`.
    tasks
        What it is for.
    percent
        Whether it is written in percent.
    is_error
        Whether lower is better.
    chooses
        Whether epochs and settings may be chosen by it.
    """

    name: str
    words: str
    figure: Callable[[NDArray[Any], NDArray[Any]], float | None]
    tasks: tuple[str, ...] = (_CLASSES,)
    percent: bool = True
    is_error: bool = False
    chooses: bool = True

    def title(self, task: str) -> str:
        """Return how a task calls it: the mean average precision of labels is their mAP."""
        return "mAP" if (self.name, task) == ("average-precision", _LABELS) else self.words


_ALL = (
    Metric("accuracy", "accuracy", measures.accuracy),
    Metric("balanced-accuracy", "balanced accuracy", measures.balanced_accuracy),
    Metric("micro-f1", "micro F1", measures.micro_f1, (_LABELS,)),
    Metric("macro-f1", "macro F1", measures.macro_f1, (_CLASSES, _LABELS)),
    Metric("weighted-f1", "weighted F1", measures.weighted_f1),
    Metric("roc-auc", "ROC AUC", measures.roc_auc, (_CLASSES, _LABELS)),
    Metric("average-precision", "average precision", measures.average_precision,
           (_CLASSES, _LABELS)),
    Metric("log-loss", "log loss", measures.log_loss, percent=False, is_error=True),
    Metric("calibration-error", "calibration error", measures.calibration_error,
           is_error=True, chooses=False),
    Metric("rmse", "RMSE", measures.rmse, (_NUMBERS,), percent=False, is_error=True),
    Metric("mae", "MAE", measures.mae, (_NUMBERS,), percent=False, is_error=True),
    Metric("r2", "R2", measures.r2, (_NUMBERS,), percent=False),
)  # fmt: skip
METRICS = {metric.name: metric for metric in _ALL}
"""All metrics, in the order of the tables."""


def metrics_of(task: str) -> list[Metric]:
    """Return the metrics of a task.

    Examples
    --------
    >>> [metric.name for metric in metrics_of("regression")]
    ['rmse', 'mae', 'r2']
    """
    return [metric for metric in _ALL if task in metric.tasks]


def check_metric(metric: str, task: str | None = None) -> None:
    """Raise `ModelError` unless a metric is known, can choose, and is for the task."""
    one_of("metric", metric, tuple(each.name for each in _ALL if each.chooses), error=ModelError)
    if task is not None and task not in METRICS[metric].tasks:
        offered = ", ".join(each.name for each in metrics_of(task) if each.chooses)
        raise ModelError(
            f"metric={metric!r} is not for {task} tasks, such as this one: use {offered}"
        )


def default_metric(y: NDArray[Any]) -> str:
    """Return what to choose by if nothing is said.

    Parameters
    ----------
    y
        The labels that are known.

    Returns
    -------
    str
        The accuracy, or the area under the ROC curve if one of two classes has fewer than 30% of
        the nodes; micro F1 for several labels; the root mean squared error for numbers.

    Examples
    --------
    >>> default_metric(np.array([0, 1, 1])), default_metric(np.array([0, 1, 1, 1, 1]))
    ('accuracy', 'roc-auc')
    """
    task = task_of(y)
    if task != _CLASSES:
        return "micro-f1" if task == _LABELS else "rmse"
    _, nodes = np.unique(y, return_counts=True)
    return "roc-auc" if nodes.size == 2 and nodes.min() < RARE * y.size else "accuracy"


def score(metric: str, scores: torch.Tensor, labels: torch.Tensor) -> float:
    """Score nodes by a metric: the higher the better, so errors are negative.

    Parameters
    ----------
    metric
        A name of `METRICS`.
    scores
        Of a network: shape (nodes, classes), (nodes, labels), or (nodes,) for numbers.
    labels
        Label of every node.

    Examples
    --------
    >>> scores = torch.tensor([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])
    >>> labels = torch.tensor([0, 0, 1])
    >>> round(score("accuracy", scores, labels), 2), score("roc-auc", scores, labels)
    (0.67, 1.0)
    """
    wanted, given = labels.detach().cpu().numpy(), scores.detach().cpu().numpy()
    check_metric(metric, task_of(wanted))
    chosen = METRICS[metric]
    found = chosen.figure(given, wanted)
    if found is None:
        why = "nodes of different labels" if chosen.percent else "numbers that differ"
        raise ModelError(f"{chosen.words} needs {why} to score on: use a larger part")
    return -found if chosen.is_error else found


def accuracy(scores: torch.Tensor, labels: torch.Tensor) -> float:
    """Share of the nodes whose highest score is their label's."""
    return (scores.argmax(dim=1) == labels).double().mean().item()


def all_figures(scores: NDArray[Any], labels: NDArray[Any]) -> dict[str, float | None]:
    """Return all metrics of the labels' task, by name, as people know them.

    Examples
    --------
    >>> all_figures(np.array([1.0, 3.0]), np.array([1.0, 2.0]))["mae"]
    0.5
    """
    return {each.name: each.figure(scores, labels) for each in metrics_of(task_of(labels))}


def in_units(metric: str, score: float) -> float:
    """Return a score as the number that tables and charts show: in percent, errors positive.

    Examples
    --------
    >>> in_units("accuracy", 0.5), in_units("rmse", -3.0)
    (50.0, 3.0)
    """
    chosen = METRICS[metric]
    return (100.0 if chosen.percent else 1.0) * (-score if chosen.is_error else score)


def figure_text(metric: str, figure: float | None, digits: int = 2) -> str:
    """Write a figure: in percent with so many digits, or as a number.

    Examples
    --------
    >>> figure_text("accuracy", 0.8125), figure_text("rmse", 1234.567), figure_text("r2", -1e-5)
    ('81.25%', '1,235', '0.0000')
    """
    if figure is None:
        return ""
    if METRICS[metric].percent:
        return f"{100 * figure:.{digits}f}%"
    if metric == "r2":  # that of the mean is next to nothing, and no -1.456e-05
        return f"{round(figure, 4) + 0.0:.4f}"
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.4g}"


def score_text(metric: str, score: float, digits: int = 2) -> str:
    """Write a score as people know the metric; digits are for percent.

    Examples
    --------
    >>> score_text("rmse", -2.5), score_text("roc-auc", 0.9)
    ('2.5', '90.00%')
    """
    return figure_text(metric, -score if METRICS[metric].is_error else score, digits)
