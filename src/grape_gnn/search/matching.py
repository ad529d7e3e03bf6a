"""Matching inside a search: every template once, by the engine of choice, in bounded memory.

Role operators are kept by the canonical form of their template; when they take more than the
memory allows, the least recently used go. With the engine ``incremental`` half of the memory holds
the instances of earlier templates, from which those of mutated ones are derived (Proposition 1 of
the paper); a parent that was evicted, or whose instances are too many to keep, costs time and not
correctness.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from grape_gnn.arguments import parse_bytes
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.roles import InstanceStore, RoleMatches, TemplateRoles, match
from grape_gnn.roles.engine import parse_seconds
from grape_gnn.search.bounded import Bounded
from grape_gnn.search.cost import entries_visited
from grape_gnn.search.gene import Gene
from grape_gnn.search.settings import SearchSettings
from grape_gnn.template import Template

__all__ = ["Matched", "Matcher", "OutOfTimeError"]


class OutOfTimeError(Exception):
    """The time of the whole search ran out.

    Parameters
    ----------
    matching, evaluation
        Seconds of matching and of training that were under way and came to nothing.
    """

    def __init__(self, matching: float = 0.0, evaluation: float = 0.0) -> None:
        super().__init__(matching, evaluation)
        self.matching = matching
        self.evaluation = evaluation


@dataclass(frozen=True)
class Matched:
    """The roles of a gene, and the seconds that matching its new templates took."""

    roles: RoleMatches
    seconds: float


class Matcher:
    """Matches the templates of genes on one graph.

    Parameters
    ----------
    graph
        The graph.
    weighting
        ``"count"`` or ``"set"``.
    settings
        Engine, memory, and the time for one template.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> matcher = Matcher(g, "count", SearchSettings(engine="incremental"))
    >>> found = matcher.roles(Gene.from_texts(["0-1", "0-1 0-2 1-2"]))
    >>> found.roles[1].totals.tolist(), matcher.matched
    ([1, 1, 1, 0], 2)
    >>> _ = matcher.roles(Gene.from_texts(["0-1"]))  # known already
    >>> matcher.matched
    2
    """

    def __init__(self, graph: Graph, weighting: str, settings: SearchSettings) -> None:
        self.matched = 0
        """Number of templates matched so far."""
        self._graph = graph
        self._weighting = weighting
        self._engine = settings.engine
        limit = parse_bytes(settings.memory) - settings.product_memory
        self._store: InstanceStore | None = None
        if settings.engine == "incremental":
            limit //= 2
            self._store = InstanceStore(graph, max(1, limit))
        self._patience = None if settings.match_time is None else parse_seconds(settings.match_time)
        self._kept: Bounded[TemplateRoles] = Bounded(limit)

    def roles(self, gene: Gene, seconds_left: float | None = None) -> Matched:
        """Return the roles of all templates of a gene.

        Parameters
        ----------
        gene
            The gene.
        seconds_left
            Time of the whole search; None: no limit.

        Raises
        ------
        OutOfTimeError
            When the time of the search ran out.
        BudgetExceededError
            When one template took longer than it may.
        """
        start = time.monotonic()
        matches = []
        for template in gene.templates:
            left = None
            if seconds_left is not None:
                left = max(0.0, seconds_left - (time.monotonic() - start))
            matches.append(self._of(template, left))
        seconds = time.monotonic() - start
        return Matched(RoleMatches(self._graph, self._weighting, False, matches), seconds)

    def _of(self, template: Template, left: float | None) -> TemplateRoles:
        key = template.text  # templates of genes are canonical
        known = self._kept.get(key)
        if known is not None:
            return known
        limits = [limit for limit in (left, self._patience) if limit is not None]
        try:
            roles = match(
                self._graph,
                [template],
                weighting=self._weighting,
                engine=self._engine,
                time=min(limits) if limits else None,
                store=self._store,
            )[0]
        except BudgetExceededError as error:
            whole = left is not None and (self._patience is None or left <= self._patience)
            if error.kind == "time" and whole:
                raise OutOfTimeError from error
            raise
        self.matched += 1
        size = sum(role.nbytes or 8 * entries_visited(role) for role in roles)
        self._kept.keep(key, roles, size)
        return roles
