"""Apply a gathered operator to features, step by step from the right.

Products that begin alike are added up before their common first factor is applied (Horner's
scheme), and equal products of a factor with the features are computed once per call, across all
operators of the call: five templates that all contain `A·H` multiply by `A` once. In single
precision reading the features is what takes the time, so where a call needs both `A·(D − 1)·H` and
`A·H`, as for the 3-path, one pass over the edges gives both.

Accuracy, with u = 2^-24, for features `H` in single precision and an operator `C`:

* An operator of one step, such as `A·(D − 1)`, has no terms that cancel. Its entries are summed
  in single precision, eight at a time, these sums in pairs, and the pairs in double precision: the
  error is at most `12 u C|H|`.
* `A·A − D`, the most common role further away, is summed in the same way, as the differences
  `(A·H)[u] − H[v]` over the edges. Where `u` has no other neighbour the difference is zero to the
  last bit, so that a hub with a thousand leaves does no harm: the error at a node `v` is at most
  `18 u (C|H|)[v] + 9 u (C·1)[v] |H[v]|`.
* Any other operator subtracts what it first added, and near a hub that may be nearly all of it.
  It is computed in double precision to the end: the error is at most
  `u |C H| + k 2^-53 (sum of the terms' |C| |H|)`, with k the longest row times the number of
  factors.

Features in double precision stay so everywhere; integers are exact modulo 2^64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.share import UNIT, Gathered, Product, WeightSum
from grape_gnn.roles.algebra.stream import add_streamed

__all__ = ["multiply_all"]

Dense = NDArray[Any]
# What is still to be applied, rightmost factor last: (factors, diagonals).
Rest = tuple[tuple[Any, ...], tuple[WeightSum, ...]]

_CACHE_LINE = 64


def multiply_all(evaluator: Evaluator, operators: Sequence[Gathered], dense: Dense) -> list[Dense]:
    """Several operators times one matrix of shape (nodes, columns).

    Returns
    -------
    list of numpy.ndarray
        Of type int64 for integer features; float32, or float64 for operators of several steps,
        for float32 features; float64 otherwise.
    """
    run = _Run(evaluator, dense, operators)
    # A one-step operator may give `A·H` along with its own product, for others to use.
    order = sorted(range(len(operators)), key=lambda k: not operators[k].is_one_step)
    products = {k: run.operator(operators[k]) for k in order}
    return [products[k] for k in range(len(operators))]


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Dense:
    """Return an array that begins with a cache line: rows across two lines take twice as long."""
    size = prod(shape) * dtype.itemsize
    room = np.empty(size + _CACHE_LINE, dtype=np.uint8)
    skipped = -room.ctypes.data % _CACHE_LINE
    aligned: Dense = room[skipped : skipped + size].view(dtype).reshape(shape)
    return aligned


class _Run:
    """One pass over one feature matrix."""

    def __init__(self, evaluator: Evaluator, dense: Dense, operators: Sequence[Gathered]) -> None:
        self.evaluator = evaluator
        self.given = dense
        # Factors whose plain product with the features is needed, and those known already.
        self.wanted = {op.products[0].factors[1] for op in operators if op.is_there_and_on}
        self.plain: dict[Any, Dense] = {}
        whole = np.issubdtype(dense.dtype, np.integer)
        self.kind: Literal["floats", "integers"] = "integers" if whole else "floats"
        self.dtype = np.dtype(np.int64 if whole else np.float64)
        self.known: dict[Rest, Dense] = {}

    @cached_property
    def features(self) -> Dense:
        """The features as given, row after row."""
        return np.ascontiguousarray(self.given)

    @cached_property
    def dense(self) -> Dense:
        """The features in full precision."""
        dense = _empty(self.given.shape, self.dtype)
        np.copyto(dense, self.given, casting="unsafe")
        return dense

    def operator(self, operator: Gathered) -> Dense:
        if self.given.dtype == np.float32:
            if operator.is_one_step and not self.evaluator.streams(operator.products[0].factors[0]):
                return self.one_step(operator.products[0], operator.divisor)
            if operator.is_there_and_on:
                return self.there_and_on(operator.products[0], operator.divisor)
        out = self.added(self.rests(operator.products), None, operator.diagonal)
        if out is None:
            if operator.diagonal is None:
                return np.zeros(self.dense.shape, dtype=self.dtype)
            out = self.scaled(operator.diagonal)
        if operator.divisor != 1:
            if self.kind == "integers":
                out //= operator.divisor
            else:
                out /= operator.divisor
        return out

    def one_step(self, product: Product, divisor: int) -> Dense:
        """Return diag * factor * diag * features / divisor, in single precision."""
        (factor,), (left, right) = product.factors, product.diagonals
        plain = None
        if right != UNIT and factor in self.wanted and factor not in self.plain:
            plain = self.plain[factor] = _empty(self.given.shape, self.given.dtype)
        return self.single(factor, left, right, self.features, divisor, plain=plain)

    def there_and_on(self, product: Product, divisor: int) -> Dense:
        """Sum of (second * features)[u] - features[v] over the first factor's entries (v, u)."""
        first, second = product.factors
        if second not in self.plain:
            self.plain[second] = self.single(second, UNIT, UNIT, self.features, 1)
        return self.single(first, UNIT, UNIT, self.plain[second], divisor, minus=self.features)

    def single(
        self,
        factor: Any,
        left: WeightSum,
        right: WeightSum,
        dense: Dense,
        divisor: int,
        *,
        minus: Dense | None = None,
        plain: Dense | None = None,
    ) -> Dense:
        """Multiply in single precision; the factor times `dense` alone goes to `plain`."""
        out = _empty(dense.shape, np.dtype(np.float32))
        rows = self.evaluator.factor(factor).rows("floats")
        _native.single_product(
            rows,
            self.array(left),
            self.array(right),
            dense,
            minus,
            divisor,
            out,
            plain,
            self.evaluator.threads,
        )
        return out

    @staticmethod
    def rests(products: Iterable[Product]) -> list[Rest]:
        return [(product.factors, product.diagonals) for product in products]

    def added(
        self, rests: list[Rest], out: Dense | None, diagonal: WeightSum | None = None
    ) -> Dense | None:
        """Return the sum of products and a diagonal times the features, added to `out`."""
        groups: dict[tuple[WeightSum, Any], list[Rest]] = {}
        for factors, diagonals in rests:
            groups.setdefault((diagonals[0], factors[0]), []).append((factors[1:], diagonals[1:]))
        for (left, factor), inner in groups.items():
            out = self.step(left, factor, inner, out, diagonal)
            diagonal = None
        return out

    def step(
        self,
        left: WeightSum,
        factor: Any,
        inner: list[Rest],
        out: Dense | None,
        diagonal: WeightSum | None,
    ) -> Dense:
        """diag(left) * factor * (sum of the inner products) + diagonal, added to `out`."""
        last = [diagonals[0] for factors, diagonals in inner if not factors]
        longer = [rest for rest in inner if rest[0]]
        if not longer and len(last) == 1:
            return self.times(left, factor, last[0], self.dense, out, diagonal)
        if len(longer) == 1 and not last:
            return self.times(left, factor, UNIT, self.remembered(longer[0]), out, diagonal)
        total = self.added(longer, None)
        for weights in last:
            part = self.scaled(weights)
            total = part if total is None else np.add(total, part, out=total)
        return self.times(left, factor, UNIT, total, out, diagonal)

    def scaled(self, weights: WeightSum) -> Dense:
        """Return a diagonal times the features, in a fresh array."""
        scale = self.array(weights)
        product = _empty(self.dense.shape, self.dtype)
        if scale is None:
            np.copyto(product, self.dense)
            return product
        np.multiply(scale[:, None], self.dense, out=product)
        return product

    def remembered(self, rest: Rest) -> Dense:
        """One product times the features; kept, since other operators may need it."""
        if rest not in self.known:
            computed = self.added([rest], None)
            if computed is None:
                raise ValueError("an empty product has no value")
            self.known[rest] = computed
        return self.known[rest]

    def times(
        self,
        left: WeightSum,
        factor: Any,
        right: WeightSum,
        dense: Any,
        out: Dense | None,
        diagonal: WeightSum | None,
    ) -> Dense:
        if self.evaluator.streams(factor):
            if diagonal is not None:
                start = self.scaled(diagonal)
                out = start if out is None else np.add(out, start, out=out)
            total = np.zeros(dense.shape, dtype=self.dtype) if out is None else out
            add_streamed(self.evaluator, factor, left, right, dense, total, self.kind)
            return total
        rows: Any = self.evaluator.factor(factor).rows(self.kind)
        target = _empty(dense.shape, self.dtype) if out is None else out
        _native.dense_product(
            rows,
            self.array(left),
            self.array(right),
            dense,
            None if diagonal is None else self.whole_array(diagonal),
            self.dense,
            target,
            out is not None,
            self.evaluator.threads,
        )
        return target

    def array(self, weights: WeightSum) -> Any:
        """Return a diagonal as the kernels take it; None for the identity."""
        numbers = self.evaluator.weights(weights)
        return None if numbers is None else numbers.array(self.kind)

    def whole_array(self, weights: WeightSum) -> Any:
        """Return a diagonal written out even if it is the identity."""
        array = self.array(weights)
        return np.ones(len(self.given), dtype=self.dtype) if array is None else array
