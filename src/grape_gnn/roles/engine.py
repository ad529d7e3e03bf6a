"""What every matching engine is told and what it returns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.errors import MatchError

__all__ = ["EngineOutput", "MatchSettings", "parse_bytes"]


@dataclass(frozen=True)
class MatchSettings:
    """Options of one call of `match`, checked and complete."""

    weighting: str = "count"
    induced: bool = False
    threads: int = 1
    seconds: float | None = None
    bytes: int | None = None
    instances: int | None = None
    partial: bool = False
    sample: int | None = None
    seed: int = 0
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True)
class EngineOutput:
    """Role matrices of one template: roles 1, 2, ... in order, and the instances per ego.

    ``complete`` is None when every ego was done, else a mask of those that were.
    """

    matrices: list[sparse.csr_array[Any, Any]]
    totals: NDArray[Any]
    complete: NDArray[np.bool_] | None
    sampled: bool = False


def parse_bytes(size: str | int) -> int:
    """Read a size such as ``"1GB"``, ``"512 MiB"`` or a plain number of bytes.

    Examples
    --------
    >>> parse_bytes("1GB"), parse_bytes("64KiB"), parse_bytes(10)
    (1000000000, 65536, 10)
    """
    if isinstance(size, int):
        return size
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", size, re.IGNORECASE)
    if found is None or (found[3] and not found[2]):
        raise MatchError(f"cannot read {size!r} as a size: write for example '500MB' or '2GB'")
    power = "KMGT".find(found[2].upper()) + 1 if found[2] else 0
    return int(float(found[1]) * (1024 if found[3] else 1000) ** power)
