"""How an instance table comes about: from the cache, from a parent's table, or from the graph."""

from __future__ import annotations

import hashlib
import time

import numpy as np

from grape_gnn import _native
from grape_gnn.graph import Graph
from grape_gnn.roles.ancestry import Parent, parents_of, prefix_of
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.native_call import compiled, stop_kind
from grape_gnn.roles.table_cache import StoredTable, TableCache
from grape_gnn.template import Template

__all__ = ["TableMaker", "TableStoppedError", "TableTooLargeError"]

# Random descents per estimate of a table's size: within a few per cent, in milliseconds.
_PROBES = 10_000
# Time to look at a node that may extend a stored instance: by one edge each of them does, by
# several most are dropped; and to look for one more edge in the instance.
_SECONDS_PER_NODE, _SECONDS_PER_MEMBER, _SECONDS_PER_EDGE = 1.4e-8, 4e-9, 7e-9
# A table serves later templates too, so it may cost more than enumeration, but not without bound.
_WORTH, _ALWAYS_WORTH = 10.0, 0.1


class TableTooLargeError(Exception):
    """A table does not fit into the cache, or takes much longer to make than enumeration does."""


class TableStoppedError(Exception):
    """The time or instance budget ran out; `table` has what there is, if it is the one wanted."""

    def __init__(self, kind: str, done: int, table: _native.InstanceTable | None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.done = done
        self.table = table


class TableMaker:
    """Makes the table of one template, and on the way those it is sampled from.

    Parameters
    ----------
    graph, cache, sample, seed
        Of the store; see `InstanceStore`.
    settings, start
        Of the call: its budgets, and when it began on the monotonic clock.
    """

    def __init__(
        self,
        graph: Graph,
        cache: TableCache,
        sample: int | None,
        seed: int,
        settings: MatchSettings,
        start: float,
    ) -> None:
        self.hits = self.derived = self.fresh = 0
        self._graph = graph
        self._cache = cache
        self._sample = sample
        self._seed = seed
        self._settings = settings
        self._start = start

    def table_of(self, template: Template) -> _native.InstanceTable:
        """Return the table of a template in canonical numbering.

        Raises
        ------
        TableTooLargeError
            It would not fit into the cache; often known without trying.
        TableStoppedError
            A budget of the call ran out.
        """
        stored = self._cache.get(template.canonical)
        if stored is not None:
            if self._over(stored.num_instances):
                raise TableStoppedError("instances", 0, None)
            self.hits += 1
            return stored.table
        if self._sample is None:
            parent, parent_table, seconds = self._best_parent(template)
            self._check_worth(template, seconds)
            return self._make(template, parent, parent_table)
        if template.num_nodes == 2:
            return self._make(template, None, None)
        # The same ancestors whatever the cache holds, so that the sample is always the same.
        parent = prefix_of(template)
        try:
            parent_table = self.table_of(parent.template)
        except TableStoppedError as stopped:
            raise TableStoppedError(stopped.kind, 0, None) from None
        return self._make(template, parent, parent_table)

    def _over(self, instances: int) -> bool:
        return self._settings.instances is not None and instances > self._settings.instances

    def _check_worth(self, template: Template, seconds: float) -> None:
        """Refuse a table whose making takes much longer than counting by enumeration."""
        if seconds > _ALWAYS_WORTH:
            from grape_gnn.roles.algebra.cost import CostModel

            if seconds > _WORTH * CostModel(self._graph).enumeration(template):
                raise TableTooLargeError

    def _best_parent(
        self, child: Template
    ) -> tuple[Parent | None, _native.InstanceTable | None, float]:
        """Find the stored parent that the table is soonest derived from, and how soon."""
        degree = self._graph.indices.size / max(1, self._graph.num_nodes)
        best: tuple[Parent | None, _native.InstanceTable | None] = (None, None)
        least = np.inf
        for parent in parents_of(child):
            stored = self._cache.peek(parent.template.canonical)
            if stored is None:
                continue
            per_instance = _SECONDS_PER_EDGE
            if -1 in parent.image:
                added = parent.image.index(-1)
                ties = sum(added in edge for edge in child.edges)
                per_instance = degree * (_SECONDS_PER_NODE if ties == 1 else _SECONDS_PER_MEMBER)
            cost = stored.num_instances * parent.template.num_automorphisms * per_instance
            if cost < least:
                best, least = (parent, stored.table), cost
        return *best, least if best[0] is not None else 0.0

    def _make(
        self, template: Template, parent: Parent | None, parent_table: _native.InstanceTable | None
    ) -> _native.InstanceTable:
        keep = None if parent is None else parent.template.canonical
        kept = None if keep is None else self._cache.get(keep)
        room = self._cache.limit - (0 if kept is None else kept.bytes)
        wanted = self._expected_bytes(template)
        if wanted > 1.5 * room:
            raise TableTooLargeError
        free = self._cache.make_room(min(wanted, room), keep)
        table, kind, done = self._run(template, parent, parent_table, free)
        if kind == "memory" and free < room:
            # The estimate was too low: once more with all the room there is.
            free = self._cache.make_room(room, keep)
            table, kind, done = self._run(template, parent, parent_table, free)
        if kind == "memory":
            raise TableTooLargeError
        if kind is not None:
            raise TableStoppedError(kind, done, table)
        if parent is None:
            self.fresh += 1
        else:
            self.derived += 1
        self._cache.put(template.canonical, StoredTable.of(table))
        return table

    def _expected_bytes(self, template: Template) -> int:
        """Estimate the size of a table; without work where even the largest one is small."""
        graph = self._graph
        if graph.num_nodes == 0:
            return 0
        degree = max(np.diff(graph.indptr).max(), np.diff(graph.in_indptr).max())
        most = float(graph.num_nodes) * float(degree) ** (template.num_nodes - 1)
        if self._sample is not None:
            most = min(most, float(graph.num_nodes) * self._sample)
        elif 8 * template.num_nodes * most > self._cache.limit / 4:
            native = compiled(graph, template)
            most = _native.estimate_instances(graph.native, native, _PROBES, 0)
        # Four bytes for the last node of an instance; the shared prefixes come on top.
        return int(min(4 * most, 2**62))

    def _run(
        self,
        template: Template,
        parent: Parent | None,
        parent_table: _native.InstanceTable | None,
        free: int,
    ) -> tuple[_native.InstanceTable, str | None, int]:
        graph, settings = self._graph, self._settings
        seconds = settings.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - self._start))
        if settings.bytes is not None:
            grown = max(0, self._cache.bytes - settings.held)
            free = min(free, max(0, settings.bytes - grown))
        limits = (seconds, free, settings.instances)
        seed = _mixed_seed(self._seed, template)
        rest = (settings.threads, limits, self._sample, seed, settings.progress)
        native = compiled(graph, template)
        if parent is None or parent_table is None:
            table, stop, done = _native.build_table(graph.native, native, *rest)
        else:
            table, stop, done = _native.derive_table(
                graph.native,
                parent_table,
                compiled(graph, parent.template),
                native,
                parent.image,
                *rest,
            )
        return table, stop_kind(stop), done


def _mixed_seed(seed: int, template: Template) -> int:
    digest = hashlib.blake2b(f"{seed} {template.canonical}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
