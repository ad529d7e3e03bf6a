"""How many elementary steps the role algebra takes on a graph, and what a step takes.

The steps follow from sums over the degrees and from how often walks close: walks through a chain,
entries of patterns, nodes placed by a search. Rows of the graph or of the features that do not
fit into the cache are counted apart, since fetching one takes longer than using it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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
    transpose,
)
from grape_gnn.roles.algebra.search_order import search_order
from grape_gnn.roles.algebra.share import Local, pattern_of, split_chain

__all__ = ["COLUMNS", "NANOSECONDS", "AlgebraSteps", "Figures", "Steps", "seconds_of"]

COLUMNS = 32  # of the features that are multiplied once
_WORD = 64  # nodes whose bits are looked at together
_CACHE = 1e6  # bytes of features beyond which a row has to be fetched
_BYTES_PER_PAIR = 24.0
_MOST_PAIR_BYTES = 4e9  # beyond it pairs are streamed, see execute_numpy

# Fitted to benchmarks/auto.py, "marked" to benchmarks/plan.py.
NANOSECONDS = {
    "call": 24000.0,  # starting a kernel
    "bits": 1.5,  # a word of two rows intersected
    "marked": 3.2,  # an entry of a plain row looked up
    "weighed": 0.69,  # an entry of a weighted row looked up
    "pushed": 0.13,  # an entry of a row pushed one step on
    "jumped": 44.0,  # a row of the graph that is not in the cache
    "clique": 4.3,  # a pair of a triangle's nodes, or a node looked up for one
    "stored": 87.0,  # a pair of nodes found and kept
    "placed": 110.0,  # a node of a searched block placed
    "candidate": 8.0,  # a node found by a search
    "lookup": 43.0,  # a node of a row looked up in another
    "summed": 0.51,  # a value of a sum of matrices
    "product": 0.1,  # an entry times a column
    "streamed": 1.4,  # the same for a pair that is not stored
    "fetched": 29.0,  # a row of features that is not in the cache
    "output": 0.098,  # a value of a product written
    "written": 35.0,  # an entry of a role that is written out
}

Steps = dict[str, float]


def seconds_of(steps: Steps, nanoseconds: dict[str, float] = NANOSECONDS) -> float:
    """Return what steps take together, those of the algebra unless said otherwise."""
    return sum(count * nanoseconds[kind] for kind, count in steps.items()) * 1e-9


@dataclass(frozen=True)
class Figures:
    """What is known of a graph; the last five as in ``native/graph_profile.hpp``."""

    nodes: float
    entries: float
    wedges: float
    smaller_ends: float
    two_hops: float
    closing: float
    closing_in_triangles: float

    @property
    def reach(self) -> float:
        """Mean degree of a random neighbour: by how much a step multiplies the walks."""
        return self.wedges / max(1.0, self.entries)

    @property
    def shorter(self) -> float:
        """Mean length of the shorter row of an edge's two ends."""
        return self.smaller_ends / max(1.0, self.entries)

    @property
    def far(self) -> float:
        """Whether the features of a random node have to be fetched from far: 1, else 0."""
        return float(self.nodes * COLUMNS * 4 > _CACHE)


