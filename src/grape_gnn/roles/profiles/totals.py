"""Instances per ego of any template, by the algebra where it needs no search, else enumerated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import CountOverflowError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import Evaluator
from grape_gnn.roles.algebra.compile import difficulty
from grape_gnn.roles.algebra.totals import node_totals, total_plan
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_totals
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.profiles.equations import induced_counts
from grape_gnn.roles.profiles.orbits import node_orbits
from grape_gnn.template import Template

__all__ = ["total_counter"]

_LARGEST = 5  # nodes; beyond, there are too many terms
_LARGEST_INDUCED = 4  # a sparse induced template needs the counts of all denser ones
_PAIRS = 1000  # difficulty from which on two-hop pairs are stored, or a search is needed


def total_counter(graph: Graph, settings: MatchSettings) -> Callable[[Template], NDArray[np.int64]]:
    """Return a function that counts the instances of a template around every node.

    Examples
    --------
    >>> triangle = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> total_counter(triangle, MatchSettings())(Template("0-1 1-2")).tolist()
    [2, 2, 2]
    """
    known = Evaluator(graph, settings)

    def count(template: Template) -> NDArray[np.int64]:
        compiled(graph, template)  # says so if the graph's direction does not fit
        if _is_easy(template, settings.induced):
            try:
                with known.within(settings):
                    count_by = _induced if settings.induced else node_totals
                    return count_by(known, template)
            except CountOverflowError:
                pass  # a multiple of the count does not fit; the count itself may
        return enumerate_totals(graph, template, settings).totals

    return count


def _is_easy(template: Template, induced: bool) -> bool:
    if induced:
        plain = not (template.directed or template.has_labels or template.has_edge_types)
        return plain and template.num_nodes <= _LARGEST_INDUCED
    return template.num_nodes <= _LARGEST and all(
        difficulty(vector) < _PAIRS for _, vector in total_plan(template).parts
    )


def _induced(known: Evaluator, template: Template) -> NDArray[np.int64]:
    size = template.num_nodes
    orbits = [orbit for orbit in node_orbits(size) if orbit.template.num_nodes == size]
    plain = np.stack([node_totals(known, orbit.template) for orbit in orbits], axis=1)
    (place,) = (k for k, orbit in enumerate(orbits) if orbit.template.is_isomorphic(template))
    return induced_counts(orbits, plain)[:, place]
