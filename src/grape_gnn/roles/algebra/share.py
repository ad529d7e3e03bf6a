"""Gather the terms of an operator so that equal work is done once.

A compiled role is a sum of many terms, but most of them live in the same place:

* all diagonal terms add up to one vector;
* all terms `diag·M·diag` whose matrix lives on one pattern add up to one array of values
  (the tailed triangle's `D·T − 2T` becomes the single value `(d − 2) t` per edge);
* long products that differ in one diagonal only are one product with a summed diagonal
  (`A·A·D − A·A` is `A·A·(D − 1)`).

The gathered forms are again plain immutable descriptions: whoever evaluates them keeps results
by description, so degrees, triangle counts and products are shared across roles and templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import lru_cache

from grape_gnn.roles.algebra.compile import compile_role
from grape_gnn.roles.algebra.expression import (
    Adjacency,
    Apply,
    Chain,
    Clique,
    Combination,
    Diagonal,
    Hadamard,
    Matrix,
    Ones,
    Vector,
    transpose,
)
from grape_gnn.template import Template

__all__ = [
    "Gathered",
    "Local",
    "Product",
    "WeightSum",
    "gather",
    "is_tree",
    "pattern_of",
    "role_plan",
    "split_chain",
]


@dataclass(frozen=True)
class WeightSum:
    """A vector: the sum of integer coefficients times vector expressions."""

    parts: tuple[tuple[int, Vector], ...]


UNIT = WeightSum(((1, Ones()),))


@dataclass(frozen=True)
class Local:
    """A stored matrix: the sum of coefficient * diag(left) * matrix * diag(right), one pattern."""

    pieces: tuple[tuple[int, Vector, Matrix, Vector], ...]
    flipped: bool = False
    lean: bool = False  # never store it unless it lies on the graph's own edges

    @property
    def on_edges(self) -> bool:
        """Whether the pattern is the graph's own."""
        return isinstance(pattern_of(self.pieces[0][2]), Adjacency)

    def transposed(self) -> Local:
        """Return the transposed sum.

        Where every piece stays on the transposed pattern the pieces are turned one by one, so
        that a symmetric sum is recognised as its own transpose; else the result is flipped.
        """
        turned = [(c, right, transpose(m), left) for c, left, m, right in self.pieces]
        stays = all(
            pattern_of(after[2]) == transpose(pattern_of(before[2]))
            for before, after in zip(self.pieces, turned, strict=True)
        )
        if self.flipped or not stays:
            return Local(self.pieces, not self.flipped, self.lean)
        return Local(tuple(sorted(turned, key=repr)), lean=self.lean)


@dataclass(frozen=True)
class Product:
    """diag[0] * factor[0] * diag[1] * ... * factor[k-1] * diag[k], with k at least 1."""

    factors: tuple[Matrix | Local, ...]
    diagonals: tuple[WeightSum, ...]

    def transposed(self) -> Product:
        """Return the reversed product of the transposed factors."""
        turned = tuple(
            f.transposed() if isinstance(f, Local) else transpose(f) for f in self.factors
        )
        return Product(turned[::-1], self.diagonals[::-1])


@dataclass(frozen=True)
class Gathered:
    """An operator: (diagonal + sum of products) / divisor."""

    diagonal: WeightSum | None
    products: tuple[Product, ...]
    divisor: int

    @property
    def on_edges(self) -> bool:
        """Whether the operator is nothing but one array of values on the graph's own edges."""
        if self.diagonal is not None or len(self.products) != 1:
            return False
        first = self.products[0].factors[0]
        if isinstance(first, Local):
            return first.on_edges
        return len(self.products[0].factors) == 1 and isinstance(pattern_of(first), Adjacency)

    @property
    def keeps_to_edges(self) -> bool:
        """Whether all that is stored for the operator lies on the graph's own edges."""
        factors = (factor for product in self.products for factor in product.factors)
        return all(not isinstance(factor, Local) or factor.on_edges for factor in factors)

    @property
    def is_one_step(self) -> bool:
        """Whether the operator is one matrix between two diagonals, so that nothing cancels."""
        return (
            self.diagonal is None and len(self.products) == 1 and len(self.products[0].factors) == 1
        )

    @property
    def is_there_and_on(self) -> bool:
        """Whether the operator counts steps to and fro less those that return: A·A − D.

        Every step returns once, so this is one subtraction per edge, `(A·H)[u] − H[v]`, of a
        number from a sum that contains it.
        """
        if self.diagonal is None or len(self.products) != 1:
            return False
        first = self.products[0].factors[0]
        return (
            isinstance(first, Adjacency)
            and self.products[0] == Product((first, transpose(first)), (UNIT, UNIT, UNIT))
            and self.diagonal == WeightSum(((-1, Apply(first, Ones())),))
        )

    def transposed(self) -> Gathered:
        """Return the transposed operator."""
        return Gathered(self.diagonal, tuple(p.transposed() for p in self.products), self.divisor)


