"""All figures of a trained model: what a run folder keeps and ``grape evaluate`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.graph.targets import labelled_nodes
from grape_gnn.runs.scores import score_labels
from grape_gnn.training import all_figures

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator
    from grape_gnn.graph import Graph

__all__ = ["part_figures"]


def part_figures(
    model: GrapeEstimator, graph: Graph, outputs: NDArray[Any], nodes: NDArray[np.bool_]
) -> dict[str, Any]:
    """Score some nodes of a graph.

    Parameters
    ----------
    model
        A fitted model.
    graph
        With labels.
    outputs
        What `GrapeEstimator.outputs` gives for the graph.
    nodes
        Which nodes; those without a label are left out.

    Returns
    -------
    dict
        ``nodes``, the metrics by name as ``figures``, and what an answer that looks at nothing
        gets as ``baseline``: the largest class, or the mean of the training labels. For classes
        also ``labels``, ``confusion`` and ``classes``; for several labels ``classes``.
    """
    chosen = nodes & graph.labelled
    if not chosen.any():
        raise ModelError("there is no labelled node to score on: give labels")
    wanted, found = model.codes(graph)[chosen], outputs[chosen]
    seen = labelled_nodes(wanted)  # a class that the model does not know is always wrong
    figures = all_figures(found[seen], wanted[seen]) if seen.any() else {}
    scored: dict[str, Any] = {"nodes": int(chosen.sum()), "figures": figures}
    if model.task_ == "regression":
        mean = np.full(wanted.shape, model._units[0])
        return {**scored, "baseline": all_figures(mean, wanted)}
    if model.task_ == "multi-label":
        return {**scored, "classes": _label_rows(model.labels_, found > 0, wanted == 1)}
    names = np.array(graph.label_names, dtype=object)[np.asarray(graph.y)[chosen]]
    answers = [model.labels_[code] for code in found.argmax(axis=1)]
    scores = score_labels(names.tolist(), answers, model.labels_)
    figures["accuracy"] = scores.accuracy
    baseline = {"accuracy": scores.majority_share}
    return {**scored, **scores.to_json(), "figures": figures, "baseline": baseline}


def _label_rows(
    labels: tuple[Any, ...], found: NDArray[np.bool_], wanted: NDArray[np.bool_]
) -> list[dict[str, Any]]:
    rows = []
    for column, label in enumerate(labels):
        hits = int((found & wanted)[:, column].sum())
        answers, nodes = int(found[:, column].sum()), int(wanted[:, column].sum())
        rows.append({
            "label": label,
            "precision": hits / answers if answers else None,
            "recall": hits / nodes if nodes else None,
            "f1": 2 * hits / (answers + nodes) if answers + nodes else None,
            "nodes": nodes,
        })  # fmt: skip
    return rows
