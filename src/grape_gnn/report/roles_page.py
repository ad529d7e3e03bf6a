"""A self-contained HTML page of role matches: templates, counts, and one ego's neighbourhood.

No scripts, no fonts, no files beside it; light or dark as the reader's system is.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template as Text
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph.summary import summarise
from grape_gnn.report.ego_drawing import draw_ego
from grape_gnn.roles import RoleMatches, TemplateRoles
from grape_gnn.template import Template
from grape_gnn.template.palette import role_colour
from grape_gnn.zoo import SETS, describe, is_name, templates

__all__ = ["roles_page"]

_ROWS = 15
_MEMBERS = 8


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
    >>> page.startswith("<!doctype html>"), page.count("<svg")
    (True, 4)
    """
    frame = files("grape_gnn.report").joinpath("roles_page.html").read_text(encoding="utf-8")
    return Text(frame).substitute(
        title=escape(title),
        ego=escape(str(ego)),
        facts=_facts(matches),
        templates="".join(map(_template_card, matches)),
        egos="".join(_ego_card(matches, roles, ego, positions) for roles in matches),
        table=_table(matches),
        mode="induced" if matches.induced else "non-induced",
        which=escape(_which(matches)),
        node=escape(repr(ego)),
        first=escape(matches[0].template.name or matches[0].template.text),
    )


def _facts(matches: RoleMatches) -> str:
    summary = summarise(matches.graph)
    total = sum(int(roles.totals.sum()) for roles in matches)
    facts = {
        "nodes": summary.nodes,
        "arcs" if summary.directed else "edges": summary.edges,
        "triangles": summary.triangles,
        "instances found": total,
    }
    return "".join(
        f"<div><b>{value:,}</b><span>{name}</span></div>" for name, value in facts.items()
    )


def _name(template: Template) -> str:
    return escape(template.name or template.text)


def _which(matches: RoleMatches) -> str:
    """Say in a word, as `templates` would understand it, which templates these are."""
    wanted = [roles.template for roles in matches]
    sets = (name for name in SETS if templates(name) == wanted)
    return next(sets, ",".join(t.name or t.text for t in wanted))


def _chip(role: int) -> str:
    return f"<i class='chip' style='background:{role_colour(role)}'></i>"


def _template_card(roles: TemplateRoles) -> str:
    template = roles.template
    words = describe(template.name) if template.name and is_name(template.name) else template.text
    legend = "".join(
        f"<li>{_chip(role)}role {role}{' (ego)' if role == 0 else ''}"
        f"<small>node{'s' if len(nodes) > 1 else ''} {', '.join(map(str, nodes))}</small></li>"
        for role, nodes in enumerate(template.roles)
    )
    return (
        f"<article><h3>{_name(template)}</h3><div class='shape'>{template.svg()}</div>"
        f"<p>{escape(words)}</p><ul class='legend'>{legend}</ul>"
        f"<p class='count'><b>{int(roles.totals.sum()):,}</b> instances around "
        f"<b>{int((roles.totals > 0).sum()):,}</b> egos</p></article>"
    )


def _ego_card(
    matches: RoleMatches, roles: TemplateRoles, ego: str | int, positions: NDArray[Any]
) -> str:
    graph = matches.graph
    lists = []
    for role in roles[1:]:
        members = sorted(role.members(ego).items(), key=lambda item: -item[1])
        shown = ", ".join(f"{escape(str(name))} <b>{n:,}</b>" for name, n in members[:_MEMBERS])
        more = f" and {len(members) - _MEMBERS:,} more" if len(members) > _MEMBERS else ""
        lists.append(f"<li>{_chip(role.role)}{shown or 'nobody'}{more}</li>")
    total = int(roles.totals[graph.index_of(ego)])
    return (
        f"<article><h3>{_name(roles.template)} <small>{total:,} instances</small></h3>"
        f"{draw_ego(graph, roles.template, ego, positions)}"
        f"<ul class='members'>{''.join(lists)}</ul></article>"
    )


def _table(matches: RoleMatches) -> str:
    """Return the instances around the nodes with most edges, the larger the darker."""
    graph = matches.graph
    head = "".join(f"<th>{_name(roles.template)}</th>" for roles in matches)
    rows = []
    for node in np.argsort(-graph.degrees, kind="stable")[:_ROWS].tolist():
        cells = []
        for roles in matches:
            value, most = float(roles.totals[node]), max(float(roles.totals.max()), 1.0)
            shade = round(100 * (value / most) ** 0.5)
            cells.append(f"<td style='--shade:{shade}%'>{int(value):,}</td>")
        name = escape(str(graph.name_of(node)))
        rows.append(f"<tr><th>{name}</th><td>{graph.degrees[node]}</td>{''.join(cells)}</tr>")
    return f"<table><tr><th>node</th><th>degree</th>{head}</tr>{''.join(rows)}</table>"
