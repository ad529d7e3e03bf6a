"""Apply a gathered operator to features, step by step from the right.

Products that begin alike are added up before their common first factor is applied (Horner's
scheme), and equal products of a factor with the features are computed once per call, across all
operators of the call: five templates that all contain `A·H` multiply by `A` once.

Accuracy: sums are taken in double precision whatever the features' type. For features `H` in
single precision the result differs from the exact one by at most
`2^-24 |C H| + k 2^-53 (sum of the terms' |C| |H|)`, with k the longest row times the number of
factors; integer features give exact integers modulo 2^64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def multiply_all(evaluator: Evaluator, operators: Sequence[Gathered], dense: Dense) -> list[Dense]:
    """Several operators times one matrix of shape (nodes, columns).

    Returns
    -------
    list of numpy.ndarray
        Of type int64 for integer features, float64 otherwise.
    """
    run = _Run(evaluator, dense)
    return [run.operator(operator) for operator in operators]


class _Run:
    """One pass over one feature matrix."""

    def __init__(self, evaluator: Evaluator, dense: Dense) -> None:
        self.evaluator = evaluator
        whole = np.issubdtype(dense.dtype, np.integer)
        self.kind: Literal["floats", "integers"] = "integers" if whole else "floats"
        self.dtype = np.dtype(np.int64 if whole else np.float64)
        self.dense: Dense = np.ascontiguousarray(dense, dtype=self.dtype)
        self.known: dict[Rest, Dense] = {}

    def operator(self, operator: Gathered) -> Dense:
        start = None if operator.diagonal is None else self.scaled(operator.diagonal)
        out = self.added(self.rests(operator.products), start)
        if out is None:
            out = np.zeros(self.dense.shape, dtype=self.dtype)
        if operator.divisor != 1:
            if self.kind == "integers":
                out //= operator.divisor
            else:
                out /= operator.divisor
        return out

    @staticmethod
    def rests(products: Iterable[Product]) -> list[Rest]:
        return [(product.factors, product.diagonals) for product in products]

    def added(self, rests: list[Rest], out: Dense | None) -> Dense | None:
        """Return the sum of products times the features, added to `out` or in a fresh array."""
        groups: dict[tuple[WeightSum, Any], list[Rest]] = {}
        for factors, diagonals in rests:
            groups.setdefault((diagonals[0], factors[0]), []).append((factors[1:], diagonals[1:]))
        for (left, factor), inner in groups.items():
            out = self.step(left, factor, inner, out)
        return out

    def step(self, left: WeightSum, factor: Any, inner: list[Rest], out: Dense | None) -> Dense:
        """diag(left) * factor * (sum of the inner products), added to `out`."""
        last = [diagonals[0] for factors, diagonals in inner if not factors]
        longer = [rest for rest in inner if rest[0]]
        if not longer and len(last) == 1:
            return self.times(left, factor, last[0], self.dense, out)
        if len(longer) == 1 and not last:
            return self.times(left, factor, UNIT, self.remembered(longer[0]), out)
        total = self.added(longer, None)
        for weights in last:
            part = self.scaled(weights)
            total = part if total is None else np.add(total, part, out=total)
        return self.times(left, factor, UNIT, total, out)

    def scaled(self, weights: WeightSum) -> Dense:
        """Return a diagonal times the features, in a fresh array."""
        scale = self.array(weights)
        product: Dense = self.dense.copy() if scale is None else scale[:, None] * self.dense
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
        self, left: WeightSum, factor: Any, right: WeightSum, dense: Any, out: Dense | None
    ) -> Dense:
        if self.evaluator.streams(factor):
            total = np.zeros(dense.shape, dtype=self.dtype) if out is None else out
            add_streamed(self.evaluator, factor, left, right, dense, total, self.kind)
            return total
        rows: Any = self.evaluator.factor(factor).rows(self.kind)
        fresh = out is None
        target = np.empty(dense.shape, dtype=self.dtype) if out is None else out
        _native.dense_product(
            rows,
            self.array(left),
            self.array(right),
            dense,
            target,
            not fresh,
            self.evaluator.threads,
        )
        return target

    def array(self, weights: WeightSum) -> Any:
        numbers = self.evaluator.weights(weights)
        return None if numbers is None else numbers.array(self.kind)