def gather(combination: Combination, *, lean: bool = False) -> Gathered:
    """Add up the terms of a compiled role that share their place.

    Parameters
    ----------
    combination
        The terms.
    lean
        Never store a matrix denser than the graph: compute its rows anew at every product.

    Examples
    --------
    >>> from grape_gnn.roles.algebra.compile import compile_role
    >>> from grape_gnn.template import Template
    >>> tail = gather(compile_role(Template("0-1 0-2 1-2 0-3"), 1))
    >>> len(tail.products), tail.diagonal
    (1, None)
    """
    diagonal: list[tuple[int, Vector]] = []
    local: dict[Hashable, list[tuple[int, Vector, Matrix, Vector]]] = {}
    long: Counter[tuple[tuple[Matrix, ...], tuple[Vector, ...]]] = Counter()
    for coefficient, matrix in combination.terms:
        factors, vectors = split_chain(matrix)
        if not factors:
            diagonal.append((coefficient, vectors[0]))
        elif len(factors) == 1:
            place = pattern_of(factors[0])
            local.setdefault(place, []).append((coefficient, vectors[0], factors[0], vectors[1]))
        else:
            long[factors, vectors] += coefficient
    products = [
        Product(tuple(_wrapped(factor, lean) for factor in product.factors), product.diagonals)
        for product in _merge_products(long)
    ]
    for pieces in local.values():
        pieces.sort(key=repr)
        sums = Local(tuple(pieces))
        if not sums.on_edges:
            sums = replace(sums, lean=lean)
        products.append(_without_values(sums) or Product((sums,), (UNIT, UNIT)))
    weights = WeightSum(tuple(sorted(diagonal, key=repr))) if diagonal else None
    return Gathered(weights, tuple(products), combination.divisor)


def _without_values(local: Local) -> Product | None:
    """One matrix between two diagonals needs no values of its own: A·D − A is A·(D − 1)."""
    coefficients, lefts, matrices, rights = zip(*local.pieces, strict=True)
    if not local.on_edges or len(set(matrices)) > 1:
        return None
    if len(set(lefts)) == 1:
        ends = WeightSum(tuple(zip(coefficients, rights, strict=True)))
        return Product((matrices[0],), (_unsummed(lefts[0]), ends))
    if len(set(rights)) == 1:
        starts = WeightSum(tuple(zip(coefficients, lefts, strict=True)))
        return Product((matrices[0],), (starts, _unsummed(rights[0])))
    return None


def _wrapped(factor: Matrix | Local, lean: bool) -> Matrix | Local:
    """Return a factor off the graph's edges as a sum of one piece, which can be streamed."""
    if isinstance(factor, Local) or isinstance(pattern_of(factor), Adjacency):
        return factor
    return Local(((1, Ones(), factor, Ones()),), lean=lean)


_Key = tuple[tuple[Matrix, ...], tuple[Vector, ...]]


def _merge_products(long: Counter[_Key]) -> list[Product]:
    """Join products that differ in their last or else their first diagonal only."""
    by_rest: dict[_Key, list[tuple[int, Vector]]] = {}
    for (factors, vectors), coefficient in long.items():
        by_rest.setdefault((factors, vectors[:-1]), []).append((coefficient, vectors[-1]))
    merged = []
    single: dict[_Key, list[tuple[int, Vector]]] = {}
    for (factors, vectors), ends in by_rest.items():
        if len(ends) > 1:
            last = WeightSum(tuple(sorted(ends, key=repr)))
            merged.append(Product(factors, (*map(_unsummed, vectors), last)))
        else:
            rest = (*vectors[1:], ends[0][1])
            single.setdefault((factors, rest), []).append((ends[0][0], vectors[0]))
    for (factors, vectors), starts in single.items():
        first = WeightSum(tuple(sorted(starts, key=repr)))
        merged.append(Product(factors, (first, *map(_unsummed, vectors))))
    return merged


def _unsummed(vector: Vector) -> WeightSum:
    return WeightSum(((1, vector),))


def split_chain(matrix: Matrix) -> tuple[tuple[Matrix, ...], tuple[Vector, ...]]:
    """Return stored factors of a product and the diagonals before, between and after them."""
    factors: list[Matrix] = []
    diagonals: list[Vector] = [Ones()]
    for factor in matrix.factors if isinstance(matrix, Chain) else (matrix,):
        if isinstance(factor, Diagonal):
            diagonals[-1] = factor.vector
        else:
            factors.append(factor)
            diagonals.append(Ones())
    return tuple(factors), tuple(diagonals)


def pattern_of(matrix: Matrix) -> Matrix:
    """Say what decides a stored matrix's pattern; equal answers mean one shared pattern."""
    if isinstance(matrix, Clique):
        return Adjacency("out")
    if isinstance(matrix, Hadamard):
        return pattern_of(matrix.factors[0])
    return matrix


@lru_cache(maxsize=4096)
def role_plan(template: Template, role: int, *, induced: bool = False) -> Gathered:
    """Return the gathered terms of one role, the same for every graph."""
    lean = is_tree(template) and not induced
    return gather(compile_role(template, role, induced=induced), lean=lean)


def is_tree(template: Template) -> bool:
    """Whether a template has no cycle: its roles are products that need not be stored."""
    return len(template.edges) == template.num_nodes - 1
