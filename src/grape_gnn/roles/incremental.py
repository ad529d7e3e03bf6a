"""Engine ``incremental``: a child's instances from those stored for a parent.

The paper's incremental subgraph matching (Proposition 1 and its appendix): a new edge filters
the parent's instances, a new node extends them. `InstanceStore` keeps the instances of the
templates asked for, in a bounded number of bytes, and derives new ones from what it has.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn import _native
from grape_gnn.arguments import parse_bytes, whole_number
from grape_gnn.errors import BudgetExceededError, MatchError
from grape_gnn.graph import Graph, as_graph
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.native_call import compiled, csr_matrices, raise_stop, stop_kind
from grape_gnn.roles.table_cache import TableCache
from grape_gnn.roles.table_maker import TableMaker, TableStoppedError, TableTooLargeError
from grape_gnn.template import Template

__all__ = ["InstanceStore", "StoreStatistics"]


@dataclass
class StoreStatistics:
    """What a store has done so far."""

    hits: int = 0
    """Templates whose table was there."""
    derived: int = 0
    """Tables derived from a parent's."""
    fresh: int = 0
    """Tables built from the graph."""
    evictions: int = 0
    """Tables dropped to make room."""
    fallbacks: int = 0
    """Templates counted by enumeration, because their table would not fit."""
    seconds: float = 0.0
    """Time spent in all."""


