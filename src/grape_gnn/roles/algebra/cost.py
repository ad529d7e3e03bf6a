"""What an operator costs on a given graph, and what enumeration would cost instead.

Rough on purpose: the model has to tell milliseconds from minutes, not 3 from 4 seconds. It
knows the degrees and an estimate of how often two neighbours of a node are neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.expression import (
    Adjacency,
    Apply,
    Chain,
    Clique,
    Core,
    Diagonal,
    Hadamard,
    Matrix,
    Times,
    Vector,
)
from grape_gnn.roles.algebra.search_order import search_order
from grape_gnn.roles.algebra.share import split_chain
from grape_gnn.roles.native_call import compiled
from grape_gnn.template import Template

__all__ = ["Cost", "CostModel"]

_SECONDS_PER_STEP = 1.5e-9  # one multiply-add on scattered memory
_SECONDS_PER_MAP = 25e-9  # beginning to place a node
_SECONDS_PER_CANDIDATE = 8e-9  # one node found by a search
_SECONDS_PER_WORD = 1e-9  # 64 nodes of two rows intersected as bits
_SECONDS_PER_LOOKUP = 16e-9  # one node of a row looked up in another
_SECONDS_PER_PLAN_STEP = 1e-9
_SAMPLES = 2000


@dataclass(frozen=True)
class Cost:
    """Seconds to compute the stored parts, and entries stored off the graph's own edges."""

    seconds: float = 0.0
    entries: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, self.entries + other.entries)


