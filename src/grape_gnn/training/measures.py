"""What predictions are worth, one function per figure, in plain NumPy.

All take the scores of a network, before softmax or sigmoid, and the labels in the form of their
task (`grape_gnn.graph.targets`): codes with scores of shape (nodes, classes); zeros and ones with
scores of shape (nodes, labels), where more than 0 means yes; numbers with numbers. They follow
scikit-learn's definitions. What is not defined for some nodes is `None`, as the area under the ROC
curve is where all are of one class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.training.ranking import average_precision_of, roc_auc_of

__all__ = [
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "calibration_error",
    "log_loss",
    "macro_f1",
    "mae",
    "micro_f1",
    "probabilities",
    "r2",
    "rmse",
    "roc_auc",
    "weighted_f1",
]  # fmt: skip

BINS = 15  # of the calibration error, as Guo et al. (ICML 2017) have them

Array = NDArray[Any]


def probabilities(scores: Array) -> NDArray[np.float64]:
    """Turn scores of classes into probabilities: the softmax of every row.

    Examples
    --------
    >>> probabilities(np.array([[0.0, 0.0], [0.0, np.log(3)]])).round(2).tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """
    powers = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def accuracy(scores: Array, labels: Array) -> float:
    """Share of the nodes whose highest score is their label's."""
    return float((scores.argmax(axis=1) == labels).mean())


def balanced_accuracy(scores: Array, labels: Array) -> float:
    """Mean over the classes of the share of their nodes that are found."""
    hits, _, nodes = _counts(scores, labels)
    return float((hits[nodes > 0] / nodes[nodes > 0]).mean())


def macro_f1(scores: Array, labels: Array) -> float:
    """Mean F1 of the classes that are labels or answers; of all labels if there are several."""
    hits, answers, nodes = _counts(scores, labels)
    seen = (answers + nodes > 0) | (labels.ndim == 2)
    return float(_f1(hits, answers, nodes)[seen].mean())


def weighted_f1(scores: Array, labels: Array) -> float:
    """Mean F1 of the classes, each with the weight of its nodes."""
    hits, answers, nodes = _counts(scores, labels)
    return float((_f1(hits, answers, nodes) * nodes).sum() / nodes.sum())


def micro_f1(scores: Array, labels: Array) -> float:
    """F1 over all pairs of a node and a label."""
    hits, answers, nodes = (each.sum(keepdims=True) for each in _counts(scores, labels))
    return float(_f1(hits, answers, nodes)[0])


def roc_auc(scores: Array, labels: Array) -> float | None:
    """Area under the ROC curve; of more than two classes, the mean of each against the rest."""
    return _mean_over_columns(roc_auc_of, scores, labels)


def average_precision(scores: Array, labels: Array) -> float | None:
    """Average precision of the rarer of two classes; of more, or of labels, the mean (mAP)."""
    if labels.ndim == 1 and scores.shape[1] == 2 and 2 * int((labels == 0).sum()) < labels.size:
        scores, labels = scores[:, ::-1], 1 - labels
    return _mean_over_columns(average_precision_of, scores, labels)


def log_loss(scores: Array, labels: Array) -> float:
    """Mean of minus the logarithm of the probability that the label was given."""
    shifted = scores.astype(np.float64) - scores.max(axis=1, keepdims=True)
    own = shifted[np.arange(labels.size), labels]
    return float((np.log(np.exp(shifted).sum(axis=1)) - own).mean())


def calibration_error(scores: Array, labels: Array) -> float:
    """How far probabilities are from the truth: the expected calibration error, in 15 bins.

    Nodes are sorted into bins by the probability of their answer. In each, it is the distance
    between the mean of these probabilities and the share of right answers; its mean over the nodes
    is the error.
    """
    shares = probabilities(scores)
    sure, right = shares.max(axis=1), shares.argmax(axis=1) == labels
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(place, sure - right, minlength=BINS)
    return float(np.abs(gaps).sum() / labels.size)


def rmse(scores: Array, labels: Array) -> float:
    """Root of the mean squared error, in the units of the labels."""
    return float(np.sqrt(np.square(scores - labels).mean()))


def mae(scores: Array, labels: Array) -> float:
    """Mean absolute error, in the units of the labels."""
    return float(np.abs(scores - labels).mean())


def r2(scores: Array, labels: Array) -> float | None:
    """Share of the variance that is explained: 0 for the mean of these nodes, 1 at best."""
    around = np.square(labels - labels.mean()).sum()
    return None if around == 0 else float(1 - np.square(scores - labels).sum() / around)


def _counts(scores: Array, labels: Array) -> tuple[Array, Array, Array]:
    """Return the right answers, all answers and all nodes of every class or label."""
    if labels.ndim == 2:
        found = scores > 0
        return (found & (labels == 1)).sum(axis=0), found.sum(axis=0), (labels == 1).sum(axis=0)
    width, found = scores.shape[1], scores.argmax(axis=1)
    right = found[found == labels]
    hits, answers, nodes = (np.bincount(each, minlength=width) for each in (right, found, labels))
    return hits, answers, nodes


def _f1(hits: Array, answers: Array, nodes: Array) -> Array:
    return np.asarray(2 * hits / np.maximum(answers + nodes, 1))


def _mean_over_columns(figure: Any, scores: Array, labels: Array) -> float | None:
    if labels.ndim == 2:
        columns = [(scores[:, k], labels[:, k] == 1) for k in range(labels.shape[1])]
    elif scores.shape[1] == 2:
        columns = [(scores[:, 1].astype(np.float64) - scores[:, 0], labels == 1)]
    else:
        shares = probabilities(scores)
        columns = [(shares[:, k], labels == k) for k in range(scores.shape[1])]
    found = [each for each in (figure(*column) for column in columns) if each is not None]
    return float(np.mean(found)) if found else None
