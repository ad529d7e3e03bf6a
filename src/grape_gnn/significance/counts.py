"""What is counted in the graph and in every rewired one: copies, and who plays which role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import CountOverflowError
from grape_gnn.graph import Graph
from grape_gnn.roles import count_instances
from grape_gnn.template import Template

__all__ = ["Counts", "count", "role_names"]

_WORD = 2.0**63


@dataclass(frozen=True)
class Counts:
    """Counts of one graph.

    Attributes
    ----------
    copies
        Of every template the number of its copies, wherever the anchor is: int64.
    roles
        Of every node, and every role of every template, the instances around all egos in which
        the node plays the role: int64, a column for each of `role_names`. None if not asked for.
    """

    copies: NDArray[np.int64]
    roles: NDArray[np.int64] | None


def count(
    graph: Graph,
    templates: Sequence[Template],
    *,
    induced: bool = False,
    roles: bool = False,
    threads: int | None = None,
) -> Counts:
    """Count templates in a graph, without a matrix and where possible without a search.

    Examples
    --------
    >>> triangle = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> found = count(triangle, [Template("0-1 1-2"), Template("0-1 1-2 0-2")], roles=True)
    >>> found.copies.tolist()
    [5, 1]
    >>> found.roles.tolist()[3]  # ego, middle and end of 3-paths; ego of triangles, another node
    [2, 0, 2, 0, 0]
    """
    places = [
        [_anchored(template, role[0]) for role in (template.roles if roles else ((0,),))]
        for template in templates
    ]
    needed = {place.canonical: place for row in places for place in row}
    found = count_instances(graph, list(needed.values()), induced=induced, threads=threads)
    totals = dict(zip(needed, found.T, strict=True))
    copies = [
        _sum(totals[row[0].canonical], template) // _alike(template)
        for template, row in zip(templates, places, strict=True)
    ]
    columns = [
        totals[place.canonical] * len(role) * place.num_automorphisms // template.num_automorphisms
        for template, row in zip(templates, places, strict=True)
        for role, place in zip(template.roles, row, strict=False)
    ]
    return Counts(np.array(copies, dtype=np.int64), np.stack(columns, axis=1) if roles else None)


def role_names(templates: Sequence[Template]) -> list[str]:
    """Name the columns of `Counts.roles`.

    Examples
    --------
    >>> role_names([Template("0-1 1-2")])
    ['0-1 1-2, role 0', '0-1 1-2, role 1', '0-1 1-2, role 2']
    """
    return [f"{t.name or t.text}, role {j}" for t in templates for j in range(t.num_roles)]


def _anchored(template: Template, node: int) -> Template:
    rest = [other for other in range(template.num_nodes) if other != node]
    return template.relabel([node, *rest])


def _alike(template: Template) -> int:
    """Return at how many of its nodes a copy of the template could be anchored."""
    return sum(
        _anchored(template, node).is_isomorphic(template) for node in range(template.num_nodes)
    )


def _sum(totals: NDArray[np.int64], template: Template) -> int:
    if totals.sum(dtype=np.float64) >= _WORD:
        raise CountOverflowError(
            f"template {template.text!r} has more instances than 64 bits can count: use a smaller "
            f"template"
        )
    return int(totals.sum())
