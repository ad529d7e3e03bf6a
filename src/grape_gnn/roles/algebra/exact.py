"""Counts that stay exact.

Every count is a sum of products of non-negative integers. Such a sum is exact in double
precision while it stays below 2^53, and that is checked after the fact: nothing cancels, so the
rounded result is itself a reliable measure of its size. Beyond 2^53 the same sum is taken once
more in 64-bit integers modulo 2^64. Modular arithmetic may wrap in the middle and still end
right: the final count is exact whenever it fits into 63 bits, and the doubles tell whether it
does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXACT", "Floats", "Integers", "Numbers", "combined", "counted", "multiplied", "summed"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EXACT = 2.0**53
"""Below this, a double holds every integer."""

_WORD = 2.0**63


@dataclass(frozen=True)
class Numbers:
    """An array of integers, as doubles and, where doubles would round, modulo 2^64 as well."""

    floats: Floats
    integers: Integers | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that the numbers take."""
        return self.floats.nbytes + (0 if self.integers is None else self.integers.nbytes)

    def as_integers(self) -> Integers:
        """Return the values modulo 2^64."""
        return self.floats.astype(np.int64) if self.integers is None else self.integers

    def array(self, kind: Literal["floats", "integers"]) -> NDArray[Any]:
        """Return the values as doubles or modulo 2^64."""
        return self.floats if kind == "floats" else self.as_integers()

    @cached_property
    def largest(self) -> float:
        """The largest magnitude."""
        if self.floats.size == 0:
            return 0.0
        return float(max(self.floats.max(), -self.floats.min()))

    def taken(self, places: Integers | slice) -> Numbers:
        """Return the values at the given places."""
        integers = None if self.integers is None else self.integers[places]
        return Numbers(self.floats[places], integers)


def counted(in_floats: Callable[[], Floats], in_integers: Callable[[], Integers]) -> Numbers:
    """Run a computation on non-negative numbers in doubles, and in integers if it has to be.

    Examples
    --------
    >>> big = counted(lambda: np.array([2.0**60]), lambda: np.array([2**60 + 1]))
    >>> int(big.as_integers()[0]) - 2**60
    1
    """
    numbers = Numbers(in_floats())
    return numbers if numbers.largest < EXACT else Numbers(numbers.floats, in_integers())


def multiplied(factors: Sequence[Numbers]) -> Numbers:
    """Entry-wise product."""
    if len(factors) == 1:
        return factors[0]
    floats = factors[0].floats.copy()
    for factor in factors[1:]:
        floats *= factor.floats
    product = Numbers(floats)
    if product.largest < EXACT and all(factor.integers is None for factor in factors):
        return product
    integers = factors[0].as_integers().copy()
    with np.errstate(over="ignore"):
        for factor in factors[1:]:
            integers *= factor.as_integers()
    return Numbers(floats, integers)


def summed(
    size: float, in_floats: Callable[[], Floats], in_integers: Callable[[], Integers]
) -> Numbers:
    """Run a computation whose terms may cancel; ``size`` bounds the sum of their magnitudes.

    Examples
    --------
    >>> one = summed(2.0**60, lambda: np.array([0.0]), lambda: np.array([2**60 - (2**60 - 1)]))
    >>> one.floats
    array([1.])
    """
    if size < EXACT:
        return Numbers(in_floats())
    integers = in_integers()
    # Nothing has wrapped below 2^63, and then the integers are better than rounded sums.
    return Numbers(integers.astype(np.float64) if size < _WORD else in_floats(), integers)


def combined(parts: Sequence[tuple[int, Numbers]]) -> Numbers:
    """Sum of vectors with integer coefficients.

    Examples
    --------
    >>> two = Numbers(np.array([2.0]))
    >>> combined([(3, two), (-1, two)]).floats
    array([4.])
    """

    def in_integers() -> Integers:
        total = parts[0][0] * parts[0][1].as_integers()
        for coefficient, numbers in parts[1:]:
            total += coefficient * numbers.as_integers()
        return total

    def in_floats() -> Floats:
        total = parts[0][0] * parts[0][1].floats
        for coefficient, numbers in parts[1:]:
            total += coefficient * numbers.floats
        return total

    size = sum(abs(coefficient) * numbers.largest for coefficient, numbers in parts)
    return summed(size, in_floats, in_integers)
