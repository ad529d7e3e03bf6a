"""The places of the graph's own edges: all of them, those of one type, arcs turned, arcs both ways.

Each type of edge has an adjacency matrix of its own, with a pattern of its own, so that what a
template with typed edges stores and walks over is only what it asks for.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from grape_gnn import _native
from grape_gnn.roles.algebra.exact import Integers
from grape_gnn.roles.algebra.expression import Adjacency
from grape_gnn.roles.algebra.limits import Limits
from grape_gnn.roles.algebra.stored import Pattern

__all__ = ["EdgePatterns"]

_CHUNK = 1 << 20  # arcs looked up between two looks at the clock


class EdgePatterns:
    """Patterns of the adjacency matrices of one graph, each made once.

    Parameters
    ----------
    limits
        The graph, and the memory and time that there are.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._graph = limits.graph
        self._known: dict[Adjacency, Pattern] = {}

    def of(self, edges: Adjacency) -> Pattern:
        """Return the places of an adjacency matrix."""
        if edges not in self._known:
            self._known[edges] = self._made(edges)
        return self._known[edges]

    def forget(self) -> None:
        """Let go of all but the places."""
        for pattern in self._known.values():
            pattern.forget()

    def _made(self, edges: Adjacency) -> Pattern:
        if edges.kind == "in":
            return self.of(Adjacency("out", True, edges.type)).transposed
        if edges.kind == "both":
            return self._mutual(edges.type, edges.back_type)
        graph = self._graph
        symmetric = not graph.directed
        if edges.type is None:
            return self.pattern(graph.indptr, graph.indices, symmetric=symmetric)
        return self._some(self.pattern(graph.indptr, graph.indices), self.chosen(edges), symmetric)

    def chosen(self, edges: Adjacency) -> Any:
        """Return a mask of the graph's entries that are of the type of an adjacency matrix."""
        graph = self._graph
        names = graph.edge_type_names or ()
        if graph.edge_types is None or edges.type not in names:
            return np.zeros(len(graph.indices), dtype=bool)
        return graph.edge_types == names.index(edges.type)

    def _mutual(self, forth: Hashable | None, back: Hashable | None) -> Pattern:
        """Return the pairs joined both ways, by arcs of one type forth and of one back."""
        out = self.of(Adjacency("out", True, forth))
        turned = self.of(Adjacency("in", True, back))
        self._limits.check_room(24 * out.nnz)
        # Arcs as single numbers, ascending in both lists: row * n + column.
        rows = np.arange(self._graph.num_nodes, dtype=np.int64) * self._graph.num_nodes
        arcs, others = (np.repeat(rows, np.diff(p.ptr)) + p.idx for p in (out, turned))
        mutual = np.zeros(out.nnz, dtype=bool)
        for start in range(0, out.nnz if others.size else 0, _CHUNK):
            self._limits.check_room(0)
            part = arcs[start : start + _CHUNK]
            found = np.minimum(np.searchsorted(others, part), others.size - 1)
            mutual[start : start + _CHUNK] = others[found] == part
        return self._some(out, mutual, forth == back)

    def _some(self, pattern: Pattern, kept: Any, symmetric: bool) -> Pattern:
        """Return a pattern of some of the places of another."""
        self._limits.check_room(12 * pattern.nnz)
        ptr = np.concatenate([[0], np.cumsum(kept)])[pattern.ptr].astype(np.int64)
        idx = pattern.idx[kept]
        self._limits.stored_bytes += ptr.nbytes + idx.nbytes
        return self.pattern(ptr, idx, symmetric=symmetric)

    def pattern(self, ptr: Integers, idx: Any, *, symmetric: bool = False) -> Pattern:
        """Return a pattern that is transposed within the limits."""

        def turned(rows: _native.FloatRows) -> Any:
            ptr, idx, origin, reason = _native.transpose_pattern(rows, self._limits.watch)
            self._limits.check(reason)
            self._limits.stored_bytes += ptr.nbytes + idx.nbytes + origin.nbytes
            return ptr, idx, origin

        return Pattern(ptr, idx, turned, symmetric=symmetric)
