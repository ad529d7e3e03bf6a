"""What the roles of a template cost on a given graph, by the algebra and by enumeration.

Compared is what a user pays until the first result: all roles found, and once multiplied by 32
columns of features. Both sides are counts of elementary steps times what a step takes. The steps
of the algebra follow from sums over the degrees and from how often walks close; those of the
enumeration from random descents through its own search (``native/search_sample.hpp``), since no
formula knows what hubs do to it. Nothing looks at a clock: the same input, the same answer.

The nanoseconds were fitted to `benchmarks/auto.py`.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grape_gnn import _native
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.compile import compile_role
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
from grape_gnn.roles.algebra.share import Gathered, Local, gather, pattern_of, split_chain
from grape_gnn.roles.native_call import compiled, stop_kind
from grape_gnn.template import Template

__all__ = ["Cost", "CostModel", "role_plan"]

_COLUMNS = 32  # of the features that are multiplied once
_WORD = 64  # nodes whose bits are looked at together

# Nanoseconds per step of the algebra.
_ALGEBRA = {
    "call": 26000.0,  # starting a kernel
    "bits": 1.5,  # a word of two rows intersected
    "marked": 8.4,  # an entry of a plain row looked up
    "weighed": 0.7,  # an entry of a weighted row looked up
    "pushed": 0.16,  # an entry of a row pushed one step on
    "jumped": 36.0,  # a row of the graph that is not in the cache
    "clique": 4.3,  # a pair of a triangle's nodes, or a node looked up for one
    "stored": 69.0,  # a pair of nodes found and kept
    "placed": 120.0,  # a node of a searched block placed
    "candidate": 8.3,  # a node found by a search
    "lookup": 44.0,  # a node of a row looked up in another
    "summed": 0.54,  # a value of a sum of matrices
    "product": 0.1,  # an entry times a column
    "streamed": 1.4,  # the same for a pair that is not stored
    "fetched": 29.0,  # a row of features that is not in the cache
    "output": 0.15,  # a value of a product written
}
# Nanoseconds per step of the enumeration; the first nine as in native/search_sample.hpp.
_ENUMERATION = {
    "bound": 26.0,
    "derived": 2.5,
    "walked": 4.5,
    "gathered": 4.0,
    "combined": 2.5,
    "words": 0.06,
    "decoded": 4.0,
    "handed": 0.92,
    "finished": 8.5,
    "clique": 2.7,
    "jumped": 2.1,
    "row": 360.0,  # of a role matrix begun
    "entry": 23.0,  # written to a role matrix
    "product": 0.27,
    "fetched": 100.0,
    "output": 4.9,
}
_SEARCH = tuple(_ENUMERATION)[:9]
_CACHE = 1e6  # bytes of features beyond which a row has to be fetched
_CLEARLY_MORE = 100.0  # a rough guess is enough to see that enumeration takes longer
_PLANNING = 0.02  # of the time of the algebra may go into looking at the enumeration
_BYTES_PER_PAIR = 24.0
_MOST_PAIR_BYTES = 4e9

Steps = dict[str, float]


@dataclass(frozen=True)
class Cost:
    """Seconds to compute the stored parts, and entries stored off the graph's own edges."""

    seconds: float = 0.0
    entries: float = 0.0


@dataclass(frozen=True)
class _Profile:
    """See ``native/graph_profile.hpp``."""

    wedges: float
    smaller_ends: float
    two_hops: float
    closing: float
    closing_in_triangles: float


