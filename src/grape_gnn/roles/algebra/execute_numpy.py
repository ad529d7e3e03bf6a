"""Evaluate expressions on a graph: node weights and stored matrices, each computed once.

Nothing here forms a product that an operator can apply step by step. Stored are only matrices
on the graph's own edges and, where a block's terminals are not adjacent, the pairs the block
joins; those are bounded by the memory budget.
"""

from __future__ import annotations

from functools import cached_property
from math import factorial
from typing import Any

import numpy as np

from grape_gnn import _native
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.edge_patterns import EdgePatterns
from grape_gnn.roles.algebra.exact import Integers, Numbers, combined, counted, multiplied, summed
from grape_gnn.roles.algebra.expression import (
    Adjacency,
    Apply,
    Chain,
    Clique,
    Core,
    Hadamard,
    HasLabel,
    Matrix,
    Ones,
    Times,
    Vector,
    transpose,
)
from grape_gnn.roles.algebra.limits import Limits
from grape_gnn.roles.algebra.reach import Reach
from grape_gnn.roles.algebra.search_order import search_order
from grape_gnn.roles.algebra.share import UNIT, Local, WeightSum, pattern_of, split_chain
from grape_gnn.roles.algebra.stored import Pattern, StoredMatrix
from grape_gnn.roles.algebra.stream import pairs_within_two_hops
from grape_gnn.roles.engine import MatchSettings

__all__ = ["Evaluator"]

_BYTES_PER_PAIR = 24  # while rows are joined, a column and a value are there twice
_BYTES_PER_HALF = 64  # while the entries that are looked up are chosen
_PAIR_BYTES = 4 * 10**9  # without a memory budget, pairs beyond this are streamed


