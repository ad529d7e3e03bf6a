"""The report of a training: accuracy, learning curves, what was learnt, any node, how to repeat."""

from __future__ import annotations

import math
import shlex
from typing import Any

import numpy as np
from markupsafe import Markup

from grape_gnn.charts import Series, chart
from grape_gnn.errors import ModelError
from grape_gnn.explain import Explanation, explain_run
from grape_gnn.graph import Graph
from grape_gnn.report.ego_data import EXPLORER_SCRIPTS, Answers, ego_data, first_node
from grape_gnn.report.intervals import wilson
from grape_gnn.report.page import render
from grape_gnn.report.settings_table import settings_groups
from grape_gnn.report.template_cards import template_card
from grape_gnn.runs import RunFolder
from grape_gnn.runs.predictions import PARTS
from grape_gnn.runs.scores import Scores
from grape_gnn.template.palette import role_colour
from grape_gnn.training import METRICS, History, figure_text, metrics_of

__all__ = ["run_report"]

_LETTERS = 50  # of the labels side by side
_SECTIONS = (
    ("accuracy", "Accuracy"),
    ("learning", "Learning"),
    ("templates", "Templates"),
    ("weights", "Weights"),
    ("importance", "Importance"),
    ("nodes", "Nodes"),
    ("repeat", "Settings"),
)


def run_report(run: RunFolder, *, node: str | int | None = None) -> str:
    """Return the page about a training.

    Parameters
    ----------
    run
        A finished run folder.
    node
        The node that the explorer shows first; None: an ordinary test node.
    """
    if run.metrics["task"] == "classification" and run.metrics["test_accuracy"] is None:
        raise ModelError(
            f"{run.path}: the split of this run has no test nodes to report on; train with another"
        )
    explanation = explain_run(run)
    graph, metrics = run.graph(), run.metrics
    answers = _answers(run, explanation)
    start, first = _opening(explanation, graph, answers, node)
    data = ego_data(
        graph,
        explanation.templates,
        answers,
        engine=run.config["parameters"].get("engine", "auto"),
        start=start,
    )
    data["first"] = first
    return render(
        "run.html",
        scripts=EXPLORER_SCRIPTS,
        title=f"GRAPE on {run.source.title}",
        sections=_SECTIONS,
        run=run,
        metrics=metrics,
        graph=graph,
        interval=wilson(metrics["test_accuracy"], metrics["parts"]["test"]),
        confusion=_confusion(metrics),
        scores=_scores(metrics),
        figures=_figures(metrics),
        chosen_by=METRICS[metrics["metric"]].words,
        loss_chart=Markup(_loss_chart(run.history)),
        accuracy_chart=Markup(_accuracy_chart(run.history)),
        cards=[template_card(template) for template in explanation.templates],
        layers=explanation.layers,
        stacks=_stacks(explanation),
        importance=_importance_rows(explanation),
        features=_feature_rows(explanation),
        feature_columns=explanation.features.columns,
        together=explanation.features.together,
        occurs=explanation.occurs.any(axis=1).tolist(),
        by_class=_class_rows(explanation),
        classes=explanation.classes,
        repeats=explanation.importance.repeats,
        class_support=explanation.importance.support.tolist(),
        role_colour=role_colour,
        forms=sorted({weight.form for weight in explanation.layers[0].roles} - {"ego"}),
        data=data,
        settings=settings_groups(run.config),
        command=shlex.join(map(str, run.config["command"])),
    )


