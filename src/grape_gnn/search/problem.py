"""What all evaluations of a search share: the graph, the split and the model's settings.

The labels of test nodes are erased before anything else happens. No method of search can look at
them, by mistake or otherwise: they are not there.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import SearchError
from grape_gnn.features import encoded
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.targets import hide_labels

__all__ = ["Problem", "make_problem"]

_OURS = ("templates", "engine", "seed", "graph")  # parameters that the search sets


@dataclass(frozen=True, eq=False)
class Problem:
    """A graph without test labels, and how GRAPE is trained on it.

    Parameters
    ----------
    graph
        The graph; only training and validation nodes have labels.
    train, validation
        Masks over the nodes.
    model
        Parameters of `GrapeClassifier`.
    weighting
        Of the role matrices, as the model's preset needs it.
    data
        Fingerprint of graph, features, visible labels and split.
    metric
        What genes are judged by on the validation nodes.
    """

    graph: Graph
    train: NDArray[np.bool_]
    validation: NDArray[np.bool_]
    model: dict[str, Any]
    weighting: str
    data: str
    metric: str = "accuracy"


def make_problem(
    graph: GraphLike,
    model: Mapping[str, Any],
    seed: int,
    train_mask: Any = None,
    val_mask: Any = None,
) -> Problem:
    """Split the graph, check it, and erase what the search must not see.

    Parameters
    ----------
    graph
        A graph with labels.
    model
        Parameters of `GrapeClassifier`; templates, engine and seed are the search's.
    seed
        Seed of the random split: `GrapeClassifier` with this seed has the same one.
    train_mask, val_mask
        Masks or lists of nodes instead of a random split.

    Examples
    --------
    >>> g = Graph.from_edges(range(9), range(1, 10), y=[0, 1] * 5)
    >>> problem = make_problem(g, {"epochs": 20}, seed=0)
    >>> int((problem.graph.y >= 0).sum()), int(problem.validation.sum())
    (8, 2)
    """
    from grape_gnn.estimator import GrapeClassifier
    from grape_gnn.estimator.input import node_features
    from grape_gnn.estimator.target import check_labels, check_parts, choose_split, metric_for
    from grape_gnn.nn import find_preset
    from grape_gnn.training import check_metric

    known = inspect.signature(GrapeClassifier).parameters
    _check_model(model, list(known))
    model = {"epochs": known["epochs"].default, **model}
    graph = as_graph(graph)
    labels = check_labels(graph)
    split = choose_split(graph, train_mask, val_mask, model.get("split", 0), seed)
    check_parts(labels, split)
    metric = model.get("metric") or metric_for(labels, split)
    check_metric(metric, graph.task)
    graph = encoded(graph, split.train, scaling=model.get("scaling") is not False)
    node_features(graph)  # complains of features that are not finite
    erased = replace(graph, y=hide_labels(labels, split.train | split.validation), splits=())
    preset = find_preset(model.get("preset", "default"))
    data = checksum(erased, erased.x, erased.y, split.train, split.validation)
    model = {name: value for name, value in model.items() if name not in ("split", "metric")}
    parts = split.train, split.validation
    return Problem(erased, *parts, model, preset.weighting, data, metric)


def _check_model(model: Mapping[str, Any], known: list[str]) -> None:
    for name in model:
        if name in _OURS:
            raise SearchError(f"model has {name!r}, which the search sets itself: leave it out")
        if name not in known:
            offered = ", ".join(k for k in known if k not in _OURS)
            raise SearchError(
                f"model has {name!r}, which GrapeClassifier does not know: it has {offered}"
            )
    try:
        json.dumps(dict(model))
    except TypeError as error:
        raise SearchError(f"model must be plain numbers and texts: {error}") from error