class CostModel:
    """Costs on one graph.

    Parameters
    ----------
    graph
        The graph.

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
        self._seconds: float | None = None
        self._deadline: float | None = None
        self._memory: int | None = None
        self._kept: set[Matrix] = set()

    @contextmanager
    def within(self, seconds: float | None, memory: int | None) -> Iterator[None]:
        """Limit the time and the bytes of the estimates made inside the block."""
        self._seconds, self._memory = seconds, memory
        self._deadline = None if seconds is None else clock.monotonic() + seconds
        try:
            yield
        finally:
            self._seconds = self._deadline = self._memory = None

    # ------------------------------------------------------ what the graph is like

    @property
    def nodes(self) -> float:
        """Number of nodes."""
        return float(self.graph.num_nodes)

    @property
    def entries(self) -> float:
        """Stored entries of the adjacency matrix."""
        return float(len(self.graph.indices))

    @cached_property
    def profile(self) -> _Profile:
        """Sums over the degrees, and how often walks close."""
        *found, stop = _native.graph_profile(self.graph.native, self._limits())
        self._check(stop)
        return _Profile(*found)

    @property
    def reach(self) -> float:
        """Mean degree of a random neighbour: by how much a step multiplies the walks."""
        return self.profile.wedges / max(1.0, self.entries)

    @property
    def shorter(self) -> float:
        """Mean length of the shorter row of an edge's two ends."""
        return self.profile.smaller_ends / max(1.0, self.entries)

    @property
    def far(self) -> float:
        """Whether the features of a random node have to be fetched from far."""
        return float(self.nodes * _COLUMNS * 4 > _CACHE)

    def _limits(self) -> tuple[float | None, int | None, None]:
        left = None if self._deadline is None else max(0.0, self._deadline - clock.monotonic())
        return (left, self._memory, None)

    def _check(self, stop: int) -> None:
        if stop_kind(stop) == "time" or self._limits()[0] == 0.0:
            raise BudgetExceededError(
                "time",
                f"the time budget of {self._seconds:.3g} s ran out while an engine was chosen for "
                f"{self.graph!r}: allow more with time=..., or name the engine",
            )

    # ------------------------------------------------------ algebra

    def prepare(self, matrices: Iterable[Matrix]) -> Cost:
        """Everything that has to be stored before operators with these terms can be applied."""
        building = _Building(self, set())
        for matrix in matrices:
            factors, vectors = split_chain(matrix)
            for factor in factors:
                building.store(factor)
            for vector in vectors:
                building.weigh(vector)
        return Cost(_seconds(building.steps, _ALGEBRA), building.pairs)

    def algebra(self, template: Template) -> float:
        """Seconds to build all roles by the algebra, and to multiply them once."""
        return _seconds(self.algebra_steps(template), _ALGEBRA)

    def algebra_steps(self, template: Template) -> Steps:
        """Return the steps of the algebra by kind; what is kept already costs nothing."""
        building = _Building(self, set(self._kept))
        passes = set()
        for plan in self._plans(template):
            for product in plan.products:
                for factor in product.factors:
                    building.factor(factor)
                for vector in (v for sums in product.diagonals for _, v in sums.parts):
                    building.weigh(vector)
                rest = range(len(product.factors))
                passes |= {(product.factors[k:], product.diagonals[k:]) for k in rest}
        for factors, _ in passes:
            building.multiply(factors[0])
        building.count("output", (template.num_roles - 1) * self.nodes * _COLUMNS)
        return building.steps

    def keep(self, template: Template) -> None:
        """Note that the stored parts of a template will be there for the next one."""
        building = _Building(self, self._kept)
        for plan in self._plans(template):
            for product in plan.products:
                for factor in product.factors:
                    building.factor(factor)

    def _plans(self, template: Template) -> Iterator[Gathered]:
        for role in range(1, template.num_roles):
            yield role_plan(template, role)
            self._check(0)  # large templates have long expressions

    # ------------------------------------------------------ enumeration

    def instances(self, template: Template) -> float:
        """Return an estimate of the number of instances, over all egos."""
        return self._maps(template) / template.num_automorphisms

    def enumeration(
        self, template: Template, *, induced: bool = False, spare: float = 1.0
    ) -> float:
        """Seconds to find all roles by enumeration, and to multiply them once.

        Parameters
        ----------
        template, induced
            What to enumerate.
        spare
            Seconds of another engine: an enumeration that clearly takes longer is not looked at.
        """
        if not _is_clique(template):
            rough = self._plan(template, induced)[1] * self.nodes * 1e-9
            if rough > _CLEARLY_MORE * spare:
                return rough
        return _seconds(self.enumeration_steps(template, induced, spare), _ENUMERATION)

    def enumeration_steps(self, template: Template, induced: bool, spare: float) -> Steps:
        """Return the steps of the enumeration by kind."""
        if _is_clique(template):  # has a kernel of its own, the same as the algebra's
            building = _Building(self, set())
            found = building.clique(template.num_nodes)
            steps, additions = building.steps, [0.0, found]
        else:
            counts, additions, stop = _native.enumeration_work(
                self.graph.native,
                compiled(self.graph, template),
                induced,
                _PLANNING * spare * 1e9,
                self._limits(),
            )
            self._check(stop)
            steps = dict(zip(_SEARCH, counts, strict=True))
            if stop_kind(stop) == "memory":
                return steps | {"bound": math.inf}  # it would not fit
        entries = 0.0
        for role in range(1, template.num_roles):
            room = self._room(_distance(template, template.roles[role][0]))
            entries += -room * math.expm1(-additions[role] / room) if room else 0.0
        steps["row"] = (template.num_roles - 1) * self.nodes
        steps["entry"] = entries
        steps["product"] = entries * _COLUMNS
        steps["fetched"] = entries * self.far
        steps["output"] = (template.num_roles - 1) * self.nodes * _COLUMNS
        return steps

    def search(self, template: Template, induced: bool) -> str:
        """Say how the compiled search would go, in words."""
        return self._plan(template, induced)[0]

    def _plan(self, template: Template, induced: bool) -> tuple[str, float]:
        fitted = compiled(self.graph, template)
        return _native.enumeration_plan(self.graph.native, fitted, induced)

    def _room(self, distance: int) -> float:
        """Pairs of nodes so many steps apart, at most."""
        return {1: self.entries, 2: self.profile.two_hops}.get(distance, self.nodes**2)

    def _maps(self, template: Template) -> float:
        """Estimated maps, node by node in the template's connected order."""
        placed: set[int] = set()
        maps = self.nodes
        for node in template.canonical_order:
            ties = sum({a, b} == {node, c} for a, b in template.edges for c in placed)
            if len(placed) == 1:
                maps = self.entries
            elif placed:
                maps *= self.reach * self.profile.closing ** (ties - 1)
            placed.add(node)
        return maps


