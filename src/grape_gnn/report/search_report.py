"""The report of a template search: what it found, how it got there, what grew from what."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from grape_gnn.charts import Series, chart, number_text
from grape_gnn.datasets.source import GraphSource
from grape_gnn.report.family_tree import Birth, draw_tree, grow_tree
from grape_gnn.report.page import render
from grape_gnn.report.settings_table import settings_groups
from grape_gnn.report.template_cards import template_card
from grape_gnn.search.history import score
from grape_gnn.training import METRICS, figure_text, in_units, score_text

if TYPE_CHECKING:
    from grape_gnn.search import SearchFolder

__all__ = ["search_report"]

_TOP = 15
_SECTIONS = (
    ("found", "Templates"),
    ("progress", "Progress"),
    ("family", "Family tree"),
    ("genes", "Genes"),
    ("repeat", "Settings"),
)


def search_report(folder: SearchFolder) -> str:
    """Return the page about a search, running, interrupted or finished."""
    history = folder.history
    best = history.best
    computed = list(history.computed(history.fitness))
    trained = list(history.computed("training"))
    tree = grow_tree(
        Birth(
            templates=each.gene.templates,
            parents=tuple(t for parent in each.parents for t in parent.templates),
            score=each.validation_accuracy,
            round=each.round,
        )
        for each in history
        if each.fitness == history.fitness
    )
    winners = folder.templates()
    config = folder.config
    return render(
        "search.html",
        scripts=("charts.js", "save.js"),
        title=f"Template search on {_source(config)}",
        sections=_SECTIONS,
        best=best,
        start=history.start,
        fitness=history.fitness,
        trained=len(trained),
        rounds=history.rounds,
        genes=len(computed),
        failed=sum(each.failure is not None for each in computed),
        tried=len(tree),
        seconds=max(each.seconds for each in history),
        matching=history.matching_seconds,
        training=history.evaluation_seconds,
        cards=[template_card(template) for template in winners],
        curve=Markup(_curve(computed, history.curve(), history.metric)),
        spread=Markup(_rounds(computed, history.metric)),
        metric=METRICS[history.metric].words,
        figures=_figures(best.figures, history.start.figures),
        text=partial(score_text, history.metric, digits=1),
        tree=draw_tree(tree, [template.canonical for template in winners]),
        top=_top(computed, {each.gene: each for each in trained}),
        settings=settings_groups(config),
        command=config.get("command") or (),
        timed=(config.get("budget") or {}).get("seconds") is not None,
        texts=[{"name": t.name or t.text, "text": t.text} for t in winners],
    )


def _figures(best: Mapping[str, Any], start: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return all metrics of the best gene and of the start, by name."""
    task = "multi-label" if "micro-f1" in best else ""
    return [
        (metric.title(task), figure_text(name, best[name]), figure_text(name, start.get(name)))
        for name, metric in METRICS.items()
        if name in best
    ]


def _source(config: dict[str, Any]) -> str:
    source = config.get("source") or {}
    named = "dataset" in source or "file" in source
    return GraphSource.from_json(source).title if named else "a graph"


def _curve(computed: list[Any], steps: list[tuple[float, float]], metric: str) -> str:
    """Draw every gene as a dot, and the best so far as a staircase."""
    stairs = [(seconds, in_units(metric, score)) for seconds, score in steps]
    stairs.append((max(each.seconds for each in computed), stairs[-1][1]))
    good = [each for each in computed if not each.failure]
    dots = [(each.seconds, in_units(metric, each.validation_accuracy)) for each in good]
    return chart(
        [Series("gene", dots, "point"), Series("best so far", stairs, "second", steps=True)],
        label=f"Validation {METRICS[metric].words} of every gene by time, and the best so far",
        x_axis="seconds since the start",
        **_y_axis(metric),
    )


def _y_axis(metric: str) -> dict[str, Any]:
    words = f"validation {METRICS[metric].words}"
    if METRICS[metric].percent:
        limits = {"y_limits": (0.0, 100.0)}
        return {"y_axis": f"{words} (%)", "y_format": "{:.1f}%".format, **limits}
    return {"y_axis": words, "y_format": number_text}


def _rounds(computed: list[Any], metric: str) -> str:
    """Draw the best and the median of the genes that were new in each round."""
    by_round: dict[int, list[float]] = {}
    for each in computed:
        if not each.failure:
            by_round.setdefault(each.round, []).append(each.validation_accuracy)
    return chart(
        [
            Series("median", _each_round(by_round, statistics.median, metric), "first"),
            Series("best", _each_round(by_round, max, metric), "second"),
        ],
        label=f"Best and median validation {METRICS[metric].words} of the new genes of every round",
        x_axis="round",
        **_y_axis(metric),
        whole_x=True,
    )


def _each_round(
    by_round: dict[int, list[float]], pick: Callable[[list[float]], float], metric: str
) -> list[tuple[float, float]]:
    return [(number, in_units(metric, pick(scores))) for number, scores in by_round.items()]


def _top(computed: list[Any], trained: dict[Any, Any]) -> list[dict[str, Any]]:
    ranked = sorted(computed, key=score, reverse=True)
    return [
        {
            "each": each,
            "trained": trained.get(each.gene),
            "cards": [template_card(t) for t in each.gene.templates],
        }
        for each in ranked[:_TOP]
    ]
