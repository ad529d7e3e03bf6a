"""Roles at given pairs of nodes only, without forming a matrix.

A role is a sum of terms ``diag · M · diag``, where ``M`` is a product of non-negative matrices
(see `share`). Each ``M`` is evaluated at the pairs and at no other place, once for all terms and
all roles that contain it, whatever the diagonals around it; these are then multiplied in.

A product such as ``A⁶`` is met in the middle (see `reach`). The row of one node serves all its
pairs, so every pair is entered in the row of whichever of its two nodes reaches further.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.errors import CountOverflowError
from grape_gnn.roles.algebra.exact import EXACT, Floats, Integers, Numbers, counted, multiplied
from grape_gnn.roles.algebra.expression import Adjacency, Hadamard, Matrix, Vector, transpose
from grape_gnn.roles.algebra.share import (
    Gathered,
    Local,
    WeightSum,
    pattern_of,
    role_plan,
    split_chain,
)
from grape_gnn.roles.algebra.stored import Pattern, StoredMatrix
from grape_gnn.template import Template

if TYPE_CHECKING:
    from grape_gnn.roles.algebra.execute_numpy import Evaluator

__all__ = ["PairValues"]

_WORD = 2.0**63
_ROUNDING = 1e-9  # far more than the rounded sums of any row may be off, relative to their terms
_Factor = Matrix | Local
_Key = tuple[tuple[_Factor, ...], tuple[Any, ...]]


class PairValues:
    """Values of operators at pairs of nodes of one graph; what they share is computed once.

    Parameters
    ----------
    evaluator
        The graph and everything already computed on it.
    egos, members
        Node numbers, one of each for every pair.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> from grape_gnn.roles.algebra.execute_numpy import Evaluator
    >>> path = Evaluator(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> values = PairValues(path, np.array([0, 0, 1]), np.array([2, 3, 3]))
    >>> values.counts(Template("0-1 1-2"), 2)
    array([1, 0, 1])
    """

    def __init__(self, evaluator: Evaluator, egos: Integers, members: Integers) -> None:
        self.evaluator = evaluator
        n = evaluator.graph.num_nodes
        self._places, self._back = np.unique(egos * n + members, return_inverse=True)
        self.egos, self.members = np.divmod(self._places, max(n, 1))
        self._products: dict[_Key, Numbers] = {}

    def counts(self, template: Template, role: int, *, turned: bool = False) -> Integers:
        """Return how often the member plays a role for the ego; ``turned``: the other way."""
        plan = role_plan(template, role)
        plan = plan.transposed() if turned else plan
        return self.of(plan, f"role {role} of template {template.text!r}")

    def of(self, plan: Gathered, name: str) -> Integers:
        """Return the values of a role but the ego's own at the pairs, exact.

        Raises
        ------
        CountOverflowError
            A count does not fit into 64 bits; `name` says whose.
        """
        terms = [
            part
            for product in plan.products
            for part in self._terms(product.factors, product.diagonals)
        ]
        floats = np.zeros(len(self.egos))
        sizes = np.zeros(len(self.egos))
        for numbers in terms:
            floats += numbers.floats
            sizes += np.abs(numbers.floats)
        # Nobody but the ego plays the ego's part: there the terms and the diagonal cancel.
        alone = self.egos == self.members
        floats[alone] = sizes[alone] = 0.0
        size = float(sizes.max(initial=0.0))
        if size < EXACT:
            integers = floats.astype(np.int64)
        else:
            largest = float(np.abs(floats).max(initial=0.0)) + size * _ROUNDING
            if largest >= _WORD:
                raise CountOverflowError(
                    f"{name} has a count of about {largest / plan.divisor:.3g} at one of the "
                    f"pairs, which does not fit into 64 bits: use a smaller template"
                )
            integers = np.zeros(len(self.egos), dtype=np.int64)
            for numbers in terms:
                integers += numbers.as_integers()
            integers[alone] = 0
        return (integers // plan.divisor)[self._back]

    def weighted_walks(self, weights: Sequence[Floats]) -> Floats:
        """Return walks over inner nodes, each worth the product of the nodes' weights.

        Parameters
        ----------
        weights
            For each inner node of the walk a weight for every node of the graph: one list for
            walks of two edges, two lists for walks of three.
        """
        edges = self.evaluator.matrix(Adjacency("out"))
        factors = [edges] * (len(weights) + 1)
        found = self._chain(factors, factors, [None, *map(Numbers, weights), None])
        return found.floats[self._back]

    # --------------------------------------------------------------- terms

    def _terms(
        self, factors: tuple[_Factor, ...], diagonals: tuple[WeightSum, ...]
    ) -> list[Numbers]:
        """Return the values of a product as numbers whose sum it is; each may be negative."""
        only = factors[0]
        outer = [
            self._ends(self.evaluator.weights(diagonals[0]), self.egos),
            self._ends(self.evaluator.weights(diagonals[-1]), self.members),
        ]
        if len(factors) > 1 or not isinstance(only, Local) or only.on_edges:
            inner = tuple(diagonals[1:-1])
            if (factors, inner) not in self._products:
                self._products[factors, inner] = self._product(factors, inner)
            return [_times([self._products[factors, inner], *outer])]
        terms = []
        for coefficient, left, matrix, right in only.pieces:
            if only.flipped:
                left, matrix, right = right, transpose(matrix), left
            sides = [
                self._ends(self.evaluator.vector(vector), nodes)
                for vector, nodes in ((left, self.egos), (right, self.members))
            ]
            value = self._matrix(matrix)
            if coefficient != 1:
                factor = Numbers(np.full(len(self.egos), float(coefficient)))
                value = multiplied([value, factor])
            terms.append(_times([value, *sides, *outer]))
        return terms

    def _ends(self, weights: Numbers | None, nodes: Integers) -> Numbers | None:
        return None if weights is None else weights.taken(nodes)

    def _product(self, factors: tuple[_Factor, ...], inner: tuple[WeightSum, ...]) -> Numbers:
        if len(factors) == 1:
            return self._stored(self.evaluator.factor(factors[0]))
        stored = [self.evaluator.factor(factor) for factor in factors]
        turned = [
            self.evaluator.factor(f.transposed() if isinstance(f, Local) else transpose(f))
            for f in factors
        ]
        weights = [self.evaluator.weights(diagonal) for diagonal in inner]
        return self._chain(stored, turned, [None, *weights, None])

    def _matrix(self, expression: Matrix) -> Numbers:
        """Return one matrix at the pairs; entry-wise products by their factors."""
        key: _Key = ((expression,), ())
        if key not in self._products:
            self._products[key] = self._evaluated(expression)
        return self._products[key]

    def _evaluated(self, expression: Matrix) -> Numbers:
        if isinstance(pattern_of(expression), Adjacency):
            return self._stored(self.evaluator.matrix(expression))
        if isinstance(expression, Hadamard):
            return multiplied([self._matrix(factor) for factor in expression.factors])
        factors, diagonals = split_chain(expression)
        if len(factors) == 1:
            return self.evaluator.at_places(expression, self._pattern)
        stored = [self.evaluator.matrix(factor) for factor in factors]
        turned = [self.evaluator.matrix(transpose(factor)) for factor in factors]
        return self._chain(stored, turned, [self._weights(vector) for vector in diagonals])

    def _weights(self, vector: Vector) -> Numbers | None:
        return self.evaluator.weights(WeightSum(((1, vector),)))

    # -------------------------------------------------------------- kernels

    @cached_property
    def _pattern(self) -> Pattern:
        return _pattern(self.evaluator.graph.num_nodes, self.egos, self.members)[0]

    def _stored(self, matrix: StoredMatrix) -> Numbers:
        """Look a stored matrix up: the pairs are a pattern of one link that has its values."""
        mask = StoredMatrix(self._pattern)

        def run(kind: Any) -> Any:
            links: Any = [[], [(0, mask.rows(kind)), (0, matrix.rows(kind))]]
            values, reason = _native.masked_pattern(
                mask.rows(kind), links, [None, None], self.evaluator.threads, self.evaluator.watch
            )
            self.evaluator.check(reason)
            return values

        return counted(lambda: run("floats"), lambda: run("integers"))

    @cached_property
    def _behind(self) -> NDArray[np.bool_]:
        """The pairs whose member reaches further than the ego."""
        further = self.evaluator.reach.of(2)
        behind: NDArray[np.bool_] = further[self.members] > further[self.egos]
        return behind

    @cached_property
    def _sides(self) -> tuple[_Side, _Side]:
        nodes, behind = self.evaluator.graph.num_nodes, self._behind
        return (
            _Side(nodes, ~behind, self.egos, self.members),
            _Side(nodes, behind, self.members, self.egos),
        )

    @cached_property
    def _one_side(self) -> _Side:
        """All pairs, for products that are the same both ways."""
        ends = np.stack([self.egos, self.members])
        ends[:, self._behind] = ends[::-1, self._behind]
        everyone = np.ones(len(self.egos), dtype=bool)
        return _Side(self.evaluator.graph.num_nodes, everyone, ends[0], ends[1])

    def _chain(
        self,
        factors: Sequence[StoredMatrix],
        turned: Sequence[StoredMatrix],
        diagonals: Sequence[Numbers | None],
    ) -> Numbers:
        """Evaluate a product; `turned` are the transposed factors."""
        backwards = [*turned[::-1], *diagonals[::-1]]
        if all(a is b for a, b in zip([*factors, *diagonals], backwards, strict=True)):
            halves = [_Half(self.evaluator, self._one_side, factors, turned, diagonals)]
        else:
            ahead, behind = self._sides
            halves = [
                _Half(self.evaluator, ahead, factors, turned, diagonals),
                _Half(self.evaluator, behind, turned[::-1], factors[::-1], diagonals[::-1]),
            ]

        def run(kind: Any) -> Any:
            out = np.empty(len(self.egos), dtype=np.float64 if kind == "floats" else np.int64)
            for half in halves:
                if half.side.pairs.any():
                    out[half.side.pairs] = half.values(kind)
            return out

        return counted(lambda: run("floats"), lambda: run("integers"))


class _Side:
    """Pairs that are entered in the rows of their heads, the nodes that reach further."""

    def __init__(
        self, nodes: int, pairs: NDArray[np.bool_], heads: Integers, tails: Integers
    ) -> None:
        self.pairs = pairs
        self.mask, self.back = _pattern(nodes, heads[pairs], tails[pairs])
        self.heads = np.flatnonzero(np.diff(self.mask.ptr))
        self.tails = tails[pairs]


class _Half:
    """A product at the pairs of one side: a row for each head, a column for each pair."""

    def __init__(
        self,
        evaluator: Evaluator,
        side: _Side,
        factors: Sequence[StoredMatrix],
        turned: Sequence[StoredMatrix],
        diagonals: Sequence[Numbers | None],
    ) -> None:
        self.evaluator = evaluator
        self.side = side
        self.factors, self.turned, self.diagonals = factors, turned, diagonals
        self.front = self.evaluator.reach.best_front(len(factors), side.heads, side.tails)

    def values(self, kind: Any) -> Any:
        """Return the product at the pairs."""
        mask = StoredMatrix(self.side.mask).rows(kind)
        rows = [
            (matrix if place < self.front else other).rows(kind)
            for place, (matrix, other) in enumerate(zip(self.factors, self.turned, strict=True))
        ]
        weights = [None if d is None else d.array(kind) for d in self.diagonals]
        found, reason = _native.masked_chain(
            mask, (1, rows, weights), self.front, self.evaluator.threads, self.evaluator.watch
        )
        self.evaluator.check(reason)
        return found[self.side.back]


def _pattern(nodes: int, heads: Integers, tails: Integers) -> tuple[Pattern, Integers]:
    """Return pairs as a pattern, and the place of every pair in it."""
    order = np.lexsort((tails, heads))
    ptr = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(heads, minlength=nodes), out=ptr[1:])
    back = np.empty(len(order), dtype=np.int64)
    back[order] = np.arange(len(order))
    return Pattern(ptr, tails[order].astype(np.int32)), back


def _times(factors: Sequence[Numbers | None]) -> Numbers:
    return multiplied([factor for factor in factors if factor is not None])
