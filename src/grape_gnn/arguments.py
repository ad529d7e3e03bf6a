"""Arguments checked alike everywhere: a wrong type or size is one typed line that names it."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from numbers import Real
from operator import index
from typing import Any

from grape_gnn.errors import GrapeError, MatchError

__all__ = ["LARGEST", "flag", "number", "one_of", "parse_bytes", "whole_number"]

LARGEST = 2**63 - 1  # what the compiled core and torch count with


def whole_number(
    name: str,
    value: Any,
    least: int = 0,
    most: int = LARGEST,
    *,
    error: type[GrapeError] = MatchError,
) -> int:
    """Return an integer argument as an int; NumPy's integers will do, truth values will not.

    Examples
    --------
    >>> whole_number("threads", 2, 1)
    2
    >>> whole_number("threads", "2", 1)
    Traceback (most recent call last):
    grape_gnn.errors.MatchError: threads='2' must be a whole number
    """
    try:
        found = index(value)
    except TypeError:
        raise error(f"{name}={value!r} must be a whole number") from None
    if isinstance(value, bool):
        raise error(f"{name}={value!r} must be a whole number")
    if found < least:
        raise error(f"{name}={_shown(value)} must be at least {least}")
    if found > most:
        raise error(f"{name}={_shown(value)} must be at most {most}")
    return found


def _shown(value: Any) -> str:
    """Return a value as Python writes it, unless it is a number of hundreds of digits."""
    huge = isinstance(value, int) and abs(value) > 10**40
    return f"a number of {value.bit_length()} bits" if huge else repr(value)


def number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    error: type[GrapeError] = MatchError,
) -> float:
    """Return a finite number within bounds as a float.

    Examples
    --------
    >>> number("dropout", 1, least=0, below=1)
    Traceback (most recent call last):
    grape_gnn.errors.MatchError: dropout=1 must be a number, at least 0 and below 1
    """
    found = math.nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):
            found = float(value)
    if (
        not math.isfinite(found)
        or (above is not None and found <= above)
        or (least is not None and found < least)
        or (below is not None and found >= below)
        or (most is not None and found > most)
    ):
        given = (
            ("above", above), ("at least", least), ("below", below), ("at most", most),
        )  # fmt: skip
        bounds = " and ".join(f"{words} {bound:g}" for words, bound in given if bound is not None)
        raise error(f"{name}={_shown(value)} must be a number{bounds and ', '}{bounds}")
    return found


def flag(name: str, value: Any, *, error: type[GrapeError] = MatchError) -> bool:
    """Return a truth value as a bool: ``"no"`` is not one.

    Examples
    --------
    >>> flag("induced", "no")
    Traceback (most recent call last):
    grape_gnn.errors.MatchError: induced='no' must be True or False
    """
    if value is True or value is False or type(value).__name__ in ("bool", "bool_"):  # NumPy's
        return bool(value)
    raise error(f"{name}={value!r} must be True or False")


def one_of(
    name: str, value: Any, allowed: tuple[str, ...], *, error: type[GrapeError] = MatchError
) -> str:
    """Return one of a few words.

    Examples
    --------
    >>> one_of("weighting", "sum", ("count", "set"))
    Traceback (most recent call last):
    grape_gnn.errors.MatchError: weighting='sum' is unknown: use 'count' or 'set'
    """
    if isinstance(value, str) and value in allowed:
        return value
    choices = " or ".join(map(repr, allowed))
    if len(allowed) > 2:
        choices = f"one of {', '.join(allowed)}"
    raise error(f"{name}={value!r} is unknown: use {choices}")


def parse_bytes(size: str | int, *, error: type[GrapeError] = MatchError) -> int:
    """Read a size such as ``"1GB"``, ``"512 MiB"`` or a plain number of bytes.

    Examples
    --------
    >>> parse_bytes("1GB"), parse_bytes("64KiB"), parse_bytes(10)
    (1000000000, 65536, 10)
    """
    if not isinstance(size, str):
        return whole_number("memory", size, error=error)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", size, re.IGNORECASE)
    if found is None or (found[3] and not found[2]):
        raise error(f"cannot read {size!r} as a size: write for example '500MB' or '2GB'")
    power = "KMGT".find(found[2].upper()) + 1 if found[2] else 0
    return min(int(float(found[1]) * (1024 if found[3] else 1000) ** power), LARGEST)
