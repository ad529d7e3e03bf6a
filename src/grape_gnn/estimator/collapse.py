"""A model that answers the same for every node: said at once, with the likely reason."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph.feature_matrix import Features
from grape_gnn.training import Split, is_constant
from grape_gnn.warn import warn

__all__ = ["likely_reason", "warn_of_one_answer"]

LARGE = 0.75  # share of a class that is answered for all nodes because of it
ROWS = 1 << 16  # nodes that tell the size of features
NEARLY = 0.99  # share of the answers that are as good as all
UNEVEN = 100.0  # features so much larger than others drown them


def warn_of_one_answer(
    outputs: NDArray[Any], labels: NDArray[Any], split: Split, x: Features
) -> None:
    """Warn if a trained model gives training and validation nodes the same answer.

    Of classes it is enough if nearly all nodes get the same, unless nearly all have it.

    Parameters
    ----------
    outputs
        What the network computes for every node.
    labels
        In the form of their task; only those of training nodes are read.
    split
        Training and validation nodes.
    x
        Node features.
    """
    found = outputs[split.train | split.validation]
    known = labels[split.train]
    if labels.dtype.kind == "f":
        if np.ptp(found) > 1e-3 * known.std():
            return
        what = f"predicts {found.mean():.4g} for all nodes"
    elif labels.ndim == 2:
        if ((found > 0) != (found[:1] > 0)).any():
            return
        what = "predicts the same labels for all nodes"
    else:
        counts = np.bincount(found.argmax(axis=1))
        share = float((known == counts.argmax()).mean())
        if counts.max() < counts.sum() and (counts.max() < NEARLY * counts.sum() or share > 0.95):
            return
        nearly = "nearly " * bool(counts.max() < counts.sum())
        what = (
            f"predicts one class for {nearly}all nodes, which {share:.0%} of the training nodes "
            f"have"
        )
    warn(f"the model {what}: {likely_reason(known, x)}")


def likely_reason(labels: NDArray[Any], x: Features) -> str:
    """Return why a model may answer the same for all nodes, and what to do.

    Examples
    --------
    >>> likely_reason(np.array([0] * 9 + [1]), np.eye(10))
    "the classes are uneven; try class_weight='balanced' and metric='macro-f1'"
    """
    sizes = abs(x[:: 1 + x.shape[0] // ROWS]).mean(axis=0)  # features may be larger than memory
    worst = int(sizes.argmax())
    if sizes[worst] > UNEVEN * max(1.0, float(np.median(sizes))) or sizes[worst] > 10 * UNEVEN:
        return (
            f"feature {worst} is {float(sizes[worst]):.3g} on average, much larger than others; "
            f"pass scaling=True"
        )
    if labels.dtype.kind != "f" and labels.ndim == 1:
        counts = np.bincount(labels)
        if counts.max() >= LARGE * counts.sum():
            return "the classes are uneven; try class_weight='balanced' and metric='macro-f1'"
    if labels.ndim == 2 and labels.mean() <= 1 - LARGE:
        return "labels are rare; try class_weight='balanced'"
    if is_constant(x):
        return (
            "all nodes have the same features, and the templates do not tell them apart; try "
            "other templates, or a search for some"
        )
    return "features and templates tell little of it; try more epochs or other templates"
