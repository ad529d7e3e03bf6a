"""What every matching engine is told and what it returns."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.arguments import LARGEST, flag, number, one_of, parse_bytes, whole_number
from grape_gnn.errors import MatchError

__all__ = [
    "EngineOutput",
    "MatchSettings",
    "make_settings",
    "parse_seconds",
]


@dataclass(frozen=True)
class MatchSettings:
    """Options of one call of `match`, checked and complete."""

    weighting: str = "count"
    induced: bool = False
    threads: int = 1
    seconds: float | None = None
    """What is left of the time budget."""
    bytes: int | None = None
    instances: int | None = None
    partial: bool = False
    sample: int | None = None
    seed: int = 0
    progress: Callable[[int, int], None] | None = None
    held: int = 0
    """Bytes that the given instance store held before the call: they are not growth."""
    granted: float | None = None
    """The time budget as it was given, in seconds, for messages; None: `seconds` says it."""

    @property
    def time_words(self) -> str:
        """The time budget as the user knows it.

        Examples
        --------
        >>> MatchSettings(seconds=0.97, granted=1.0).time_words
        '1 s'
        """
        return f"{self.seconds if self.granted is None else self.granted:.3g} s"


@dataclass(frozen=True)
class EngineOutput:
    """Role matrices of one template: roles 1, 2, ... in order, and the instances per ego.

    ``complete`` is None when every ego was done, else a mask of those that were.
    """

    matrices: list[sparse.csr_array[Any, Any]]
    totals: NDArray[Any]
    complete: NDArray[np.bool_] | None
    sampled: bool = False


def parse_seconds(duration: str | float, name: str = "time") -> float:
    """Read a duration such as ``"90s"``, ``"10m"``, ``"1.5h"`` or a plain number of seconds.

    Examples
    --------
    >>> parse_seconds("10m"), parse_seconds(2)
    (600.0, 2.0)
    """
    if not isinstance(duration, str):
        return number(name, duration, least=0)
    units = {"": 1, "s": 1, "m": 60, "h": 3600}
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smh]?)\s*", duration)
    if found is None:
        raise MatchError(f"cannot read {duration!r} as a duration: write '90s', '10m' or '2h'")
    return float(found[1]) * units[found[2]]


def make_settings(
    *,
    weighting: str = "count",
    induced: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    instances: int | None = None,
    on_budget: str = "raise",
    sample: int | None = None,
    seed: int = 0,
) -> MatchSettings:
    """Check the options of `match` and complete them."""
    counts = {"threads": threads, "instances": instances, "sample": sample}
    most = {"threads": 2**31 - 1}
    checked = {
        name: None if count is None else whole_number(name, count, 1, most.get(name, LARGEST))
        for name, count in counts.items()
    }
    seconds = None if time is None else parse_seconds(time)
    return MatchSettings(
        weighting=one_of("weighting", weighting, ("count", "set")),
        induced=flag("induced", induced),
        threads=checked["threads"] or available_processors(),
        seconds=seconds,
        bytes=None if memory is None else parse_bytes(memory),
        instances=checked["instances"],
        partial=one_of("on_budget", on_budget, ("raise", "partial")) == "partial",
        sample=checked["sample"],
        seed=whole_number("seed", seed),
        granted=seconds,
    )


def available_processors() -> int:
    """Count the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