def _figures(metrics: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return a row for every metric: its name, and its figure on validation and test nodes."""
    parts = [metrics["figures"].get(part, {}) for part in ("validation", "test")]
    return [
        (metric.words, *(figure_text(metric.name, part.get(metric.name)) for part in parts))
        for metric in metrics_of(metrics["task"])
    ]


def _answers(run: RunFolder, explanation: Explanation) -> Answers:
    rows = run.predictions()
    code_of = {str(label): code for code, label in enumerate(explanation.classes)}
    part_of = {part: number for number, part in enumerate(PARTS)}
    return Answers(
        classes=explanation.classes,
        predicted=np.array([code_of[row.predicted] for row in rows], dtype=np.int64),
        probability=np.array([row.probability for row in rows]),
        part=np.array([part_of.get(row.part, -1) for row in rows], dtype=np.int64),
    )


def _opening(
    explanation: Explanation, graph: Graph, answers: Answers, node: str | int | None
) -> tuple[int, int]:
    """Return the node and the template that the explorer shows first: they have instances.

    The template is the one worth most among those with a cycle, if any has instances. The node,
    unless it was given, is a test node that was answered right, with an ordinary degree.
    """
    occurs, drop = explanation.occurs, explanation.importance.template_drop
    start = None if node is None else graph.index_of(node)
    there = occurs.any(axis=1) if start is None else occurs[:, start]
    closed = np.array([len(t.edges) >= t.num_nodes for t in explanation.templates])
    for wanted in (there & closed, there, np.ones_like(there)):
        if wanted.any():
            break
    first = max(np.flatnonzero(wanted).tolist(), key=lambda k: float(drop[k]))
    return first_node(graph, answers, occurs[first]) if start is None else start, first


# ------------------------------------------------------------------ accuracy


def _confusion(metrics: dict[str, Any]) -> dict[str, Any]:
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
                "hint": f"{counts[i, j]} of {counts[i].sum()} nodes with label {names[i]} "
                f"were predicted {names[j]}",
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


def _scores(metrics: dict[str, Any]) -> Scores:
    counts = np.array(metrics["confusion"])
    labels = tuple(metrics["classes"]) + ("?",) * (len(counts) - len(metrics["classes"]))
    return Scores(labels, counts)


# ------------------------------------------------------------------ learning


def _loss_chart(history: History) -> str:
    epochs = history.epochs
    return chart(
        [
            Series("training", [(k + 1, e.loss) for k, e in enumerate(epochs)], "first"),
            Series(
                "validation", [(k + 1, e.validation_loss) for k, e in enumerate(epochs)], "second"
            ),
        ],
        label="Cross-entropy by epoch, training and validation",
        x_axis="epoch",
        y_axis="cross-entropy (nats per node)",
        y_format="{:.3g}".format,
        mark=(history.best + 1, f"epoch {history.best + 1} kept"),
        y_range=(0.0, 0.0),
    )


def _accuracy_chart(history: History) -> str:
    points = [(k + 1, 100 * (e.validation_accuracy or 0.0)) for k, e in enumerate(history.epochs)]
    return chart(
        [Series("validation", points, "first")],
        label="Validation accuracy by epoch",
        x_axis="epoch",
        y_axis="nodes predicted right (%)",
        y_format="{:.3g}%".format,
        mark=(history.best + 1, f"epoch {history.best + 1} kept"),
    )


# ------------------------------------------------------------------ what was learnt


def _stacks(explanation: Explanation) -> list[list[dict[str, Any]]]:
    """For every template and layer the shares of its roles, the forms of a role together."""
    rows = []
    for template in range(len(explanation.templates)):
        cells = []
        for layer in explanation.layers:
            weights = [w for w in layer.roles if w.template == template]
            shares: dict[int, float] = {}
            for weight in weights:
                shares[weight.role] = shares.get(weight.role, 0.0) + weight.share
            cells.append({"shares": shares, "weights": weights})
        rows.append(cells)
    return rows


def _importance_rows(explanation: Explanation) -> list[dict[str, Any]]:
    found = explanation.importance
    largest = max(
        0.01, float(np.abs(found.template_drop).max()), float(np.abs(found.role_drop).max())
    )

    def bar(drop: float, std: float) -> dict[str, Any]:
        return {"drop": float(drop), "std": float(std), "size": 70 * abs(float(drop)) / largest}

    rows = []
    for k, template in enumerate(explanation.templates):
        roles = []
        for role in range(1, template.num_roles):
            number = explanation.role_number(k, role)
            roles.append({"role": role, **bar(found.role_drop[number], found.role_std[number])})
        rows.append({**bar(found.template_drop[k], found.template_std[k]), "roles": roles})
    return rows


def _feature_rows(explanation: Explanation) -> list[dict[str, Any]]:
    found = explanation.features
    largest = max(0.01, float(np.abs(found.drop).max(initial=0.0)))
    return [
        {"name": name, "drop": drop, "std": std, "size": 70 * abs(drop) / largest}
        for name, drop, std in zip(
            found.names, found.drop.tolist(), found.std.tolist(), strict=True
        )
    ]


def _class_rows(explanation: Explanation) -> list[list[dict[str, Any] | None]]:
    """Cells of accuracy lost by template and class; None for classes without a node."""
    drop = explanation.importance.class_drop
    enough = explanation.importance.support >= 1
    largest = max(0.05, float(np.abs(drop[:, enough]).max(initial=0.0)))
    return [
        [
            None
            if math.isnan(value)
            else {"drop": value, "shade": round(75 * abs(value) / largest), "cold": value < 0}
            for value in row
        ]
        for row in drop.tolist()
    ]