class AlgebraSteps:
    """Counts the steps to compute stored matrices, each once, and to multiply by them."""

    def __init__(self, figures: Figures, seen: set[Matrix]) -> None:
        self.figures = figures
        self.seen = seen
        self.steps: Steps = {}
        self.pairs = 0.0

    def count(self, kind: str, steps: float) -> None:
        """Add steps of a kind."""
        self.steps[kind] = self.steps.get(kind, 0.0) + steps

    def weigh(self, vector: Vector) -> None:
        """Compute one number per node."""
        if isinstance(vector, Times):
            for factor in vector.factors:
                self.weigh(factor)
        elif isinstance(vector, Apply):
            self.count("pushed", self.figures.entries)
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
            self.count("streamed", places * COLUMNS)
        else:
            self.count("product", places * COLUMNS)
        self.count("fetched", places * self.figures.far)
        self.count("output", self.figures.nodes * COLUMNS)

    @property
    def pairs_fit(self) -> bool:
        """Whether the pairs of nodes stored so far fit into memory."""
        return self.pairs * _BYTES_PER_PAIR <= _MOST_PAIR_BYTES

    def streams(self, factor: Local) -> bool:
        """Say whether the rows of a factor are computed anew at every product."""
        if factor.on_edges:
            return False
        return factor.lean or self.figures.two_hops * _BYTES_PER_PAIR > _MOST_PAIR_BYTES

    def store(self, matrix: Matrix) -> None:
        """Compute a matrix and keep it."""
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
        figures = self.figures
        shared = figures.shorter * figures.closing
        triangles = figures.entries * shared / 6
        deeper = (shared * figures.closing_in_triangles / 4) ** (size - 4)
        self.count("clique", figures.smaller_ends / 4 + triangles * deeper)
        self.count("jumped", figures.entries * figures.far)
        return triangles * deeper * (size - 1)

    def form(self, matrix: Matrix) -> None:
        """Compute all rows of a matrix whose pattern is not known before."""
        if isinstance(matrix, Hadamard):
            for factor in matrix.factors:
                self.form(factor)
        elif isinstance(matrix, Core):
            for _, _, link in matrix.links:
                self.store(link)
            self.search(matrix)
        else:
            factors, _ = split_chain(matrix)
            for factor in factors:
                self.store(factor)
            self.push(len(factors) - 1)

    def look_up(self, matrix: Matrix, lead: Matrix) -> None:
        """Compute a matrix at the places of another only."""
        figures = self.figures
        if isinstance(matrix, Core):
            if matrix in self.seen:  # what is stored is not searched again
                self.count("weighed", self.length(lead) + self.length(matrix))
                return
            for _, _, link in matrix.links:
                self.store(link)
            self.search(matrix, lead)
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
        # What is the same both ways is computed once for two nodes.
        both_ways = on_edges and matrix == transpose(matrix)
        self.count("jumped", (places / 2 if both_ways else places) * figures.far)
        if len(factors) > 2:
            self.meet(len(factors), places)
        elif not on_edges:
            self.count("weighed", places * figures.entries / max(1.0, figures.nodes))
        elif matrix != Chain((Adjacency("out"), Adjacency("out"))):
            long = any(self.length(factor) > figures.entries for factor in factors)
            self.count("weighed", figures.wedges if long else figures.smaller_ends)
        elif figures.entries > figures.nodes * (figures.nodes // _WORD):
            self.count("bits", places / 2 * figures.nodes / _WORD)
        else:
            self.count("marked", figures.smaller_ends / 2)

    def meet(self, steps: int, places: float) -> None:
        """Push rows through some factors, and walk the others from every place, see `reach`."""
        choices = []
        for front in range(1, steps):
            choice = AlgebraSteps(self.figures, set())
            choice.push(front - 1)
            choice.count("weighed", places * self.figures.reach ** (steps - front))
            choices.append(choice.steps)
        for kind, count in min(choices, key=seconds_of).items():
            self.count(kind, count)

    def push(self, times: int) -> None:
        """Push every row through a matrix; no row is longer than the graph."""
        figures = self.figures
        row = figures.entries
        for _ in range(times):
            self.count("jumped", row * figures.far)
            self.count("pushed", min(row * figures.reach, figures.nodes * figures.entries))
            row = self.after(row)

    def after(self, pairs: float) -> float:
        """Distinct pairs that a step makes of so many."""
        figures = self.figures
        if pairs == figures.entries:
            return figures.two_hops
        most = figures.nodes**2
        return -most * math.expm1(-pairs * figures.reach / most) if most else 0.0

    def length(self, matrix: Matrix) -> float:
        """Return the stored entries of a matrix."""
        pattern = pattern_of(matrix)
        if isinstance(pattern, Core):
            room = self.figures.two_hops
            return -room * math.expm1(-self.found(pattern) / room) if room else 0.0
        pairs = self.figures.entries
        for _ in split_chain(pattern)[0][1:]:
            pairs = self.after(pairs)
        return pairs

    def found(self, core: Core) -> float:
        """Return how many maps of a block a search without a mask finds."""
        silent = AlgebraSteps(self.figures, set())
        return silent.search(core)

    def search(self, core: Core, lead: Matrix | None = None) -> float:
        """Place the nodes of a block one by one; return how many maps there are.

        The first two are an edge, or with `lead` one of its places. A later node lies in the rows
        of all its links to nodes already placed. The search intersects the rows word by word, or
        walks the shortest and looks up the others, whichever is less.
        """
        figures = self.figures
        maps, closing = figures.entries, figures.closing
        if not maps:
            return 0.0
        if lead is not None and not isinstance(pattern_of(lead), Adjacency):
            maps = self.length(lead)  # pairs two steps apart, which have few nodes in between
            closing = figures.wedges / max(1.0, figures.two_hops * figures.shorter)
        words = figures.nodes / _WORD
        for links in search_order(core, masked=lead is not None).links[2:]:
            self.count("placed", maps)
            self.count("jumped", maps * figures.far)
            rows = sorted(figures.reach if a is None else self.row(a) for _, a in links)
            shortest = rows[0] if len(rows) == 1 else min(rows[0], figures.shorter)
            # Nodes close to a common neighbour meet more often than any two, but never less.
            fills = [max(closing, row / figures.nodes) for row in rows[1:]]
            if words * NANOSECONDS["bits"] < shortest * NANOSECONDS["lookup"]:
                self.count("bits", maps * words * len(fills))
            else:
                self.count("lookup", maps * shortest * len(fills))
            found = max(1e-3, shortest * math.prod(fills))
            self.count("candidate", maps * found)
            maps *= found
            if fills:
                closing = figures.closing_in_triangles
        return maps

    def row(self, link: Matrix) -> float:
        """Entries of a row of a stored matrix, seen from a random neighbour."""
        steps = len(split_chain(link)[0]) if isinstance(link, Chain) else 1
        return min(self.figures.reach**steps, self.figures.nodes)
