"""The report of a training on many graphs: scores, learning, what roles are worth, some graphs.

Every graph that is shown is drawn with the roles of one template in colour: the one whose role the
answer would lose most by, around the node where it does (`grape_gnn.explain.explain_graph`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from markupsafe import Markup

from grape_gnn.drawing.figure import draw_ego
from grape_gnn.errors import ModelError
from grape_gnn.explain import GraphExplanation, RoleEffect, explain_graph, role_worth
from grape_gnn.report.page import render
from grape_gnn.report.run_scores import run_scores
from grape_gnn.report.settings_table import settings_groups
from grape_gnn.report.template_cards import template_card
from grape_gnn.runs.graph_run import GraphRun
from grape_gnn.runs.predictions import Prediction
from grape_gnn.template.palette import role_colour
from grape_gnn.training import METRICS

__all__ = ["graph_report"]

_SECTIONS = (
    ("accuracy", "Scores"),
    ("learning", "Learning"),
    ("templates", "Templates"),
    ("importance", "Importance"),
    ("graphs", "Graphs"),
    ("repeat", "Settings"),
)
_SHOWN = 6  # graphs
_LARGEST = 120  # nodes of a graph that can be looked through
_ROLES = 5


def graph_report(run: GraphRun) -> str:
    """Return the page about a training on many graphs."""
    metrics = run.metrics
    if not metrics["parts"]["test"]:
        raise ModelError(f"{run.path}: the split of this run has no test graphs to report on")
    model, graphs, rows = run.model(), run.graphs(), run.predictions()
    worth = role_worth(model, graphs, run.split().validation)
    points = METRICS[model.metric_].percent
    chosen = _examples(rows, graphs.sizes)
    return render(
        "graphs.html",
        title=f"GRAPE on {run.title}",
        sections=_SECTIONS,
        metrics=metrics,
        **run_scores(run),
        classes=metrics.get("classes", []),
        cards=[template_card(template) for template in model.templates_],
        measure=METRICS[model.metric_].title(model.task_),
        points=points,
        importance=_bars(worth, 100 if points else 1),
        graphs=[_example(k, rows[k], explain_graph(model, graphs, k)) for k in chosen],
        odds=model.task_ != "regression",
        templates=[{"name": t.name or t.text, "text": t.text} for t in model.templates_],
        settings=settings_groups(run.config),
        command=run.config["command"],
    )


def _examples(rows: list[Prediction], sizes: Any) -> list[int]:
    """Choose test graphs: of every answer in turn, one that is right and one that is wrong."""
    found: dict[tuple[str, bool], list[int]] = {}
    for number, row in enumerate(rows):
        if row.part == "test" and 1 < sizes[number] <= _LARGEST:
            numeric = row.probability is None
            key = ("", True) if numeric else (row.predicted, row.label == row.predicted)
            found.setdefault(key, []).append(number)
    # The surest first; numbers have no probability and stay in their order.
    for group in found.values():
        group.sort(key=lambda k: -(rows[k].probability or 0.0))
    order = sorted(found, key=lambda key: (not key[1], key[0]))
    turns = [group for depth in range(_SHOWN) for key in order for group in found[key][depth:][:1]]
    return turns[:_SHOWN]


def _example(number: int, row: Prediction, why: GraphExplanation) -> dict[str, Any]:
    template = why.roles[0].template
    return {
        "number": number,
        "row": row,
        "predicted": f"{why.answer:.6g}" if isinstance(why.answer, float) else row.predicted,
        "right": row.label == row.predicted if row.probability is not None else None,
        "value": f"{why.value:+.2f}",
        "node": why.node,
        "template": template.name or template.text,
        "roles": template.num_roles,
        "svg": Markup(draw_ego(why.graph, template, why.node)),
        "effects": _bars(why.roles[:_ROLES], 1),
    }


def _bars(effects: Any, factor: float) -> list[dict[str, Any]]:
    listed: list[RoleEffect] = list(effects)
    largest = max(1e-9, *(abs(each.effect) for each in listed))
    return [
        {
            "template": each.template.name or each.template.text,
            "role": each.role,
            "colour": role_colour(each.role),
            "words": f"{factor * each.effect:+.2f}" if np.isfinite(each.effect) else "?",
            "size": 100 * abs(each.effect) / largest,
            "cold": each.effect < 0,
        }
        for each in listed
    ]
