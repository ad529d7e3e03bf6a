"""What speaks for a link between two nodes, as numbers that do not know whether it is there.

The features of a pair, all the same whichever of the two comes first:

* counts of the roles that their template does not join to the ego, of all templates up to four
  nodes and of the ends of paths up to `LONGEST` nodes (`log(1 + count)`). Where the two nodes play
  different parts, the sum and the difference of both ways round;
* common neighbours, each worth ``1 / d`` (resource allocation) or ``1 / log d`` (Adamic and Adar),
  and paths of three edges worth ``1 / sqrt(d d')``. The degrees are those of nodes in between,
  which the link does not change;
* the degrees of the two nodes, less one if they are linked;
* the length of the shortest path that is not the link itself.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.links.distance import FARTHEST, detours
from grape_gnn.roles.pair_counts import PairCounts, PairValues
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates

__all__ = ["LONGEST", "PairFeatures", "far_roles", "refuse_directions"]

LONGEST = 8
"""Nodes of the longest path."""

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_STEPS = (2, 3, 4, 6, 8, 12)


def far_roles() -> list[tuple[Template, int, bool]]:
    """Return every way two nodes can stand to each other without being joined by the template.

    Returns
    -------
    list of (template, role, symmetric)
        ``symmetric``: the two nodes play the same part, so that both ways round are one.

    Examples
    --------
    >>> for template, role, symmetric in far_roles()[:3]:
    ...     print(template.text, template.roles[role], symmetric)
    0-1 1-2 (2,) True
    0-1 0-2 1-3 (3,) False
    0-1 1-2 1-3 (2, 3) True
    """
    found: dict[Any, tuple[Template, int, bool]] = {}
    for template in templates("all-4"):
        for role, (node, *_) in enumerate(template.roles):
            if role and (0, node) not in template.edges:
                ways = [_marked(template, a, b) for a, b in ((0, node), (node, 0))]
                found.setdefault(min(ways), (template, role, ways[0] == ways[1]))
    paths = [
        (Template([(k, k + 1) for k in range(size - 1)]), size - 1, True)
        for size in range(5, LONGEST + 1)
    ]
    return [*found.values(), *paths]


def _marked(template: Template, a: int, b: int) -> tuple[tuple[int, int], ...]:
    """Return a form that two templates share if a map that keeps two nodes joins them."""
    rest = [node for node in range(template.num_nodes) if node not in (a, b)]
    forms = []
    for order in permutations(rest):
        place = {node: k for k, node in enumerate((a, b, *order))}
        edges = ((place[x], place[y]) for x, y in template.edges)
        forms.append(tuple(sorted((min(e), max(e)) for e in edges)))
    return min(forms)


def refuse_directions(graph: Graph) -> None:
    """Complain of a directed graph."""
    if graph.directed:
        raise GraphError(
            f"links of {graph!r} cannot be predicted: directions are not supported; predict "
            f"them without directions, by graph.to_undirected()"
        )


class PairFeatures:
    """The features of pairs of nodes of one undirected graph.

    Parameters
    ----------
    graph
        The graph.
    threads
        Number of threads; None: as many as there are processors.

    Examples
    --------
    >>> features = PairFeatures(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> pair = features.of(np.array([0]), np.array([2]))
    >>> pair.shape == (1, len(features.names))
    True
    """

    def __init__(self, graph: Graph, threads: int | None = None) -> None:
        refuse_directions(graph)
        self.graph = graph
        self.roles = PairCounts(graph, threads)
        self.names = [
            *(name for t, role, same in far_roles() for name in _role_names(t, role, same)),
            "resource allocation", "Adamic-Adar", "weighted 4-paths",
            "degrees", "difference of degrees", "shared part of the neighbours",
            *(f"no other path of {steps} edges" for steps in _STEPS), "no other path",
        ]  # fmt: skip

    def linked(self, heads: _Integers, tails: _Integers) -> NDArray[np.bool_]:
        """Whether the two nodes of every pair are linked."""
        n = self.graph.num_nodes
        edges = np.repeat(np.arange(n), self.graph.degrees) * n + self.graph.indices
        pairs = heads * n + tails
        if not len(edges):
            return np.zeros(len(pairs), dtype=bool)
        found = np.minimum(np.searchsorted(edges, pairs), len(edges) - 1)
        linked: NDArray[np.bool_] = edges[found] == pairs
        return linked

    def of(self, heads: _Integers, tails: _Integers) -> _Floats:
        """Return one row of features for every pair, as in `names`."""
        values = self.roles.at(heads, tails)
        columns: list[_Floats] = []
        for template, number, same in far_roles():
            one = np.log1p(values.counts(template, number))
            if same:
                columns.append(one)
            else:
                other = np.log1p(values.counts(template, number, turned=True))
                columns += [one + other, np.abs(one - other)]
        columns += self._weighted(values, heads, tails)
        lengths = detours(self.graph, heads, tails)
        columns += [(lengths > steps).astype(np.float64) for steps in (*_STEPS, FARTHEST)]
        return np.stack(columns, axis=1)

    def _weighted(self, values: PairValues, heads: _Integers, tails: _Integers) -> list[_Floats]:
        degrees = self.graph.degrees.astype(np.float64)
        linked = self.linked(heads, tails).astype(np.float64)
        # A node in between has two neighbours at least.
        inverse = 1.0 / np.maximum(degrees, 1.0)
        root = np.sqrt(inverse)
        allocation = values.weighted_walks([inverse])
        adamic = values.weighted_walks([1.0 / np.log(np.maximum(degrees, 2.0))])
        # Walks u-v-w-v and u-w-u-v go over the link itself, and u-v-u-v is both.
        spread = root * np.asarray(self.graph.to_scipy() @ root)
        over_link = spread[heads] + spread[tails] - root[heads] * root[tails]
        longer = np.maximum(values.weighted_walks([root, root]) - linked * over_link, 0.0)
        common = values.weighted_walks([np.ones(len(degrees))])
        a, b = degrees[heads] - linked, degrees[tails] - linked
        shared = common / np.maximum(np.minimum(a, b), 1.0)
        a, b = np.log1p(a), np.log1p(b)
        return [
            np.log(allocation + 0.01), np.log1p(adamic), np.log(longer + 0.01),
            a + b, np.abs(a - b), shared,
        ]  # fmt: skip


def _role_names(template: Template, role: int, symmetric: bool) -> list[str]:
    name = template.name or template.text
    where = f"{name} ({role})"
    return [where] if symmetric else [where, f"{where}, difference"]
