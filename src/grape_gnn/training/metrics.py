"""What a training is scored by: accuracy, or for two classes the area under the ROC curve.

The area is the probability that a node of class 1 gets a higher score than one of class 0, ties
counted half. With R the sum of the ranks of the P nodes of class 1 among all P + N (ties share
their mean rank), it is ``(R - P (P + 1) / 2) / (P N)``.
"""

from __future__ import annotations

import torch

from grape_gnn.arguments import one_of
from grape_gnn.errors import ModelError

__all__ = ["METRICS", "accuracy", "check_metric", "roc_auc", "score"]

METRICS = ("accuracy", "roc-auc")


def check_metric(metric: str, num_classes: int) -> None:
    """Raise `ModelError` unless a metric is known and fits the number of classes."""
    one_of("metric", metric, METRICS, error=ModelError)
    if metric == "roc-auc" and num_classes != 2:
        raise ModelError(
            f"metric='roc-auc' is for two classes, and there are {num_classes}: use 'accuracy'"
        )


def score(metric: str, scores: torch.Tensor, labels: torch.Tensor) -> float:
    """Score nodes by a metric.

    Parameters
    ----------
    metric
        One of `METRICS`.
    scores
        Shape (nodes, classes).
    labels
        Class of every node.

    Examples
    --------
    >>> scores = torch.tensor([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])
    >>> labels = torch.tensor([0, 0, 1])
    >>> round(score("accuracy", scores, labels), 2), score("roc-auc", scores, labels)
    (0.67, 1.0)
    """
    check_metric(metric, scores.shape[1])
    return accuracy(scores, labels) if metric == "accuracy" else roc_auc(scores, labels)


def accuracy(scores: torch.Tensor, labels: torch.Tensor) -> float:
    """Share of the nodes whose highest score is their label's."""
    return (scores.argmax(dim=1) == labels).double().mean().item()


def roc_auc(scores: torch.Tensor, labels: torch.Tensor) -> float:
    """Area under the ROC curve of class 1 against class 0.

    Parameters
    ----------
    scores
        Shape (nodes, 2); their difference is what ranks the nodes.
    labels
        0 or 1 for every node; both must occur.
    """
    positive = labels == 1
    p = int(positive.sum())
    n = positive.numel() - p
    if p == 0 or n == 0:
        raise ModelError("ROC AUC needs nodes of both classes to score on: use a larger part")
    margins = (scores[:, 1] - scores[:, 0]).double()
    _, place, sizes = margins.unique(return_inverse=True, return_counts=True)
    mean_ranks = sizes.cumsum(0) - (sizes - 1) / 2
    ranks = mean_ranks[place][positive].sum().item()
    return float((ranks - p * (p + 1) / 2) / (p * n))
