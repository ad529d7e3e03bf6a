"""Edges of a file or a table, between nodes that have names, and the table of these nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph.attributes import Names, spells_integer
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.node_table import NodeTable

__all__ = ["NamedEdges", "compact", "with_table"]


@dataclass(frozen=True, eq=False)
class NamedEdges:
    """Edges between node numbers, and what the nodes are called (None: by their numbers).

    `edge_types` are the types of the edges, or None.
    """

    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    num_nodes: int
    names: Names | None
    edge_types: NDArray[Any] | list[Any] | None = None

    @cached_property
    def known(self) -> frozenset[str]:
        """The names of the nodes, as texts."""
        given = range(self.num_nodes) if self.names is None else self.names
        return frozenset(str(name) for name in given)

    def ends(self, edge: int) -> tuple[str, str]:
        """Return the names of the two ends of an edge."""
        names = range(self.num_nodes) if self.names is None else self.names
        return str(names[self.src[edge]]), str(names[self.dst[edge]])

    def with_nodes(self, listed: Sequence[str]) -> NamedEdges:
        """Add nodes that have no edges.

        Integer names stay in ascending order; if one of the new names is no integer, all names
        are texts, the new ones after those of the edges.
        """
        if all(name in self.known for name in listed):
            return self
        integers = all(spells_integer(name) for name in listed)
        if isinstance(self.names, tuple) or not integers:
            old = range(self.num_nodes) if self.names is None else self.names
            texts = tuple(dict.fromkeys([*map(str, old), *listed]))
            return replace(self, num_nodes=len(texts), names=texts)
        before = np.arange(self.num_nodes) if self.names is None else self.names
        names = np.union1d(before, np.array([int(name) for name in listed], np.int64))
        number = np.searchsorted(names, before)
        ends = {"src": number[self.src], "dst": number[self.dst]}
        return replace(self, **ends, num_nodes=names.size, names=names)

    def graph(self, directed: bool, strict: bool) -> Graph:
        """Build the graph of the edges alone."""
        return Graph.from_edges(
            self.src, self.dst, self.num_nodes, directed, names=self.names, strict=strict,
            edge_types=self.edge_types,
        )  # fmt: skip


def compact(src: NDArray[np.int64], dst: NDArray[np.int64]) -> NamedEdges:
    """Give nodes whose names are integers numbers in ascending order of their names."""
    if src.size == 0:
        return NamedEdges(src, dst, 0, None)
    largest = int(max(src.max(), dst.max()))
    if largest < 4 * src.size + 1024:
        # A table over all values up to the largest is cheaper than sorting.
        seen = np.zeros(largest + 1, bool)
        seen[src] = True
        seen[dst] = True
        names = np.flatnonzero(seen)
        if names.size == largest + 1:
            return NamedEdges(src, dst, largest + 1, None)
        number = np.cumsum(seen) - 1
        return NamedEdges(number[src], number[dst], names.size, names)
    names, number = np.unique(np.concatenate([src, dst]), return_inverse=True)
    return NamedEdges(number[: src.size], number[src.size :], names.size, names)


def with_table(
    edges: NamedEdges, table: NodeTable, directed: bool, strict: bool, task: str | None = None
) -> Graph:
    """Build the graph of the edges and the table; nodes that only the table has are nodes too."""
    known = edges.known
    edges = edges.with_nodes(table.names)
    columns = table.align(edges.names, edges.num_nodes, known)
    return Graph.from_edges(
        edges.src, edges.dst, edges.num_nodes, directed, names=edges.names, strict=strict,
        task=task or table.task, edge_types=edges.edge_types, **columns,
    )  # fmt: skip
