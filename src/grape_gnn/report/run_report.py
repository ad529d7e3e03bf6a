"""The report of a training: accuracy, learning curves, what was learnt, any node, how to repeat."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.explain import DecoupledExplanation, Explanation, explain_decoupled, explain_run
from grape_gnn.graph import Graph
from grape_gnn.nn import DECOUPLED
from grape_gnn.report.ego_data import EXPLORER_SCRIPTS, Answers, ego_data, first_node, has_classes
from grape_gnn.report.page import render
from grape_gnn.report.run_scores import run_scores
from grape_gnn.report.settings_table import settings_groups
from grape_gnn.report.template_cards import template_card
from grape_gnn.runs import RunFolder
from grape_gnn.runs.predictions import PARTS
from grape_gnn.template.palette import role_colour

__all__ = ["run_report"]

_SECTIONS = (
    ("accuracy", "Accuracy"),
    ("learning", "Learning"),
    ("templates", "Templates"),
    ("weights", "Weights"),
    ("importance", "Importance"),
    ("nodes", "Nodes"),
    ("repeat", "Settings"),
)


_SPOKEN_OF = 50_000  # nodes, about 3 MB of words
_EXPLORED = 10**7  # edges of a graph that is matched for the page
Learnt = Explanation | DecoupledExplanation


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
    graph, metrics = run.graph(), run.metrics
    decoupled = run.config["parameters"].get("preset") == DECOUPLED
    explored = not decoupled or graph.num_edges <= _EXPLORED
    if node is not None and not explored:
        raise ModelError(
            f"{run.path}: the page of a decoupled run on more than {_EXPLORED:,} edges shows no "
            f"nodes; leave out the node"
        )
    explanation = explain_decoupled(run.model(), graph) if decoupled else explain_run(run)
    by_class = has_classes(graph)
    data = _explorer(run, explanation, graph, node) if explored else None
    left_out = {"importance"} if decoupled else set()
    left_out |= {"nodes"} if data is None else set()
    return render(
        "run.html",
        scripts=EXPLORER_SCRIPTS if data is not None else ("charts.js", "save.js"),
        title=f"GRAPE on {run.source.title}",
        sections=[
            (key, "Scores" if key == "accuracy" and not by_class else title)
            for key, title in _SECTIONS
            if key not in left_out
        ],
        run=run,
        metrics=metrics,
        graph=graph,
        **run_scores(run),
        cards=[template_card(template) for template in explanation.templates],
        layers=explanation.layers,
        decoupled=decoupled,
        columns=["all hops"]
        if decoupled
        else [f"layer {number + 1}" for number in range(len(explanation.layers))],
        stacks=_stacks(explanation),
        occurs=explanation.occurs.any(axis=1).tolist(),
        classes=explanation.classes,
        **(_worth(explanation) if isinstance(explanation, Explanation) else {}),
        role_colour=role_colour,
        forms=sorted({weight.form for weight in explanation.layers[0].roles} - {"ego"}),
        data=data,
        templates=[{"name": t.name or t.text, "text": t.text} for t in explanation.templates],
        settings=settings_groups(run.config),
        command=run.config["command"],
    )


def _explorer(
    run: RunFolder, explanation: Learnt, graph: Graph, node: str | int | None
) -> dict[str, Any]:
    """Return the data of the explorer of nodes."""
    by_class = has_classes(graph)
    answers = _answers(run, explanation) if by_class else None
    tested = np.array([row.part == "test" for row in run.predictions()])
    start, first = _opening(explanation, graph, answers, tested, node)
    data = ego_data(
        graph,
        explanation.templates,
        answers,
        engine=run.config["parameters"].get("engine", "auto"),
        start=start,
    )
    data["first"] = first
    if not by_class and "edges" in data and graph.num_nodes <= _SPOKEN_OF:
        data["said"] = _said(run)
    return data


def _worth(explanation: Explanation) -> dict[str, Any]:
    """Return what the page says of the importance of roles and features."""
    return {
        "measure": explanation.measure,
        "importance": _importance_rows(explanation),
        "features": _feature_rows(explanation),
        "feature_columns": explanation.features.columns,
        "together": explanation.features.together,
        "by_class": _class_rows(explanation),
        "repeats": explanation.importance.repeats,
        "class_support": explanation.importance.support.tolist(),
    }


def _said(run: RunFolder) -> list[str]:
    """Return what is known of every node, and what the model says: a number or several labels."""
    words = []
    numbers = run.metrics["task"] == "regression"
    for row in run.predictions():
        said = _number(float(row.predicted)) if numbers else row.predicted or "no label"
        answers = [("label", row.label or "missing"), ("predicted", said)]
        part = [f"{'training' if row.part == 'train' else row.part} node"] if row.part else []
        words.append(" · ".join([*(f"{word} {text}" for word, text in answers), *part]))
    return words


def _number(value: float) -> str:
    """Write six digits, or a whole number: a model knows no more."""
    return f"{value:.6g}" if abs(value) < 1e5 else f"{value:.0f}"


def _answers(run: RunFolder, explanation: Learnt) -> Answers:
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
    explanation: Learnt,
    graph: Graph,
    answers: Answers | None,
    tested: NDArray[np.bool_],
    node: str | int | None,
) -> tuple[int, int]:
    """Return the node and the template that the explorer shows first: they have instances.

    The template is the one worth most among those with a cycle, if any has instances: by its
    importance, or, where that is not known, by its share. The node,
    unless it was given, is a test node: one that was answered right, with an ordinary degree, or,
    where answers are no classes, the best connected.
    """
    occurs = explanation.occurs
    worth: Any = explanation.layers[0].share
    if isinstance(explanation, Explanation):
        worth = explanation.importance.template_drop
    start = None if node is None else graph.index_of(node)
    there = occurs.any(axis=1) if start is None else occurs[:, start]
    closed = np.array([len(t.edges) >= t.num_nodes for t in explanation.templates])
    for wanted in (there & closed, there, np.ones_like(there)):
        if wanted.any():
            break
    first = max(np.flatnonzero(wanted).tolist(), key=lambda k: float(worth[k]))
    if start is None:
        shown = occurs[first] & tested if (occurs[first] & tested).any() else occurs[first]
        start = first_node(graph, answers, shown)
    return start, first


# ------------------------------------------------------------------ what was learnt


def _stacks(explanation: Learnt) -> list[list[dict[str, Any]]]:
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
        return {"drop": float(drop), "std": float(std), "size": 100 * abs(float(drop)) / largest}

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
        {"name": name, "drop": drop, "std": std, "size": 100 * abs(drop) / largest}
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
