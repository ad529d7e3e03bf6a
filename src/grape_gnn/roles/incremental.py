"""Engine ``incremental``: a child's instances from those stored for a parent.

The paper's incremental subgraph matching (Proposition 1 and its appendix): a new edge filters
the parent's instances, a new node extends them. `InstanceStore` keeps the instances of the
templates asked for, in a bounded number of bytes, and derives new ones from what it has.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, replace

import numpy as np

from grape_gnn import _native
from grape_gnn.errors import BudgetExceededError, MatchError
from grape_gnn.graph import Graph
from grape_gnn.roles.ancestry import Parent, parents_of, prefix_of
from grape_gnn.roles.engine import EngineOutput, MatchSettings, parse_bytes
from grape_gnn.roles.native_call import compiled, csr_matrices, raise_stop, stop_kind
from grape_gnn.template import Template

__all__ = ["InstanceStore", "StoreStatistics", "incremental_roles"]

# Descents for an estimate of a table's size: a few per cent of error in some ten milliseconds.
_PROBES = 10_000


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
    """Templates counted without a table because it would not fit."""
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
        the store holds.
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
        self.graph = graph
        self.memory = parse_bytes(memory)
        if self.memory <= 0:
            raise MatchError(f"memory={memory!r} leaves no room for a table: give it some bytes")
        if sample is not None and sample < 1:
            raise MatchError(f"sample={sample!r} keeps nothing: use a positive number or None")
        self.sample = sample
        self.seed = seed
        self.statistics = StoreStatistics()
        self._tables: OrderedDict[str, _native.InstanceTable] = OrderedDict()

    @property
    def bytes(self) -> int:
        """Bytes that the tables take now."""
        return sum(table.bytes for table in self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, template: Template) -> bool:
        return template.canonical in self._tables

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
                "induced matching cannot be incremental, because a new edge adds induced "
                "instances: use engine='enumerate' or engine='esu'"
            )
        run = _Run(self, template, settings)
        try:
            return run.output()
        finally:
            self.statistics.seconds += run.elapsed()

    # The rest of the class is for _Run, which carries out one call.

    def _get(self, key: str) -> _native.InstanceTable | None:
        if key in self._tables:
            self._tables.move_to_end(key)
        return self._tables.get(key)

    def _put(self, key: str, table: _native.InstanceTable) -> None:
        self._tables[key] = table

    def _make_room(self, wanted: int, keep: str | None) -> int:
        """Drop tables, the oldest first, until `wanted` bytes are free; return the free bytes."""
        while self.bytes + wanted > self.memory:
            oldest = next((key for key in self._tables if key != keep), None)
            if oldest is None:
                break
            del self._tables[oldest]
            self.statistics.evictions += 1
        return self.memory - self.bytes


class _DoesNotFitError(Exception):
    """A table is larger than the store."""


class _Run:
    """One call of `InstanceStore.roles`, with its budgets."""

    def __init__(self, store: InstanceStore, template: Template, settings: MatchSettings) -> None:
        self.store = store
        self.template = template
        self.settings = settings
        self.start = time.perf_counter()

    def elapsed(self) -> float:
        return time.perf_counter() - self.start

    def output(self) -> EngineOutput:
        canonical = self.template.canonical_template()
        try:
            table = self.table_of(canonical)
        except _DoesNotFitError:
            if self.store.sample is not None:
                raise BudgetExceededError(
                    "memory",
                    f"a sample of {self.store.sample} instances per ego of template "
                    f"{self.template.text!r} does not fit into the {self.store.memory} bytes of "
                    f"the instance store: lower sample=... or raise memory=...",
                ) from None
            return self.fall_back()
        return self.output_of(table)

    def table_of(self, canonical: Template) -> _native.InstanceTable:
        stored = self.store._get(canonical.canonical)
        if stored is not None:
            self.store.statistics.hits += 1
            return stored
        if self.store.sample is not None and canonical.num_nodes > 2:
            parent = prefix_of(canonical)
            return self.build(canonical, parent, self.table_of(parent.template))
        if self.store.sample is not None:
            return self.build(canonical, None, None)
        return self.build(canonical, *self.best_parent(canonical))

    def best_parent(self, child: Template) -> tuple[Parent | None, _native.InstanceTable | None]:
        """Find the stored parent with the fewest candidates to look at."""
        degree = self.store.graph.indices.size / max(1, self.store.graph.num_nodes)
        best: tuple[Parent | None, _native.InstanceTable | None] = (None, None)
        least = np.inf
        for parent in parents_of(child):
            table = self.store._tables.get(parent.template.canonical)
            if table is None:
                continue
            per_instance = degree if -1 in parent.image else 1.0
            cost = table.num_instances * parent.template.num_automorphisms * per_instance
            if cost < least:
                best, least = (parent, table), cost
        return best

    def build(
        self, child: Template, parent: Parent | None, parent_table: _native.InstanceTable | None
    ) -> _native.InstanceTable:
        """Make the table of a template and store it."""
        store = self.store
        keep = (
            None
            if parent is None
            else store._get(parent.template.canonical) and parent.template.canonical
        )
        wanted = self.expected_bytes(child)
        room = store.memory if keep is None else store.memory - parent_table.bytes
        if wanted > 1.5 * room:
            raise _DoesNotFitError
        free = store._make_room(min(wanted, room), keep)
        table, kind, done = self.run_native(child, parent, parent_table, free)
        if kind == "memory" and free < room:
            # The estimate was too low: try once more with all there is.
            free = store._make_room(room, keep)
            table, kind, done = self.run_native(child, parent, parent_table, free)
        if kind == "memory":
            raise _DoesNotFitError
        if kind is not None:
            if not self.settings.partial or child.canonical != self.template.canonical:
                raise_stop(
                    kind, self.template, self.settings, done, f"{store.graph.num_nodes} egos"
                )
            return table
        if parent is None:
            store.statistics.fresh += 1
        else:
            store.statistics.derived += 1
        store._put(child.canonical, table)
        return table

    def expected_bytes(self, child: Template) -> int:
        """Estimate the size of a table; free of charge where even the largest one is small."""
        store, graph = self.store, self.store.graph
        if graph.num_nodes == 0:
            return 0
        largest = max(np.diff(graph.indptr).max(), np.diff(graph.in_indptr).max())
        most = float(graph.num_nodes) * float(largest) ** (child.num_nodes - 1)
        if store.sample is not None:
            most = min(most, float(graph.num_nodes) * store.sample)
        per_instance = 8 * child.num_nodes
        if most * per_instance > store.memory and store.sample is None:
            native = compiled(graph, child)
            most = _native.estimate_instances(graph.native, native, _PROBES, 0)
            per_instance = 4
        return int(min(most * per_instance, 2**62))

    def run_native(
        self,
        child: Template,
        parent: Parent | None,
        parent_table: _native.InstanceTable | None,
        free: int,
    ) -> tuple[_native.InstanceTable, str | None, int]:
        graph, settings = self.store.graph, self.settings
        seconds = settings.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - self.elapsed())
        limits = (seconds, free, settings.instances)
        seed = _mixed_seed(self.store.seed, child)
        rest = (settings.threads, limits, self.store.sample, seed, settings.progress)
        native = compiled(graph, child)
        if parent is None or parent_table is None:
            table, stop, done = _native.build_table(graph.native, native, *rest)
        else:
            parent_native = compiled(graph, parent.template)
            table, stop, done = _native.derive_table(
                graph.native, parent_table, parent_native, native, parent.image, *rest
            )
        return table, stop_kind(stop), done

    def output_of(self, table: _native.InstanceTable) -> EngineOutput:
        """Count the roles in a table of the template in canonical numbering."""
        graph, template, settings = self.store.graph, self.template, self.settings
        role_of = [template.role_of[node] for node in template.canonical_order]
        arrays, stop, done = _native.table_roles(
            table, role_of, settings.threads, (None, settings.bytes, None), settings.progress
        )
        kind = stop_kind(stop)
        if kind is not None:
            raise_stop(kind, template, settings, done, f"{graph.num_nodes} egos")
        matrices = csr_matrices(arrays, graph.num_nodes)
        totals = table.totals
        sampled = self.store.sample is not None
        if sampled:
            totals = totals * table.weights
            for matrix in matrices:
                matrix.data = matrix.data * np.repeat(table.weights, np.diff(matrix.indptr))
        if settings.weighting == "set":
            for matrix in matrices:
                matrix.data[:] = 1
        complete = table.complete.astype(bool)
        return EngineOutput(matrices, totals, None if complete.all() else complete, sampled)

    def fall_back(self) -> EngineOutput:
        """Count by enumeration, which stores no instances."""
        from grape_gnn.roles.enumerate import enumerate_roles

        self.store.statistics.fallbacks += 1
        settings = self.settings
        if settings.seconds is not None:
            settings = replace(settings, seconds=max(0.0, settings.seconds - self.elapsed()))
        return enumerate_roles(self.store.graph, self.template, settings)


def _mixed_seed(seed: int, template: Template) -> int:
    digest = hashlib.blake2b(f"{seed} {template.canonical}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def incremental_roles(
    graph: Graph,
    template: Template,
    settings: MatchSettings,
    store: InstanceStore | None = None,
) -> EngineOutput:
    """Count the roles of a template from the instances in a store.

    Parameters
    ----------
    graph, template, settings
        As for every engine; matching is non-induced.
    store
        Where earlier templates have left their instances. None: a store for this call only.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2])
    >>> incremental_roles(g, Template("0-1 0-2"), MatchSettings()).totals.tolist()
    [1, 1, 1]
    """
    if store is None:
        memory = "1GB" if settings.bytes is None else settings.bytes
        store = InstanceStore(graph, memory, settings.sample, settings.seed)
    elif store.graph is not graph:
        raise MatchError(
            f"the instance store belongs to another graph, {store.graph!r}: make one for {graph!r}"
        )
    elif settings.sample is not None and settings.sample != store.sample:
        raise MatchError(
            f"sample={settings.sample} was asked for, but the instance store has "
            f"sample={store.sample}: give sample to InstanceStore"
        )
    return store.roles(template, settings)