class CostModel:
    """Costs on one graph.

    Examples
    --------
    >>> from grape_gnn.roles.algebra.expression import chain, hadamard
    >>> A = Adjacency("out")
    >>> model = CostModel(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> model.prepare([chain(A, A, A)]).seconds == 0.0  # applied step by step, never formed
    True
    >>> model.prepare([hadamard(chain(A, A), chain(A, A))]).entries > 0  # two-hop pairs
    True
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    # ------------------------------------------------------ what the graph is like

    @property
    def entries(self) -> float:
        """Stored entries of the adjacency matrix."""
        return float(len(self.graph.indices))

    @cached_property
    def reach(self) -> float:
        """Mean degree of a random neighbour: by how much a step multiplies the walks."""
        heads = self.graph.degrees[self.graph.indices]
        return float(heads.mean()) if heads.size else 0.0

    @cached_property
    def smaller_ends(self) -> float:
        """Sum over the edges of the smaller degree: the work to look at all triangles."""
        degrees = self.graph.degrees
        tails = np.repeat(degrees, np.diff(self.graph.indptr))
        return float(np.minimum(tails, degrees[self.graph.indices]).sum())

    @cached_property
    def closure(self) -> float:
        """How likely the ends of a 2-walk are adjacent, from a sample of edges."""
        met, tried = self._sample
        return float(met.sum() / tried.sum()) if tried.any() else 0.0

    @cached_property
    def closure_in_triangles(self) -> float:
        """The same for a walk along an edge of a triangle: edges in many triangles weigh more."""
        met, tried = self._sample
        return float((met * met).sum() / (met * tried).sum()) if met.any() else 0.0

    @cached_property
    def _sample(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return common neighbours and the smaller degree, for a sample of edges."""
        graph = self.graph
        if not len(graph.indices):
            return np.zeros(0), np.zeros(0)
        rng = np.random.default_rng(0)
        tails = np.repeat(np.arange(graph.num_nodes), np.diff(graph.indptr))
        met, tried = [], []
        for entry in rng.integers(0, len(graph.indices), _SAMPLES).tolist():
            first = graph.neighbours(int(tails[entry]))
            second = graph.neighbours(int(graph.indices[entry]))
            met.append(len(np.intersect1d(first, second, assume_unique=True)))
            tried.append(min(len(first), len(second)))
        return np.array(met, dtype=np.float64), np.array(tried, dtype=np.float64)

    # ------------------------------------------------------ algebra

    def prepare(self, matrices: Iterable[Matrix]) -> Cost:
        """Everything that has to be stored before operators with these terms can be applied."""
        seen: set[Matrix] = set()
        total = Cost()
        for matrix in matrices:
            factors, vectors = split_chain(matrix)
            for factor in factors:
                total += self._stored(factor, seen)
            for vector in vectors:
                total += self._vector(vector, seen)
        return total

    def _vector(self, vector: Vector, seen: set[Matrix]) -> Cost:
        if isinstance(vector, Times):
            return sum((self._vector(factor, seen) for factor in vector.factors), Cost())
        if isinstance(vector, Apply):
            step = Cost(self.entries * _SECONDS_PER_STEP)
            return step + self._stored(vector.matrix, seen) + self._vector(vector.vector, seen)
        return Cost()

    def _stored(self, matrix: Matrix, seen: set[Matrix]) -> Cost:
        if matrix in seen or isinstance(matrix, Adjacency | Diagonal):
            return Cost()
        seen.add(matrix)
        if isinstance(matrix, Clique):
            # Pairs inside neighbourhoods, each a row of bits, times what they have in common.
            shared = self.reach * self.closure
            pairs = self.entries * shared / 6 * (1 + self.reach / 64) * max(1.0, shared)
            deeper = shared ** (matrix.size - 4) / max(1.0, shared)
            return Cost((self.smaller_ends / 4 + pairs * deeper) * _SECONDS_PER_STEP)
        if isinstance(matrix, Hadamard):
            base = self._stored(matrix.factors[0], seen)
            places = base.entries or self.entries
            others = set(matrix.factors[1:]) - {matrix.factors[0]}
            return sum((self._looked_up(factor, places, seen) for factor in others), base)
        if isinstance(matrix, Core):
            inner = sum((self._stored(link, seen) for _, _, link in matrix.links), Cost())
            return inner + Cost(self._search(matrix, masked=False), self._pairs(2))
        factors, _ = split_chain(matrix)
        inner = sum((self._stored(factor, seen) for factor in factors), Cost())
        return inner + Cost(
            self._walks(len(factors)) * _SECONDS_PER_STEP, self._pairs(len(factors))
        )

    def _looked_up(self, matrix: Matrix, places: float, seen: set[Matrix]) -> Cost:
        """Return the cost of a matrix at given places only."""
        if isinstance(matrix, Chain):
            factors, _ = split_chain(matrix)
            inner = sum((self._stored(factor, seen) for factor in factors), Cost())
            mean = self.smaller_ends / max(1.0, self.entries)
            if len(factors) == 2:
                return inner + Cost(places * mean * _SECONDS_PER_STEP)
            steps = self._walks(len(factors) - 1) + places * self.reach
            return inner + Cost(steps * _SECONDS_PER_STEP)
        if isinstance(matrix, Core):
            inner = sum((self._stored(link, seen) for _, _, link in matrix.links), Cost())
            return inner + Cost(self._search(matrix, masked=True))
        return self._stored(matrix, seen)

    def _walks(self, length: int) -> float:
        """Return steps to push every row through a chain; no row is longer than the graph."""
        steps, row = 0.0, self.entries / max(1, self.graph.num_nodes)
        for _ in range(length - 1):
            steps += self.graph.num_nodes * min(row * self.reach, self.entries)
            row = min(row * self.reach, self.graph.num_nodes)
        return steps

    def _pairs(self, length: int) -> float:
        return min(self.entries * self.reach ** (length - 1), float(self.graph.num_nodes) ** 2)

    def _search(self, core: Core, *, masked: bool) -> float:
        """Seconds to place the nodes of a block one by one.

        A node lies in the rows of all its links to nodes already placed. The search intersects
        the rows word by word, or walks the shortest and looks up the others, whichever is less.
        """
        if not self.entries:
            return 0.0
        order = search_order(core, masked=masked)
        seconds, maps, closure = 0.0, self.entries, self.closure
        for links in order.links[2:]:
            rows = sorted(self._row(link) for _, link in links)
            # Nodes close to a common neighbour meet more often than any two, but never less.
            fills = [max(closure, row / self.graph.num_nodes) for row in rows[1:]]
            found = max(1e-3, rows[0] * math.prod(fills))
            words = self.graph.num_nodes / 64
            apart = min(words * _SECONDS_PER_WORD, rows[0] * _SECONDS_PER_LOOKUP) * len(fills)
            seconds += maps * (_SECONDS_PER_MAP + apart + found * _SECONDS_PER_CANDIDATE)
            maps *= found
            if fills:
                closure = self.closure_in_triangles
        return seconds

    def _row(self, link: Matrix | None) -> float:
        """Return how many entries a row of a stored matrix has, seen from a random neighbour."""
        length = len(split_chain(link)[0]) if isinstance(link, Chain) else 1
        return min(self.reach**length, float(self.graph.num_nodes))

    # ------------------------------------------------------ enumeration

    def instances(self, template: Template) -> float:
        """Return an estimate of the number of instances, over all egos."""
        return self._maps(template)[-1] / template.num_automorphisms

    def enumeration(self, template: Template) -> float:
        """Seconds that the plan of the compiled search is expected to take."""
        return self._plan(template, False)[1] * self.graph.num_nodes * _SECONDS_PER_PLAN_STEP

    def search(self, template: Template, induced: bool) -> str:
        """Say how the compiled search would go, in words."""
        return self._plan(template, induced)[0]

    def _plan(self, template: Template, induced: bool) -> tuple[str, float]:
        fitted = compiled(self.graph, template)
        return _native.enumeration_plan(self.graph.native, fitted, induced)

    def _maps(self, template: Template) -> list[float]:
        """Estimated maps of the first 1, 2, ... nodes in the template's connected order."""
        placed: set[int] = set()
        maps: list[float] = []
        for node in template.canonical_order:
            ties = sum({a, b} == {node, c} for a, b in template.edges for c in placed)
            if not placed:
                maps.append(float(self.graph.num_nodes))
            elif len(placed) == 1:
                maps.append(self.entries)
            else:
                maps.append(maps[-1] * self.reach * self.closure ** (ties - 1))
            placed.add(node)
        return maps