class Evaluator(Limits):
    """Values of expressions on one graph, kept for every role that needs them.

    Parameters
    ----------
    graph
        The graph.
    settings
        Threads, and the memory that everything stored may take.

    Examples
    --------
    >>> from grape_gnn.roles.algebra.expression import Adjacency, apply
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> Evaluator(path).vector(apply(Adjacency("out"), Ones())).floats
    array([1., 2., 1.])
    """

    def __init__(self, graph: Graph, settings: MatchSettings | None = None) -> None:
        super().__init__(graph, settings or MatchSettings())
        self.edges = EdgePatterns(self)
        self._vectors: dict[Vector, Numbers] = {}
        self._sums: dict[WeightSum, Numbers] = {}
        self._matrices: dict[Matrix, StoredMatrix] = {}
        self._locals: dict[Local, StoredMatrix] = {}
        self._looked_up: dict[tuple[Matrix, Matrix], Numbers] = {}

    @property
    def densest(self) -> int:
        """Entries of the fullest matrix stored so far."""
        stored = [*self._matrices.values(), *self._locals.values()]
        return max((matrix.pattern.nnz for matrix in stored), default=0)

    def forget(self) -> None:
        """Let go of the numbers on the graph's edges; they are computed again when needed.

        Pairs off the edges stay: they were stored because computing them takes long.
        """
        edges = len(self.graph.indices)
        kept: tuple[dict[Any, StoredMatrix], ...] = (self._matrices, self._locals)
        for stored in kept:
            for key, matrix in list(stored.items()):
                if matrix.numbers is not None and matrix.pattern.nnz <= edges:
                    del stored[key]
        self._looked_up.clear()
        self.edges.forget()
        left = {id(m.numbers): m.numbers for stored in kept for m in stored.values()}
        weights = [*self._vectors.values(), *self._sums.values()]
        self.stored_bytes = sum(n.nbytes for n in [*left.values(), *weights] if n is not None)

    # ------------------------------------------------------------ vectors

    def vector(self, expression: Vector) -> Numbers:
        """One number per node."""
        if expression not in self._vectors:
            self.check_room(8 * self.graph.num_nodes)
            self._vectors[expression] = self.booked(self._vector(expression))
        return self._vectors[expression]

    def _vector(self, expression: Vector) -> Numbers:
        if isinstance(expression, Ones):
            return Numbers(np.ones(self.graph.num_nodes))
        if isinstance(expression, HasLabel):
            return self._has_label(expression.label)
        if isinstance(expression, Times):
            return multiplied([self.vector(factor) for factor in expression.factors])
        return self._applied(expression)

    def _has_label(self, label: object) -> Numbers:
        codes, names = self.graph.matched_types
        if codes is None or label not in names:
            return Numbers(np.zeros(self.graph.num_nodes))
        return Numbers((codes == names.index(label)).astype(np.float64))

    def _applied(self, expression: Apply) -> Numbers:
        matrix, vector = self.matrix(expression.matrix), self.vector(expression.vector)
        if matrix.numbers is None and expression.vector == Ones():
            return Numbers(np.diff(matrix.pattern.ptr).astype(np.float64))  # the degrees

        def run(rows: Any, values: Any) -> Any:
            out = np.empty((len(values), 1), dtype=values.dtype)
            dense = values.reshape(-1, 1)
            _native.dense_product(rows, None, None, dense, None, dense, out, False, self.threads)
            return out.ravel()

        return counted(
            lambda: run(matrix.rows("floats"), vector.floats),
            lambda: run(matrix.rows("integers"), vector.as_integers()),
        )

    def weights(self, expression: WeightSum) -> Numbers | None:
        """Return a summed diagonal, or None for the identity."""
        if expression == UNIT:
            return None
        if expression not in self._sums:
            parts = [(coefficient, self.vector(v)) for coefficient, v in expression.parts]
            self.check_room(8 * self.graph.num_nodes)
            self._sums[expression] = self.booked(combined(parts))
        return self._sums[expression]

    # ----------------------------------------------------------- matrices

    def matrix(self, expression: Matrix) -> StoredMatrix:
        """Return a stored sparse matrix."""
        if expression not in self._matrices:
            other_way = transpose(expression)
            turned = self._matrices.get(other_way)
            # Entry-wise products may lie on another factor's pattern once transposed.
            fits = turned is not None and pattern_of(other_way) == transpose(pattern_of(expression))
            self._matrices[expression] = (
                self._turned(turned) if turned is not None and fits else self._matrix(expression)
            )
        return self._matrices[expression]

    def _turned(self, matrix: StoredMatrix) -> StoredMatrix:
        if matrix.numbers is None:
            return matrix.transposed()
        self.check_room(matrix.numbers.nbytes)
        self.stored_bytes += matrix.numbers.nbytes
        return matrix.transposed()

    def _matrix(self, expression: Matrix) -> StoredMatrix:
        if isinstance(expression, Adjacency):
            return StoredMatrix(self.edges.of(expression))
        if isinstance(expression, Clique):
            return self._clique(expression.size)
        if isinstance(expression, Hadamard):
            base = self.matrix(expression.factors[0])
            lead, *others = expression.factors
            values = [] if base.numbers is None else [base.numbers]
            for factor in others:
                place = (factor, pattern_of(lead))
                if place not in self._looked_up:
                    self.check_room(8 * base.pattern.nnz)
                    self._looked_up[place] = self.booked(
                        base.values() if factor == lead else self.at_places(factor, base.pattern)
                    )
                values.append(self._looked_up[place])
            self.check_room(8 * base.pattern.nnz)
            return StoredMatrix(base.pattern, self.booked(multiplied(values)))
        if isinstance(expression, Core):
            return self._found(expression, self._pattern_rows(expression))
        return self._found(expression, self._chain_rows(expression))

    def _clique(self, size: int) -> StoredMatrix:
        edges = self.matrix(Adjacency("out"))
        support, reason = _native.clique_support(
            edges.rows("floats"), edges.pattern.origin, size, self.threads, self.watch
        )
        self.check(reason)
        orders = factorial(size - 2)
        self.check_room(2 * support.nbytes)
        counts = counted(lambda: support.astype(np.float64) * orders, lambda: support * orders)
        return StoredMatrix(edges.pattern, self.booked(counts))

    def at_places(self, expression: Matrix, places: Pattern) -> Numbers:
        """Return a matrix's values at the places of a pattern; only those are computed."""
        if isinstance(expression, Chain):
            return counted(
                lambda: self._masked_chain(expression, places, "floats"),
                lambda: self._masked_chain(expression, places, "integers"),
            )
        if isinstance(expression, Core):
            return counted(
                lambda: self._masked_pattern(expression, places, "floats"),
                lambda: self._masked_pattern(expression, places, "integers"),
            )
        return self.matrix(expression).values()  # on the same pattern, as the graph's edges

    def _masked_chain(self, expression: Matrix, places: Pattern, kind: Any) -> Any:
        factors, diagonals = split_chain(expression)
        mask = StoredMatrix(places).rows(kind)
        if len(factors) == 2 and diagonals[0] == diagonals[2] == Ones():
            origin = places.origin
            turned = StoredMatrix(places.transposed).rows(kind)
            values, reason = _native.masked_product(
                mask,
                turned,
                origin,
                self.matrix(factors[0]).rows(kind),
                self.matrix(transpose(factors[1])).rows(kind),
                self.diagonal(diagonals[1], kind),
                places.symmetric and expression == transpose(expression),
                self.threads,
                self.watch,
            )
        else:
            return self._long_chain(expression, places, kind)
        self.check(reason)
        return values

    def _long_chain(self, expression: Matrix, places: Pattern, kind: Any) -> Any:
        """Look a product up whose halves meet; one that is the same both ways only one way."""
        factors, diagonals = split_chain(expression)
        turned = [transpose(factor) for factor in factors]
        (_, room, _), _ = self.watch
        fits = room is None or _BYTES_PER_HALF * places.nnz < room
        if fits and places.symmetric and expression == transpose(expression):
            asked, chosen = self.reach.one_way(places)
        else:
            asked, chosen = places, None
        heads = np.flatnonzero(np.diff(asked.ptr))
        front = self.reach.best_front(len(factors), heads, asked.idx)
        rows = [self.matrix(f).rows(kind) for f in (*factors[:front], *turned[front:])]
        weights = [self.diagonal(vector, kind) for vector in diagonals]
        mask = StoredMatrix(asked).rows(kind)
        found, reason = _native.masked_chain(
            mask, (1, rows, weights), front, self.threads, self.watch
        )
        self.check(reason)
        if chosen is None:
            return found
        values = np.empty(places.nnz, dtype=found.dtype)
        values[chosen] = values[places.origin[chosen]] = found
        return values

    def _chain_rows(self, expression: Matrix) -> Any:
        factors, diagonals = split_chain(expression)
        rows = [self.matrix(factor).rows("floats") for factor in factors]
        weights = [self.diagonal(vector, "floats") for vector in diagonals]
        watch = (self.limits, self.progress)
        return _native.combine_rows(rows[0], [(1, rows, weights)], 1, self.threads, watch)

    def _masked_pattern(self, core: Core, places: Pattern, kind: Any) -> Any:
        mask = StoredMatrix(places).rows(kind)
        if core in self._matrices:  # no second search: a pattern of one link has its values
            links = [[], [(0, mask), (0, self._matrices[core].rows(kind))]]
            weights = [None, None]
        else:
            plan = search_order(core, masked=True)
            links = [
                [
                    (origin, mask if link is None else self.matrix(link).rows(kind))
                    for origin, link in at
                ]
                for at in plan.links
            ]
            weights = [self.diagonal(core.weights[node], kind) for node in plan.order]
        values, reason = _native.masked_pattern(mask, links, weights, self.threads, self.watch)
        self.check(reason)
        return values

    def _pattern_rows(self, core: Core) -> Any:
        plan = search_order(core, masked=False)
        links = [
            [(origin, self.matrix(link).rows("floats")) for origin, link in at if link is not None]
            for at in plan.links
        ]
        weights = [self.diagonal(core.weights[node], "floats") for node in plan.order]
        shape = links[1][0][1]
        target = plan.order.index(1)
        watch = (self.limits, self.progress)
        return _native.pattern_rows(shape, links, weights, target, self.threads, watch)

    def _found(self, expression: Matrix, rows: Any) -> StoredMatrix:
        """Return a matrix whose pattern is only known once its rows are computed."""
        ptr, idx, floats, reason = rows
        self.check(reason)
        places = self.edges.pattern(ptr, idx)
        self.stored_bytes += ptr.nbytes + idx.nbytes + floats.nbytes

        def in_integers() -> Integers:
            # At the same places: modulo 2^64 a count may be zero where there is one.
            integers: Integers = (
                self._masked_pattern(expression, places, "integers")
                if isinstance(expression, Core)
                else self._masked_chain(expression, places, "integers")
            )
            self.stored_bytes += integers.nbytes
            return integers

        return StoredMatrix(places, counted(lambda: floats, in_integers))

    def factor(self, expression: Matrix | Local) -> StoredMatrix:
        """Return a factor of a product, stored."""
        if isinstance(expression, Local):
            return self.local(expression)
        return self.matrix(expression)

    def streams(self, expression: Matrix | Local) -> bool:
        """Whether a matrix is computed row by row at every product instead of stored."""
        if not isinstance(expression, Local) or expression.on_edges or expression in self._locals:
            return False
        room = self.limits[1]
        room = _PAIR_BYTES if room is None else room
        return expression.lean or self._two_hop_pairs * _BYTES_PER_PAIR > room

    @cached_property
    def reach(self) -> Reach:
        """How far walks go from every node."""
        return Reach(self.graph)

    @cached_property
    def _two_hop_pairs(self) -> float:
        return pairs_within_two_hops(self)

    def local(self, expression: Local) -> StoredMatrix:
        """Return a sum of weighted matrices that share a pattern."""
        if expression not in self._locals:
            turned = self._locals.get(expression.transposed())
            if turned is None and expression.flipped:
                turned = self.local(expression.transposed())
            self._locals[expression] = (
                self._turned(turned) if turned is not None else self._local(expression)
            )
        return self._locals[expression]

    def _local(self, expression: Local) -> StoredMatrix:
        pieces = expression.pieces
        stored = [self.matrix(matrix) for _, _, matrix, _ in pieces]
        if len(pieces) == 1 and pieces[0][0] == 1 and pieces[0][1] == pieces[0][3] == Ones():
            return stored[0]
        places = StoredMatrix(stored[0].pattern)

        def run(kind: Any) -> Any:
            parts = [
                (c, self.diagonal(left, kind), matrix.array(kind), self.diagonal(right, kind))
                for (c, left, _, right), matrix in zip(pieces, stored, strict=True)
            ]
            values, reason = _native.weighted_sum(
                places.rows(kind), parts, self.threads, self.watch
            )
            self.check(reason)
            return values

        size = 0.0
        for (coefficient, left, _, right), matrix in zip(pieces, stored, strict=True):
            known = 1.0 if matrix.numbers is None else matrix.numbers.largest
            size += (
                abs(coefficient) * self.vector(left).largest * known * self.vector(right).largest
            )
        numbers = summed(size, lambda: run("floats"), lambda: run("integers"))
        return StoredMatrix(places.pattern, self.booked(numbers))

    # ------------------------------------------------------------ helpers

    def diagonal(self, vector: Vector, kind: Any) -> Any:
        """Return a vector as the kernels take it; None for ones."""
        if vector == Ones():
            return None
        return self.vector(vector).array(kind)
