"""What importance is measured by: accuracy of classes, micro F1 of labels, R2 of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.graph.targets import task_of
from grape_gnn.training.measures import micro_f1, r2

__all__ = ["MEASURES", "loss_of", "measured", "support_of"]

MEASURES = {"classification": "accuracy", "multi-label": "micro F1", "regression": "R2"}


def measured(scores: NDArray[Any], wanted: NDArray[Any], num_classes: int) -> NDArray[np.float64]:
    """Return the measure of all nodes, and then that of every class or label; numbers have none.

    Parameters
    ----------
    scores
        What the network computes for the nodes.
    wanted
        Their labels, in the form of the task; numbers in the units of the network.
    num_classes
        Number of classes or labels.

    Examples
    --------
    >>> measured(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([0, 1]), 2).tolist()
    [0.5, 1.0, 0.0]
    """
    task = task_of(wanted)
    if task == "regression":
        return np.array([_or_nothing(r2(scores.reshape(-1).astype(float), wanted))])
    if task == "multi-label":
        each = [micro_f1(scores[:, [k]], wanted[:, [k]]) for k in range(num_classes)]
        return np.array([_or_nothing(micro_f1(scores, wanted)), *map(_or_nothing, each)])
    support = support_of(wanted, num_classes)
    hits = np.bincount(wanted[scores.argmax(axis=1) == wanted], minlength=num_classes)
    classes = np.divide(hits, support, out=np.full(num_classes, np.nan), where=support > 0)
    return np.array([hits.sum() / wanted.size, *classes])


def support_of(wanted: NDArray[Any], num_classes: int) -> NDArray[np.int64]:
    """Return how many nodes have every class or label; numbers have none."""
    task = task_of(wanted)
    if task == "regression":
        return np.zeros(0, np.int64)
    if task == "multi-label":
        found: NDArray[np.int64] = np.count_nonzero(wanted > 0, axis=0).astype(np.int64)
        return found
    return np.bincount(wanted, minlength=num_classes).astype(np.int64)


def loss_of(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Return the loss of the task, for its gradient."""
    if wanted.ndim == 2:
        return torch.nn.functional.binary_cross_entropy_with_logits(scores, wanted.to(scores))
    if wanted.is_floating_point():
        return torch.nn.functional.mse_loss(scores.reshape(-1), wanted.to(scores))
    return torch.nn.functional.cross_entropy(scores, wanted)


def _or_nothing(figure: float | None) -> float:
    return float("nan") if figure is None else figure
