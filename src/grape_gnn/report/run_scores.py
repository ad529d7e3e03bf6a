"""How good a model is, for the report: figures of its task, mistakes, and how it learnt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from markupsafe import Markup

from grape_gnn.charts import Series, chart, number_text
from grape_gnn.report.intervals import wilson
from grape_gnn.runs import RunFolder
from grape_gnn.runs.scores import ClassScore, Scores
from grape_gnn.training import History
from grape_gnn.training.metrics import METRICS, Metric, figure_text, metrics_of

__all__ = ["run_scores"]

_LETTERS = 50  # of the labels side by side
_MOST_DOTS = 2000  # more make the page heavy, and hide each other
_LOSSES = {
    "classification": "cross-entropy (nats per {})",
    "multi-label": "cross-entropy (nats per label)",
    "regression": "squared error (of standardised numbers)",
}


def run_scores(run: RunFolder) -> dict[str, Any]:
    """Return what the page says of the scores of a run, by the names of its template."""
    metrics, history = run.metrics, run.history
    task = metrics["task"]
    chosen = METRICS[metrics["metric"]]
    by_class = task == "classification"
    validation, test = (metrics["figures"].get(part, {}) for part in ("validation", "test"))
    rows = []
    for metric in metrics_of(task):
        cells = [
            validation.get(metric.name),
            test.get(metric.name),
            metrics["baseline"].get(metric.name),
        ]
        if any(cell is not None for cell in cells):
            texts = ["" if cell is None else figure_text(metric.name, cell) for cell in cells]
            rows.append((metric.title(task), metric is chosen, texts))
    main = METRICS["accuracy"] if by_class else chosen
    return {
        "thing": run.sample,
        "things": f"{run.sample}s",
        "classified": by_class,
        "figures": rows,
        "main": main.title(task),
        "main_test": figure_text(main.name, test.get(main.name), 1),
        "main_validation": figure_text(main.name, validation.get(main.name), 1),
        "chosen": chosen.title(task),
        "interval": wilson(metrics["test_accuracy"], metrics["parts"]["test"])
        if by_class
        else None,
        "confusion": _confusion(metrics, run.sample) if by_class else None,
        "by_label": None if task == "regression" else _by_label(run),
        "scatter": Markup(_scatter(run)) if task == "regression" else None,
        "loss_chart": Markup(_loss_chart(history, _LOSSES[task].format(run.sample))),
        "score_chart": Markup(_score_chart(history, chosen)),
    }


def _confusion(metrics: dict[str, Any], sample: str) -> dict[str, Any]:
    """Return the rows and columns of classes that occur, as shares of the row."""
    counts = np.array(metrics["confusion"])
    names = [str(name) for name in metrics["classes"]]
    names += [f"(unknown {k})" for k in range(len(names), len(counts))]
    used = np.flatnonzero(counts.sum(axis=0) + counts.sum(axis=1))
    rows = []
    for i in used.tolist():
        total = max(1, int(counts[i].sum()))
        cells = [
            {
                "count": int(counts[i, j]),
                "shade": round(75 * counts[i, j] / total),
                "hit": i == j,
                "hint": f"{counts[i, j]} of {counts[i].sum()} {sample}s with label "
                f"{names[i]} were predicted {names[j]}",
            }
            for j in used.tolist()
        ]
        rows.append({"name": names[i], "cells": cells, "total": int(counts[i].sum())})
    return {
        "columns": [names[j] for j in used.tolist()],
        "rows": rows,
        # Names of many labels, or long ones, stand upright.
        "upright": sum(max(3, len(names[j])) for j in used.tolist()) > _LETTERS,
        "left_out": len(counts) - len(used),
    }


def _by_label(run: RunFolder) -> list[ClassScore]:
    """Return precision and recall of every class, or of every label of several."""
    metrics = run.metrics
    if metrics["task"] == "classification":
        counts = np.array(metrics["confusion"])
        names = tuple(metrics["classes"]) + ("?",) * (len(counts) - len(metrics["classes"]))
        return Scores(names, counts).classes
    rows = [row for row in run.predictions() if row.part == "test"]
    found = []
    for name in metrics["classes"]:
        has, told = (
            np.array([str(name) in text.split(";") for text in texts], dtype=int)
            for texts in zip(*((row.label, row.predicted) for row in rows), strict=True)
        )
        yes_or_no = np.zeros((2, 2), np.int64)
        np.add.at(yes_or_no, (has, told), 1)
        found.append(replace(Scores(("no", "yes"), yes_or_no).classes[1], label=name))
    return found


def _loss_chart(history: History, words: str) -> str:
    epochs = history.epochs
    return chart(
        [
            Series("training", [(k + 1, e.loss) for k, e in enumerate(epochs)], "first"),
            Series(
                "validation", [(k + 1, e.validation_loss) for k, e in enumerate(epochs)], "second"
            ),
        ],
        label="Loss by epoch, training and validation",
        x_axis="epoch",
        y_axis=words,
        mark=(history.best + 1, f"epoch {history.best + 1} kept"),
        y_range=(0.0, 0.0),
        whole_x=True,
    )


def _score_chart(history: History, metric: Metric) -> str:
    factor = (100.0 if metric.percent else 1.0) * (-1.0 if metric.is_error else 1.0)
    points = [(k + 1, factor * e.score) for k, e in enumerate(history.epochs)]
    return chart(
        [Series("validation", points, "first")],
        label=f"Validation {metric.words} by epoch",
        x_axis="epoch",
        y_axis=f"{metric.words} (%)" if metric.percent else metric.words,
        y_format="{:.3g}%".format if metric.percent else number_text,
        y_limits=(0.0, 100.0) if metric.percent else None,
        mark=(history.best + 1, f"epoch {history.best + 1} kept"),
        whole_x=True,
    )


def _scatter(run: RunFolder) -> str:
    """Draw what was predicted for every test node, or graph, by what is true."""
    rows = [row for row in run.predictions() if row.part == "test" and row.label]
    points = sorted((float(row.label), float(row.predicted)) for row in rows)
    ends = [points[0][0], points[-1][0]]
    step = -(-len(points) // _MOST_DOTS)
    name = f"test {run.sample}" + ("" if step == 1 else f", 1 in {step} drawn")
    return chart(
        [
            Series(name, points[::step], "point"),
            Series("right", [(end, end) for end in ends], "second"),
        ],
        label=f"Predicted numbers of the test {run.sample}s by the true ones",
        x_axis="true",
        y_axis="predicted",
    )
