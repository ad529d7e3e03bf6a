"""The page of role matches: templates, counts, one ego's neighbourhood, and any other's."""

from __future__ import annotations

from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from grape_gnn.graph.summary import summarise
from grape_gnn.report.ego_data import ego_data
from grape_gnn.report.ego_drawing import draw_ego
from grape_gnn.report.page import render
from grape_gnn.report.template_cards import template_card
from grape_gnn.roles import RoleMatches, TemplateRoles
from grape_gnn.template.palette import role_colour
from grape_gnn.template.zoo import SETS, templates

__all__ = ["roles_page"]

_ROWS = 15
_MEMBERS = 8
_SCRIPTS = ("charts.js", "matcher.js", "explorer.js", "explorer_panel.js")
_SECTIONS = (
    ("templates", "Templates"),
    ("ego", "One ego"),
    ("nodes", "Any ego"),
    ("table", "Counts"),
)


def roles_page(title: str, matches: RoleMatches, ego: str | int, positions: NDArray[Any]) -> str:
    """Return the page.

    Parameters
    ----------
    title
        Name of the graph.
    matches
        What `match` found on it, with counts.
    ego
        Name of the node whose Ego-AE sets are drawn.
    positions
        Where to draw the nodes: one row (x, y) per node.

    Examples
    --------
    >>> from grape_gnn import Graph, match
    >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> page = roles_page("tiny", match(g, "edge,triangle"), 0, np.eye(3)[:, :2])
    >>> page.startswith("<!doctype html>"), "Roles in tiny" in page
    (True, True)
    """
    graph = matches.graph
    wanted = [roles.template for roles in matches]
    # The explorer matches non-induced: it would contradict induced counts.
    data = None if matches.induced else ego_data(graph, wanted, start=graph.index_of(ego))
    return render(
        "roles.html",
        scripts=_SCRIPTS if data else ("charts.js",),
        title=f"Roles in {title}",
        sections=[section for section in _SECTIONS if data or section[0] != "nodes"],
        ego=ego,
        facts=_facts(matches),
        mode="induced" if matches.induced else "non-induced",
        cards=[template_card(template) for template in wanted],
        totals=[
            {"instances": int(roles.totals.sum()), "egos": int((roles.totals > 0).sum())}
            for roles in matches
        ],
        egos=[_around(matches, roles, ego, positions) for roles in matches],
        table=_table(matches),
        which=_which(matches),
        node=repr(ego),
        data=data,
    )


def _facts(matches: RoleMatches) -> dict[str, int]:
    summary = summarise(matches.graph)
    return {
        "nodes": summary.nodes,
        "arcs" if summary.directed else "edges": summary.edges,
        "triangles": summary.triangles,
        "instances found": sum(int(roles.totals.sum()) for roles in matches),
    }


def _which(matches: RoleMatches) -> str:
    """Say in a word, as `templates` would understand it, which templates these are."""
    wanted = [roles.template for roles in matches]
    sets = (name for name in SETS if templates(name) == wanted)
    return next(sets, ",".join(t.name or t.text for t in wanted))


def _around(
    matches: RoleMatches, roles: TemplateRoles, ego: str | int, positions: NDArray[Any]
) -> dict[str, Any]:
    graph = matches.graph
    lists = []
    for role in roles[1:]:
        members = sorted(role.members(ego).items(), key=lambda item: -item[1])
        lists.append(
            {
                "colour": role_colour(role.role),
                "members": members[:_MEMBERS],
                "more": max(0, len(members) - _MEMBERS),
            }
        )
    return {
        "name": roles.template.name or roles.template.text,
        "total": int(roles.totals[graph.index_of(ego)]),
        "svg": Markup(draw_ego(graph, roles.template, ego, positions)),
        "roles": lists,
    }


def _table(matches: RoleMatches) -> list[dict[str, Any]]:
    graph = matches.graph
    totals = np.stack([np.asarray(roles.totals) for roles in matches], axis=1)
    top = np.argsort(-graph.degrees, kind="stable")[:_ROWS]
    shade = np.sqrt(totals / np.maximum(totals.max(axis=0), 1))
    return [
        {
            "name": graph.name_of(int(v)),
            "cells": [
                {"count": int(totals[v, k]), "shade": round(60 * shade[v, k])}
                for k in range(len(matches))
            ],
        }
        for v in top
    ]
