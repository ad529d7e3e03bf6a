"""All figures of a trained model: what a run folder keeps and ``grape evaluate`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.graph.targets import labelled_nodes
from grape_gnn.runs.predictions import PARTS
from grape_gnn.runs.scores import score_labels
from grape_gnn.training import all_figures

if TYPE_CHECKING:
    from grape_gnn.estimator.fitted import FittedModel
    from grape_gnn.graph import Graph
    from grape_gnn.graphs import GraphSet

__all__ = ["part_figures", "run_metrics"]


def part_figures(
    model: FittedModel,
    graph: Graph | GraphSet,
    outputs: NDArray[Any],
    nodes: NDArray[np.bool_],
) -> dict[str, Any]:
    """Score some nodes of a graph, or some graphs of a set.

    Parameters
    ----------
    model
        A fitted model.
    graph
        With labels.
    outputs
        What the model's `outputs` gives for it.
    nodes
        Which nodes, or graphs; those without a label are left out.

    Returns
    -------
    dict
        ``nodes``, the metrics by name as ``figures``, and what an answer that looks at nothing
        gets as ``baseline``: the largest class, or the mean of the training labels. For classes
        also ``labels``, ``confusion`` and ``classes``; for several labels ``classes``.
    """
    chosen = nodes & graph.labelled
    if not chosen.any():
        raise ModelError(f"there is no labelled {model.sample} to score on: give labels")
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


def run_metrics(
    model: FittedModel,
    graph: Graph | GraphSet,
    outputs: NDArray[Any],
    seconds: float,
    resumed: bool,
) -> dict[str, Any]:
    """Return what a run folder keeps of its model's scores and training.

    Parameters
    ----------
    model
        Just fitted.
    graph, outputs
        What it was fitted to, and what it says of it.
    seconds, resumed
        How long that took; whether a checkpoint was there before.
    """
    parts = {part: getattr(model.split_, part) for part in PARTS}
    scored = {
        part: part_figures(model, graph, outputs, parts[part])
        for part in ("validation", "test")
        if parts[part].any()
    }
    test = scored.get("test", {})
    found = {
        "task": model.task_,
        "metric": model.metric_,
        "figures": {part: each["figures"] for part, each in scored.items()},
        "baseline": test.get("baseline", {}),
        "best_epoch": model.history_.best,
        "epochs": len(model.history_.epochs),
        "seconds": seconds,
        "resumed": resumed,
        "weights": model.num_weights,
        "parts": {part: int(mask.sum()) for part, mask in parts.items()},
    }
    if model.task_ == "regression":
        return found
    found["classes"] = list(model.labels_)
    if model.task_ == "classification":
        count = len(model.labels_)
        found |= {
            "validation_accuracy": scored["validation"]["figures"]["accuracy"],
            "test_accuracy": test["figures"]["accuracy"] if test else None,
            "majority_share": test.get("majority_share"),
            "confusion": test.get("confusion", [[0] * count] * count),
        }
    return found


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
