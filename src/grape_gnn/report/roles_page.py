"""The page of roles: templates, counts, one ego's neighbourhood, and any other's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from grape_gnn.drawing.figure import draw_ego
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.graph.summary import summarise
from grape_gnn.progress import report
from grape_gnn.report.ego_data import EXPLORER_SCRIPTS, ego_data, graph_fits
from grape_gnn.report.page import render
from grape_gnn.report.template_cards import template_card
from grape_gnn.roles import count_instances, ego_role_counts
from grape_gnn.template import Template
from grape_gnn.template.palette import role_colour
from grape_gnn.template.zoo import SETS
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["roles_page"]

SECONDS = 60.0
_ROWS = 15
_MEMBERS = 8
_FEW = 8  # members whose names can be read in a drawing as narrow as a telephone
_SECTIONS = (
    ("templates", "Templates"),
    ("ego", "One ego"),
    ("nodes", "Any ego"),
    ("table", "Counts"),
)


def roles_page(
    title: str,
    graph: Graph,
    templates: Sequence[Template],
    ego: str | int,
    *,
    induced: bool = False,
    positions: NDArray[Any] | None = None,
    seconds: float = SECONDS,
    arguments: Sequence[str] = ("edges.csv",),
    opened: str = "grape.read_graph('edges.csv')",
) -> str:
    """Return the page.

    Parameters
    ----------
    title
        Name of the graph.
    graph, templates, induced
        What to match; see `grape_gnn.match`.
    ego
        Name of the node whose Ego-AE sets are drawn.
    positions
        Where to draw the nodes: one row (x, y) per node. None: places are found, and of a large
        graph only the strongest members are drawn.
    seconds
        How long counting around all nodes may take; after that the page goes without.
    arguments, opened
        How the examples on the page name the graph: on the command line, and in Python.

    Examples
    --------
    >>> from grape_gnn.template.zoo import templates
    >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> page = roles_page("tiny", g, templates("edge,triangle"), 0)
    >>> page.startswith("<!doctype html>"), "Roles in tiny" in page
    (True, True)
    """
    centre = graph.index_of(ego)
    ego = graph.name_of(centre)
    report("counting around every node")
    try:
        totals = count_instances(graph, templates, induced=induced, time=seconds)
    except BudgetExceededError:
        totals = None
    # The explorer matches non-induced: it would contradict induced counts.
    fits = not induced and graph_fits(graph)
    data = ego_data(graph, templates, start=centre) if fits else None
    absent = {"nodes"} if data is None else set()
    if totals is None:
        absent.add("table")
    return render(
        "roles.html",
        scripts=EXPLORER_SCRIPTS if data else ("charts.js", "save.js"),
        title=f"Roles in {title}",
        sections=[section for section in _SECTIONS if section[0] not in absent],
        ego=ego,
        facts=_facts(graph, totals),
        mode="induced" if induced else "non-induced",
        induced=induced,
        cards=[template_card(template) for template in templates],
        totals=None
        if totals is None
        else [{"instances": int(t.sum()), "egos": int((t > 0).sum())} for t in totals.T],
        seconds=seconds,
        egos=[_around(graph, template, ego, positions, induced) for template in templates],
        table=None if totals is None else _table(graph, totals),
        which=_which(templates),
        node=repr(ego),
        arguments=list(arguments),
        opened=opened,
        data=data,
    )


def _facts(graph: Graph, totals: NDArray[Any] | None) -> dict[str, int]:
    summary = summarise(graph)
    facts = {
        "nodes": summary.nodes,
        "arcs" if summary.directed else "edges": summary.edges,
        "triangles": summary.triangles,
    }
    return facts if totals is None else {**facts, "instances found": int(totals.sum())}


def _which(wanted: Sequence[Template]) -> str:
    """Say in a word, as `templates` would understand it, which templates these are."""
    sets = (name for name in SETS if find_templates(name) == list(wanted))
    return next(sets, ",".join(t.name or t.text for t in wanted))


def _around(
    graph: Graph,
    template: Template,
    ego: str | int,
    positions: NDArray[Any] | None,
    induced: bool,
) -> dict[str, Any]:
    report(f"drawing {template.name or template.text}")
    counts = ego_role_counts(graph, template, ego, induced=induced)
    lists = []
    for role, found in enumerate(counts[1:], start=1):
        members = sorted(found.items(), key=lambda item: -item[1])
        lists.append(
            {
                "colour": role_colour(role),
                "members": members[:_MEMBERS],
                "more": max(0, len(members) - _MEMBERS),
            }
        )
    return {
        "name": template.name or template.text,
        "total": sum(counts[1].values()) // len(template.roles[1]) if len(counts) > 1 else 0,
        "few": len({name for found in counts[1:] for name in found}) <= _FEW,
        "svg": Markup(draw_ego(graph, template, ego, positions, induced=induced)),
        "roles": lists,
    }


def _table(graph: Graph, totals: NDArray[Any]) -> list[dict[str, Any]]:
    top = np.argsort(-graph.degrees, kind="stable")[:_ROWS]
    shade = np.sqrt(totals / np.maximum(totals.max(axis=0, initial=0), 1))
    return [
        {
            "name": graph.name_of(int(v)),
            "cells": [
                {"count": int(totals[v, k]), "shade": round(60 * shade[v, k])}
                for k in range(totals.shape[1])
            ],
        }
        for v in top
    ]