class InstanceStore:
    """Instances of templates on one graph, ready to be refined into those of larger templates.

    Matching is non-induced: a filter by new edges works for that only.

    Parameters
    ----------
    graph
        The graph all templates are matched on.
    memory
        Bytes that all tables together may take, such as ``"1GB"``. The least recently used go
        first; a template whose own table would not fit is counted by enumeration instead.
    sample
        Keep at most this many instances per ego. Every instance of an ego has the same chance
        to be kept, and counts are scaled by its inverse, so that they are right on average
        (Horvitz and Thompson 1952). The sample of a template is a function of `seed`, template
        and ego alone: a template grows from the edge along its canonical order, whatever else
        the store holds and however many threads work.
    seed
        Decides which instances are sampled.

    Examples
    --------
    >>> store = InstanceStore(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> path = store.roles(Template("0-1 1-2"))
    >>> store.roles(Template("0-1 1-2 0-2")).totals.tolist()
    [1, 1, 1, 0]
    >>> store.statistics.fresh, store.statistics.derived
    (1, 1)
    """

    def __init__(
        self,
        graph: Graph,
        memory: str | int = "1GB",
        sample: int | None = None,
        seed: int = 0,
    ) -> None:
        graph = as_graph(graph)
        self.graph = graph
        self.memory = parse_bytes(memory)
        if self.memory <= 0:
            raise MatchError(f"memory={memory!r} leaves no room for a table: give it some bytes")
        self.sample = None if sample is None else whole_number("sample", sample, 1)
        self.seed = whole_number("seed", seed)
        self._cache = TableCache(self.memory)
        self._hits = self._derived = self._fresh = self._fallbacks = 0
        self._seconds = 0.0

    @property
    def statistics(self) -> StoreStatistics:
        """What the store has done so far."""
        return StoreStatistics(
            self._hits,
            self._derived,
            self._fresh,
            self._cache.evictions,
            self._fallbacks,
            self._seconds,
        )

    @property
    def bytes(self) -> int:
        """Bytes that the tables take now."""
        return self._cache.bytes

    def __len__(self) -> int:
        return len(self._cache)

    def __contains__(self, template: Template) -> bool:
        return template.canonical in self._cache

    def __repr__(self) -> str:
        did = self.statistics
        sample = "" if self.sample is None else f", sample={self.sample}, seed={self.seed}"
        return (
            f"InstanceStore({len(self)} tables, {self.bytes:,} of {self.memory:,} bytes{sample}; "
            f"{did.hits} hits, {did.derived} derived, {did.fresh} fresh, "
            f"{did.evictions} evictions, {did.fallbacks} fallbacks, {did.seconds:.2f} s)"
        )

    def roles(self, template: Template, settings: MatchSettings | None = None) -> EngineOutput:
        """Count the roles of a template; its instances stay in the store if they fit.

        With ``weighting="set"`` a sampled store finds a subset of each Ego-AE set.

        Raises
        ------
        BudgetExceededError
            The time or instance budget ran out; or the table of a sampled template does not fit
            into `memory`.
        """
        settings = settings or MatchSettings()
        compiled(self.graph, template)  # complains in terms of the user's template
        if settings.induced:
            raise MatchError(
                "induced matching cannot be incremental, because an induced instance of a child "
                "need not contain one of its parent: use engine='enumerate' or engine='esu'"
            )
        start = time.monotonic()
        try:
            return self._roles(template, settings, start)
        finally:
            self._seconds += time.monotonic() - start

    def _roles(self, template: Template, settings: MatchSettings, start: float) -> EngineOutput:
        maker = TableMaker(self.graph, self._cache, self.sample, self.seed, settings, start)
        table: _native.InstanceTable | None = None
        try:
            table = maker.table_of(template.canonical_template())
        except TableTooLargeError:
            if self.sample is not None:
                raise BudgetExceededError(
                    "memory",
                    f"a sample of {self.sample} instances per ego of template {template.text!r} "
                    f"does not fit into the {self.memory} bytes of the instance store: lower "
                    f"sample=... or raise memory=...",
                ) from None
        except TableStoppedError as stopped:
            # Enumeration stops at the same instance whatever the threads and the store.
            if stopped.kind != "instances" or self.sample is not None:
                if not settings.partial:
                    items = f"{self.graph.num_nodes} egos"
                    raise_stop(stopped.kind, template, settings, stopped.done, items)
                if stopped.table is None:
                    return self._nothing(template)
                table = stopped.table
        finally:
            self._hits += maker.hits
            self._derived += maker.derived
            self._fresh += maker.fresh
        # Here the traceback of a stopped attempt, and all the memory behind it, is gone.
        output = None if table is None else self._output(template, table, settings, start)
        return output or self._fall_back(template, settings, start)

    def _output(
        self,
        template: Template,
        table: _native.InstanceTable,
        settings: MatchSettings,
        start: float,
    ) -> EngineOutput | None:
        """Count the roles in a table, whose template is in canonical numbering.

        None if that does not fit, where enumeration may.
        """
        role_of = [template.role_of[node] for node in template.canonical_order]
        arrays, stop, done = _native.table_roles(
            table,
            role_of,
            settings.threads,
            (*self._left(settings, start)[:2], None),
            settings.progress,
        )
        kind = stop_kind(stop)
        if kind == "memory" and self.sample is None:
            return None
        if kind is not None and settings.partial:
            return self._nothing(template)
        if kind is not None:
            raise_stop(kind, template, settings, done, f"{self.graph.num_nodes} egos")
        matrices = csr_matrices(arrays, self.graph.num_nodes)
        totals: NDArray[Any] = table.totals
        if self.sample is not None:
            totals = totals * table.weights
            for matrix in matrices:
                matrix.data = matrix.data * np.repeat(table.weights, np.diff(matrix.indptr))
        if settings.weighting == "set":
            for matrix in matrices:
                matrix.data[:] = 1
        complete = table.complete.astype(bool)
        return EngineOutput(
            matrices, totals, None if complete.all() else complete, self.sample is not None
        )

    def _fall_back(self, template: Template, settings: MatchSettings, start: float) -> EngineOutput:
        """Count by enumeration, which stores no instances."""
        from grape_gnn.roles.enumerate import enumerate_roles

        self._fallbacks += 1
        if settings.bytes is not None:
            self._cache.shrink(settings.held)  # the tables of this call
        seconds, room, _ = self._left(settings, start)
        return enumerate_roles(self.graph, template, replace(settings, seconds=seconds, bytes=room))

    def _left(
        self, settings: MatchSettings, start: float
    ) -> tuple[float | None, int | None, int | None]:
        """Return the limits of what is yet to be done; the tables of this call have been paid."""
        seconds, room = settings.seconds, settings.bytes
        if seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - start))
        if room is not None:
            room = max(0, room - max(0, self.bytes - settings.held))
        return seconds, room, settings.instances

    def _nothing(self, template: Template) -> EngineOutput:
        """Return the partial result of a run that was stopped before the template's turn."""
        n = self.graph.num_nodes
        matrices = [sparse.csr_array((n, n)) for _ in template.roles[1:]]
        return EngineOutput(matrices, np.zeros(n), np.zeros(n, bool), self.sample is not None)
