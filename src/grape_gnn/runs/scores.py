"""How good predictions are: accuracy, precision and recall by class, the confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError

__all__ = ["ClassScore", "Scores", "score_labels"]

Label = str | int


@dataclass(frozen=True)
class ClassScore:
    """Precision, recall, their harmonic mean (F1) and the number of nodes of one class.

    Precision is the share of the nodes predicted to be in it that are, None if there is none;
    recall is the share of the nodes in it that are found, None if no node is.
    """

    label: Label
    precision: float | None
    recall: float | None
    f1: float | None
    nodes: int


@dataclass(frozen=True)
class Scores:
    """Predictions against labels.

    Parameters
    ----------
    labels
        The classes of the model, then labels it does not know.
    confusion
        ``confusion[i, j]`` nodes with label ``i`` were predicted to be of class ``j``.
    """

    labels: tuple[Label, ...]
    confusion: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """Number of nodes scored."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of the nodes predicted right."""
        return float(np.trace(self.confusion)) / self.nodes

    @property
    def majority_share(self) -> float:
        """Share of the largest class: the accuracy of always answering it."""
        return float(self.confusion.sum(axis=1).max()) / self.nodes

    @property
    def classes(self) -> list[ClassScore]:
        """Precision, recall and F1 of every class."""
        hits = np.diag(self.confusion)
        answers, nodes = self.confusion.sum(axis=0), self.confusion.sum(axis=1)
        found = []
        for k, label in enumerate(self.labels):
            precision = float(hits[k] / answers[k]) if answers[k] else None
            recall = float(hits[k] / nodes[k]) if nodes[k] else None
            f1 = float(2 * hits[k] / (answers[k] + nodes[k])) if answers[k] + nodes[k] else None
            found.append(ClassScore(label, precision, recall, f1, int(nodes[k])))
        return found

    @property
    def macro_f1(self) -> float:
        """Mean F1 of the classes that are labels or answers, each counting the same."""
        return float(np.mean([entry.f1 for entry in self.classes if entry.f1 is not None]))

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return {
            "nodes": self.nodes,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "majority_share": self.majority_share,
            "classes": [vars(entry) for entry in self.classes],
            "labels": list(self.labels),
            "confusion": self.confusion.tolist(),
        }


def score_labels(
    wanted: Sequence[Label], predicted: Sequence[Label], classes: Sequence[Label]
) -> Scores:
    """Compare predictions with labels.

    Parameters
    ----------
    wanted
        The labels.
    predicted
        What the model says, in the same order.
    classes
        The classes of the model. Other labels can only be predicted wrong.

    Examples
    --------
    >>> scores = score_labels(["a", "a", "b", "c"], ["a", "b", "b", "a"], ["a", "b"])
    >>> scores.accuracy, scores.labels
    (0.5, ('a', 'b', 'c'))
    >>> scores.confusion.tolist()
    [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    >>> scores.classes[0]
    ClassScore(label='a', precision=0.5, recall=0.5, f1=0.5, nodes=2)
    """
    if not len(wanted):
        raise ModelError("there is no labelled node to score on: give labels")
    known = [_plain(label) for label in classes]
    others = {_plain(label) for label in wanted} - set(known)
    labels = (*known, *sorted(others, key=str))
    code = {label: k for k, label in enumerate(labels)}
    confusion = np.zeros((len(labels), len(labels)), np.int64)
    rows = [code[_plain(label)] for label in wanted]
    columns = [code[_plain(label)] for label in predicted]
    np.add.at(confusion, (rows, columns), 1)
    return Scores(labels, confusion)


def _plain(label: Any) -> Label:
    """Turn NumPy's texts and integers into Python's."""
    return str(label) if isinstance(label, str) else int(label)
