"""What an estimator learns: labels checked, and the split into training, validation and test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import number
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.targets import hide_labels, read_target
from grape_gnn.training import Split, as_mask, default_metric, random_split

__all__ = [
    "as_numbers", "check_labels", "check_parts", "choose_split", "class_weights", "complete_split",
    "metric_for",
    "node_numbers", "num_outputs", "refuse_numbers", "with_labels",
]  # fmt: skip

VALIDATION = 0.25  # of the training nodes, where a split names no validation nodes


def check_labels(graph: Graph) -> NDArray[Any]:
    """Return the labels in the form of their task, checked."""
    if graph.y is None:
        raise ModelError(
            "the graph has no labels to learn from: set y, or pass label= when you read it"
        )
    if graph.task == "classification":
        count = len(graph.label_names or ())
        wrong = (graph.y < -1) | (graph.y >= count)
        if wrong.any():
            node = int(np.argmax(wrong))
            raise ModelError(
                f"label code {graph.y[node]} of node {node} is out of range: there are {count} "
                f"classes, and -1 for missing"
            )
    return graph.y


def num_outputs(graph: Graph) -> int:
    """Return how many numbers a network computes for a node: classes, labels, or 1."""
    return 1 if graph.task == "regression" else len(graph.label_names or ())


def class_weights(given: Any, graph: Graph) -> str | tuple[float, ...] | None:
    """Return weights by label in the order of the classes; anything else as it is.

    Parameters
    ----------
    given
        What the user gave as `class_weight`.
    graph
        With the labels.

    Examples
    --------
    >>> class_weights({"blue": 3}, Graph.from_edges([0], [1], y=["blue", "red"]))
    (3.0, 1.0)
    """
    if not isinstance(given, Mapping):
        return given if given is None else str(given)
    labels = graph.label_names or ()
    # Files of JSON know texts as keys only, and labels of a graph are either numbers or texts.
    place: dict[Any, int] = {**{str(label): k for k, label in enumerate(labels)},
             **{label: k for k, label in enumerate(labels)}}  # fmt: skip
    weights = [1.0] * len(labels)
    for label, weight in given.items():
        if label not in place:
            offered = ", ".join(map(repr, labels[:8])) + (", ..." if len(labels) > 8 else "")
            raise ModelError(
                f"class_weight has {label!r}, which is no label of the graph: it has {offered}"
                if labels
                else "class_weight is for classes, and the labels are numbers"
            )
        number(f"class_weight[{label!r}]", weight, above=0, error=ModelError)
        weights[place[label]] = float(weight)
    return tuple(weights)


def refuse_numbers(graph: Graph) -> Graph:
    """Refuse numbers as classes."""
    if graph.task == "regression":
        raise ModelError(
            "the labels are numbers: use GrapeRegressor, or make the graph with "
            "task='classification' if they are the names of classes"
        )
    return graph


def as_numbers(graph: Graph, otherwise: str = "GrapeClassifier") -> Graph:
    """Take whole numbers that were read as classes for the numbers that they are."""
    if graph.y is None or graph.task == "regression":
        return graph
    names = graph.label_names or ()
    if graph.task == "multi-label" or not all(isinstance(name, int) for name in names):
        raise ModelError(
            f"a regression needs numbers, and the labels are {graph.task}, such as "
            f"{names[0] if names else None!r}: use {otherwise}"
        )
    numbers = np.array([*names, np.nan], dtype=np.float64)[graph.y]
    return replace(graph, y=numbers, label_names=None)


def node_numbers(nodes: Any, num_nodes: int) -> NDArray[np.int64]:
    """Return node numbers given as scikit-learn gives samples: a list, an array, one column.

    Examples
    --------
    >>> node_numbers([[3], [1]], 4).tolist()
    [3, 1]
    """
    values = np.asarray(nodes)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.dtype.kind == "c":
        raise ModelError("Complex data not supported: X are node numbers")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ModelError("X has NaN or inf: it must be node numbers")
    if values.ndim != 1 or values.dtype.kind not in "iuf":
        raise ModelError(
            f"with graph= the samples X are node numbers, a list or one column, got shape "
            f"{values.shape} and dtype {values.dtype}; graph.index_of has the number of a name"
        )
    numbers = values.astype(np.int64)
    if values.size and numbers.min() < 0:
        raise ModelError(f"Negative values in data: X are node numbers, 0..{num_nodes - 1}")
    strange = (numbers != values) | (numbers >= num_nodes)
    if strange.any():
        raise ModelError(f"X has {values[strange][0]:.15g}: nodes are numbered 0..{num_nodes - 1}")
    return numbers


def with_labels(graph: Graph, nodes: NDArray[np.int64], y: Any, task: str | None) -> Graph:
    """Return the graph with labels for some nodes and for no others.

    Parameters
    ----------
    graph
        The graph.
    nodes
        Numbers of the nodes.
    y
        Their labels; None: those that they have.
    task
        What the labels are; None: classes, or several labels.
    """
    if y is None:
        chosen = np.zeros(graph.num_nodes, dtype=bool)
        chosen[nodes] = True
        return replace(graph, y=hide_labels(check_labels(graph), chosen), splits=())
    values = np.asarray(y) if hasattr(y, "__array__") else as_objects(y)
    if len(values) != nodes.size:
        raise ModelError(f"{nodes.size} nodes and {len(values)} labels: give one label for each")
    if values.ndim == 2 and values.shape[1] > 1:
        rows = np.full((graph.num_nodes, values.shape[1]), np.nan)
        rows[nodes] = values
        known = graph.label_names if graph.task == "multi-label" else None
        found, names = read_target(rows, graph.num_nodes, "multi-label", known)
    else:
        listed = np.full(graph.num_nodes, None, dtype=object)
        listed[nodes] = values.ravel().tolist() if values.dtype != object else values.ravel()
        several = any(isinstance(each, list | tuple | set | frozenset) for each in listed)
        if task is None and any(isinstance(each, float) and each % 1 for each in listed):
            raise ModelError(
                "Unknown label type: the labels y are numbers with a fraction; use GrapeRegressor"
            )
        task = task or ("multi-label" if several else "classification")
        found, names = read_target(listed, graph.num_nodes, task)
    return replace(graph, y=found, label_names=names, splits=())


def choose_split(
    graph: Graph, train_mask: Any, val_mask: Any, split: int | str, seed: int, sample: str = "node"
) -> Split:
    """Return the split by the masks that were given, by one that the graph has, or at random.

    Parameters
    ----------
    graph
        With labels: nodes without one are in no part.
    train_mask, val_mask
        What the user gave; both or neither.
    split
        Which of the graph's own splits; ``"random"``: none of them.
    seed
        Of a random 60/20/20 split, and of validation nodes where a split has none.
    sample
        What is labelled, for messages.
    """
    known = graph.labelled
    if (train_mask is None) != (val_mask is None):
        raise ModelError("give both train_mask and val_mask, or neither for a random split")
    if train_mask is not None:
        training = as_mask(train_mask, known.size, "train_mask") & known
        validation = as_mask(val_mask, known.size, "val_mask") & known
        if (training & validation).any():
            raise ModelError(
                f"train_mask and val_mask share {int((training & validation).sum())} {sample}s: "
                f"make them disjoint"
            )
        return Split(training, validation, known & ~training & ~validation)
    if isinstance(split, str) and split.isdecimal():  # as it is typed
        split = int(split)
    if split == "random" or not graph.splits:
        if split not in ("random", 0):
            raise ModelError(f"split={split!r}: the graph comes without splits; leave it out")
        return random_split(check_labels(graph), seed)
    if isinstance(split, str) or not 0 <= split < len(graph.splits):
        raise ModelError(
            f"split={split!r}: the graph comes with {len(graph.splits)} splits; give a number "
            f"from 0 to {len(graph.splits) - 1}, or 'random'"
        )
    return complete_split(graph, graph.splits[split], seed)


def complete_split(graph: Graph, split: Split, seed: int) -> Split:
    """Return a given split without nodes that have no label, and with validation nodes.

    Where it names none, a quarter of the training nodes is drawn for it; where it names no test
    nodes, all others are.
    """
    known = graph.labelled
    training, validation = split.train & known, split.validation & known
    if not split.validation.any():
        drawn = random_split(
            hide_labels(check_labels(graph), training), seed, (1 - VALIDATION, VALIDATION, 0.0)
        )
        training, validation = drawn.train, drawn.validation
    test = split.test & known if split.test.any() else known & ~training & ~validation
    return Split(training, validation, test)


def metric_for(labels: NDArray[Any], split: Split) -> str:
    """Return what chooses an epoch if nothing is said, and can on these validation nodes."""
    metric = default_metric(labels[split.train])
    validation = labels[split.validation]
    # Of one class alone there is no area under the ROC curve.
    return "accuracy" if metric == "roc-auc" and np.ptp(validation) == 0 else metric


def check_parts(labels: NDArray[Any], split: Split, sample: str = "node") -> None:
    """Refuse a split that nothing can be learnt from."""
    for name, part in (("training", split.train), ("validation", split.validation)):
        if not part.any():
            raise ModelError(
                f"the {name} part is empty: the {name} mask has no {sample} with a label"
            )
    training = labels[split.train]
    if (training == training[:1]).all():
        one = "one class only" if labels.dtype.kind != "f" and labels.ndim == 1 else "all the same"
        raise ModelError(
            f"the training {sample}s have {one}: there is nothing to learn; check the labels and "
            f"the training mask"
        )