class _Building:
    """Counts the steps to compute stored matrices, each once."""

    def __init__(self, model: CostModel, seen: set[Matrix]) -> None:
        self.model = model
        self.seen = seen
        self.steps: Steps = {}
        self.pairs = 0.0

    def count(self, kind: str, steps: float) -> None:
        self.steps[kind] = self.steps.get(kind, 0.0) + steps

    def weigh(self, vector: Vector) -> None:
        if isinstance(vector, Times):
            for factor in vector.factors:
                self.weigh(factor)
        elif isinstance(vector, Apply):
            self.count("pushed", self.model.entries)
            self.store(vector.matrix)
            self.weigh(vector.vector)

    def factor(self, factor: Matrix | Local) -> None:
        """Store a factor of a product, or what its rows are computed from at every product."""
        if not isinstance(factor, Local):
            self.store(factor)
            return
        for _, left, matrix, right in factor.pieces:
            if self.streams(factor):
                for part in matrix.factors if isinstance(matrix, Hadamard) else (matrix,):
                    for inner in split_chain(part)[0]:
                        self.store(inner)
            else:
                self.store(matrix)
            self.weigh(left)
            self.weigh(right)
        if not self.streams(factor):
            self.count("summed", len(factor.pieces) * self.length(factor.pieces[0][2]))

    def multiply(self, factor: Matrix | Local) -> None:
        """Count one pass of a factor over the features."""
        places = self.length(factor.pieces[0][2] if isinstance(factor, Local) else factor)
        if isinstance(factor, Local) and self.streams(factor):
            for _, _, matrix, _ in factor.pieces:
                self.form(matrix)
            self.count("streamed", places * _COLUMNS)
        else:
            self.count("product", places * _COLUMNS)
        self.count("fetched", places * self.model.far)
        self.count("output", self.model.nodes * _COLUMNS)

    def streams(self, factor: Local) -> bool:
        if factor.on_edges:
            return False
        return factor.lean or self.model.profile.two_hops * _BYTES_PER_PAIR > _MOST_PAIR_BYTES

    def store(self, matrix: Matrix) -> None:
        if matrix in self.seen or isinstance(matrix, Adjacency | Diagonal):
            return
        self.seen.add(matrix)
        self.count("call", 1)
        if isinstance(matrix, Clique):
            self.clique(matrix.size)
        elif isinstance(matrix, Hadamard):
            lead, *others = matrix.factors
            self.store(lead)
            for other in set(others) - {lead}:
                self.look_up(other, lead)
        else:
            self.form(matrix)
            self.count("stored", self.length(matrix))
            self.pairs += self.length(matrix)

    def clique(self, size: int) -> float:
        """Look at pairs inside the later neighbours of every node; return about how many meet."""
        model = self.model
        shared = model.shorter * model.profile.closing
        triangles = model.entries * shared / 6
        deeper = (shared * model.profile.closing_in_triangles / 4) ** (size - 4)
        self.count("clique", model.profile.smaller_ends / 4 + triangles * deeper)
        self.count("jumped", model.entries * model.far)
        return triangles * deeper * (size - 1)

    def form(self, matrix: Matrix) -> None:
        """Compute all rows of a matrix whose pattern is not known before."""
        if isinstance(matrix, Hadamard):
            for factor in matrix.factors:
                self.form(factor)
        elif isinstance(matrix, Core):
            for _, _, link in matrix.links:
                self.store(link)
            self.search(matrix, masked=False)
        else:
            factors, _ = split_chain(matrix)
            for factor in factors:
                self.store(factor)
            self.push(len(factors) - 1)

    def look_up(self, matrix: Matrix, lead: Matrix) -> None:
        """Compute a matrix at the places of another only."""
        model = self.model
        if isinstance(matrix, Core):
            for _, _, link in matrix.links:
                self.store(link)
            self.search(matrix, masked=True)
            return
        if not isinstance(matrix, Chain):
            self.store(matrix)
            return
        self.count("call", 1)
        factors, vectors = split_chain(matrix)
        for factor in factors:
            self.store(factor)
        for vector in vectors:
            self.weigh(vector)
        on_edges = isinstance(pattern_of(lead), Adjacency)
        places = self.length(lead)
        self.count("jumped", places * model.far)
        if len(factors) > 2:
            self.push(len(factors) - 2)
            self.count("weighed", places * model.reach)
        elif not on_edges:
            self.count("weighed", places * model.entries / max(1.0, model.nodes))
        elif matrix != Chain((Adjacency("out"), Adjacency("out"))):
            long = any(self.length(factor) > model.entries for factor in factors)
            self.count("weighed", model.profile.wedges if long else model.profile.smaller_ends)
        elif model.entries > model.nodes * (model.nodes // _WORD):
            self.count("bits", places / 2 * model.nodes / _WORD)
        else:
            self.count("marked", model.profile.smaller_ends / 2)

    def push(self, times: int) -> None:
        """Push every row through a matrix; no row is longer than the graph."""
        model = self.model
        row = model.entries
        for _ in range(times):
            self.count("jumped", row * model.far)
            self.count("pushed", min(row * model.reach, model.nodes * model.entries))
            row = self.after(row)

    def after(self, pairs: float) -> float:
        """Distinct pairs that a step makes of so many."""
        model = self.model
        if pairs == model.entries:
            return model.profile.two_hops
        most = model.nodes**2
        return -most * math.expm1(-pairs * model.reach / most) if most else 0.0

    def length(self, matrix: Matrix) -> float:
        """Return the stored entries of a matrix."""
        pattern = pattern_of(matrix)
        if isinstance(pattern, Core):
            room = self.model.profile.two_hops
            return -room * math.expm1(-self.found(pattern) / room) if room else 0.0
        pairs = self.model.entries
        for _ in split_chain(pattern)[0][1:]:
            pairs = self.after(pairs)
        return pairs

    def found(self, core: Core) -> float:
        """Return how many maps of a block a search without a mask finds."""
        silent = _Building(self.model, set())
        return silent.search(core, masked=False)

    def search(self, core: Core, *, masked: bool) -> float:
        """Place the nodes of a block one by one; return how many maps there are.

        A node lies in the rows of all its links to nodes already placed. The search intersects
        the rows word by word, or walks the shortest and looks up the others, whichever is less.
        """
        model = self.model
        maps, closing = model.entries, model.profile.closing
        if not maps:
            return 0.0
        words = model.nodes / _WORD
        for links in search_order(core, masked=masked).links[2:]:
            self.count("placed", maps)
            self.count("jumped", maps * model.far)
            rows = sorted(model.reach if a is None else self.row(a) for _, a in links)
            shortest = rows[0] if len(rows) == 1 else min(rows[0], model.shorter)
            # Nodes close to a common neighbour meet more often than any two, but never less.
            fills = [max(closing, row / model.nodes) for row in rows[1:]]
            if words * _ALGEBRA["bits"] < shortest * _ALGEBRA["lookup"]:
                self.count("bits", maps * words * len(fills))
            else:
                self.count("lookup", maps * shortest * len(fills))
            found = max(1e-3, shortest * math.prod(fills))
            self.count("candidate", maps * found)
            maps *= found
            if fills:
                closing = model.profile.closing_in_triangles
        return maps

    def row(self, link: Matrix) -> float:
        """Entries of a row of a stored matrix, seen from a random neighbour."""
        steps = len(split_chain(link)[0]) if isinstance(link, Chain) else 1
        return min(self.model.reach**steps, self.model.nodes)


def _seconds(steps: Steps, nanoseconds: dict[str, float]) -> float:
    return sum(count * nanoseconds[kind] for kind, count in steps.items()) * 1e-9


@lru_cache(maxsize=4096)
def role_plan(template: Template, role: int) -> Gathered:
    """Return the gathered terms of one role, the same for every graph."""
    is_tree = len(template.edges) == template.num_nodes - 1
    return gather(compile_role(template, role), lean=is_tree)


def _is_clique(template: Template) -> bool:
    pairs = template.num_nodes * (template.num_nodes - 1) // 2
    return len(template.edges) == pairs and template.num_nodes > 3 and not template.has_labels


def _distance(template: Template, node: int) -> int:
    """Edges between the anchor and a node."""
    reached, steps = {0}, 0
    while node not in reached:
        steps += 1
        reached |= {b for edge in template.edges for a in edge for b in edge if a in reached}
    return steps
