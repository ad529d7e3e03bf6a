"""Instances per ego of any template, by the algebra where it is the cheaper way, else enumerated.

Non-induced counts need no search where no pairs of nodes two steps apart are stored for them.
Induced ones follow from the counts of all denser graphs on as many nodes: by the equations of
`profile` for the orbits it has, else term by term (`algebra/induced.py`).
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import CountOverflowError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import CostModel, Evaluator
from grape_gnn.roles.algebra.compile import difficulty
from grape_gnn.roles.algebra.expression import Vector
from grape_gnn.roles.algebra.induced import reaches_induced
from grape_gnn.roles.algebra.totals import node_totals, total_plan
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_totals
from grape_gnn.roles.native_call import compiled
from grape_gnn.roles.profiles.ego_networks import EgoNetworks, node_column
from grape_gnn.roles.profiles.equations import containment, induced_counts
from grape_gnn.roles.profiles.orbits import LARGEST, Orbit, node_orbits
from grape_gnn.template import Template

__all__ = ["TotalCounter"]

_PAIRS = 1000  # difficulty from which on two-hop pairs are stored, or a search is needed


class TotalCounter:
    """Counts the instances of templates around every node.

    Its time is limited from now on, over all templates together.

    Parameters
    ----------
    graph, settings
        Where to count, and how.

    Examples
    --------
    >>> triangle = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> TotalCounter(triangle, MatchSettings()).of(Template("0-1 1-2")).tolist()
    [2, 2, 2]
    """

    def __init__(self, graph: Graph, settings: MatchSettings) -> None:
        self.known = Evaluator(graph, settings)
        self.model = CostModel(graph, induced=settings.induced)
        self._networks = EgoNetworks(self.known, "nodes")
        self._start = clock.monotonic()

    def of(self, template: Template) -> NDArray[np.int64]:
        """Return the instances around every node."""
        found = self.by_algebra(template)
        if found is None:
            return enumerate_totals(self.known.graph, template, self._left()).totals
        return found

    def by_algebra(self, template: Template) -> NDArray[np.int64] | None:
        """Return the instances around every node; None where a search has them with less work."""
        compiled(self.known.graph, template)  # says so if the graph's direction does not fit
        induced = self.model.induced
        with self.model.within(self._left()):
            if not _is_easy(self.model, template):
                return None
        try:
            with self.known.within(self._left()):
                if induced and _has_orbit(template):
                    return _by_equations(self.known, self._networks, template)
                return node_totals(self.known, template, induced=induced)
        except CountOverflowError:
            return None  # a multiple of the count does not fit; the count itself may

    def _left(self) -> MatchSettings:
        settings = self.known.settings
        if settings.seconds is None:
            return settings
        elapsed = clock.monotonic() - self._start
        return replace(settings, seconds=max(0.0, settings.seconds - elapsed))


def _has_orbit(template: Template) -> bool:
    plain = not (template.directed or template.has_labels or template.has_edge_types)
    return plain and template.num_nodes <= LARGEST


def _is_easy(model: CostModel, template: Template) -> bool:
    """Whether the algebra counts a template with less work than a search."""
    if not model.induced:
        parts = total_plan(template).parts if template.num_nodes <= LARGEST else []
        return bool(parts) and all(difficulty(vector) < _PAIRS for _, vector in parts)
    if _has_orbit(template) and template.num_nodes < LARGEST:
        return True
    if not reaches_induced(template) or model.is_quick(template):
        return False
    algebra = model.weigh(_vectors(template))
    return algebra <= model.enumeration(template, spare=algebra)


def _vectors(template: Template) -> Iterable[Vector]:
    """Return what has to be added up for the induced counts of a template."""
    if not _has_orbit(template):
        return [vector for _, vector in total_plan(template, induced=True).parts]
    orbits, _ = _denser(template)
    return [
        vector
        for orbit in orbits
        if not EgoNetworks.can_count(orbit)  # one quick pass for all of them
        for _, vector in total_plan(orbit.template).parts
    ]


def _by_equations(known: Evaluator, networks: EgoNetworks, template: Template) -> NDArray[np.int64]:
    orbits, place = _denser(template)
    plain = np.stack([node_column(known, networks, orbit) for orbit in orbits], axis=1)
    return induced_counts(orbits, plain)[:, place]


def _denser(template: Template) -> tuple[list[Orbit], int]:
    """Return the orbits of a template and of all graphs that contain it, and where its own is."""
    size = template.num_nodes
    orbits = [orbit for orbit in node_orbits(size) if orbit.template.num_nodes == size]
    (own,) = (k for k, orbit in enumerate(orbits) if orbit.template.is_isomorphic(template))
    kept = np.flatnonzero(containment(tuple(orbits))[own]).tolist()
    return [orbits[k] for k in kept], kept.index(own)
