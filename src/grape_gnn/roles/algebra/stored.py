"""Sparse matrices that share their patterns.

All roles next to the anchor live on the graph's own edges: they share one pattern and differ in
values only. A pattern knows its transpose and where every transposed entry comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn import _native
from grape_gnn.roles.algebra.exact import Integers, Numbers

__all__ = ["Pattern", "Rows", "StoredMatrix"]

Rows = _native.FloatRows | _native.CountRows
Turned = tuple[Integers, NDArray[np.int32], Integers]


def _without_limits(rows: _native.FloatRows) -> Turned:
    return _native.transpose_pattern(rows, ((None, None, None), None))[:3]


class Pattern:
    """Places of a square sparse matrix in compressed rows, columns ascending.

    Parameters
    ----------
    ptr, idx
        Row pointers and columns.
    turn
        Computes row pointers and columns of the transpose, and where its entries come from; an
        evaluator does it within its limits.
    symmetric
        Whether the pattern equals its transpose.
    """

    def __init__(
        self,
        ptr: Integers,
        idx: NDArray[np.int32],
        turn: Callable[[_native.FloatRows], Turned] | None = None,
        *,
        symmetric: bool = False,
    ) -> None:
        self.ptr = ptr
        self.idx = idx
        self._turn = turn or _without_limits
        self.symmetric = symmetric
        self._other_way: Pattern | None = None

    @property
    def num_rows(self) -> int:
        """Number of rows, and of columns."""
        return len(self.ptr) - 1

    @property
    def nnz(self) -> int:
        """Number of places."""
        return len(self.idx)

    @cached_property
    def origin(self) -> Integers:
        """For every entry of the transpose, the place it has here."""
        return self._flipped[2]

    def forget(self) -> None:
        """Let go of where transposed entries come from; it is found again when needed."""
        vars(self).pop("origin", None)
        vars(self).pop("_flipped", None)

    @property
    def transposed(self) -> Pattern:
        """The transposed pattern; the same object when it is symmetric."""
        if self.symmetric:
            return self
        if self._other_way is None:
            ptr, idx, _ = self._flipped
            self._other_way = Pattern(ptr, idx, self._turn)
            self._other_way._other_way = self
        return self._other_way

    @cached_property
    def _flipped(self) -> Turned:
        return self._turn(_native.FloatRows(self.ptr, self.idx, None))


@dataclass(frozen=True)
class StoredMatrix:
    """A pattern with one number per place; no numbers means ones."""

    pattern: Pattern
    numbers: Numbers | None = None
    _handles: dict[str, Rows] = field(default_factory=dict, compare=False, repr=False)

    @overload
    def rows(self, kind: Literal["floats"]) -> _native.FloatRows: ...
    @overload
    def rows(self, kind: Literal["integers"]) -> _native.CountRows: ...
    def rows(self, kind: Literal["floats", "integers"]) -> Rows:
        """Return the matrix as the native kernels see it."""
        p = self.pattern
        if kind == "integers":
            # Not kept: exact results are asked for once, products with features all the time.
            return _native.CountRows(p.ptr, p.idx, self.array(kind))
        if kind not in self._handles:
            self._handles[kind] = _native.FloatRows(p.ptr, p.idx, self.array(kind))
        return self._handles[kind]

    def array(self, kind: Literal["floats", "integers"]) -> NDArray[Any] | None:
        """Return the numbers themselves, or None when they are all ones."""
        return None if self.numbers is None else self.numbers.array(kind)

    def transposed(self) -> StoredMatrix:
        """Return the transposed matrix on the transposed pattern."""
        numbers = None if self.numbers is None else self.numbers.taken(self.pattern.origin)
        return StoredMatrix(self.pattern.transposed, numbers)

    def only_rows(self, rows: range) -> StoredMatrix:
        """Return the matrix with some consecutive rows only; the others are empty."""
        ptr = self.pattern.ptr
        start, stop = int(ptr[rows.start]), int(ptr[rows.stop])
        kept = Pattern(np.clip(ptr, start, stop) - start, self.pattern.idx[start:stop])
        numbers = None if self.numbers is None else self.numbers.taken(slice(start, stop))
        return StoredMatrix(kept, numbers)

    def values(self) -> Numbers:
        """Return the numbers, written out even when they are all ones."""
        if self.numbers is None:
            return Numbers(np.ones(self.pattern.nnz))
        return self.numbers

    def to_scipy(self) -> sparse.csr_array[Any, Any]:
        """Return the matrix in double precision."""
        p = self.pattern
        return sparse.csr_array((self.values().floats, p.idx, p.ptr), (p.num_rows, p.num_rows))
