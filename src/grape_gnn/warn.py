"""One way to warn: the warning points at the user's line, not at ours.

What might be wrong is said wherever it is met (`warn`). How a file was understood, where nothing is
doubtful (`remark`), is said unless the caller wants no remarks: see `remarks`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from grape_gnn.errors import GrapeWarning

__all__ = ["held", "in_one_line", "remark", "remarks", "said_before", "warn"]

_HELD: ContextVar[list[str] | None] = ContextVar("_HELD", default=None)
_REMARKS: ContextVar[bool] = ContextVar("remarks", default=True)


def warn(message: str) -> None:
    """Issue a `GrapeWarning` that shows the first calling line outside this package."""
    kept = _HELD.get()
    if kept is not None:
        kept.append(message)
        return
    depth = 1
    while _is_ours(depth):
        depth += 1
    warnings.warn(message, GrapeWarning, stacklevel=depth + 1)


def remark(message: str) -> None:
    """Issue a `GrapeWarning` about what is as it should be, if remarks are wanted."""
    if _REMARKS.get():
        warn(message)


@contextmanager
def remarks(wanted: bool) -> Iterator[None]:
    """Say in this block, or do not say, how files were understood.

    Examples
    --------
    >>> with remarks(False):
    ...     remark("calls.csv: took 'from' and 'to' for the ends of an edge")
    """
    before = _REMARKS.set(wanted)
    try:
        yield
    finally:
        _REMARKS.reset(before)


@contextmanager
def held() -> Iterator[list[str]]:
    """Keep what we would say in this block, for the caller to say; others warn as they do.

    Examples
    --------
    >>> with held() as said:
    ...     warn("calls.csv: left out 3 edges")
    >>> said
    ['calls.csv: left out 3 edges']
    """
    said: list[str] = []
    token = _HELD.set(said)
    try:
        yield said
    finally:
        _HELD.reset(token)


@contextmanager
def in_one_line() -> Iterator[None]:
    """Join what is said of one file while it is read; what all of it begins with is said once.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     with in_one_line():
    ...         warn("calls.csv: took 'from' and 'to'")
    ...         warn("calls.csv: left out 3 edges")
    >>> str(said[0].message)
    "calls.csv: took 'from' and 'to'; left out 3 edges"
    """
    try:
        with held() as said:
            yield
    finally:
        if said:
            file, colon, _ = said[0].partition(": ")
            warn("; ".join([said[0], *(more.removeprefix(file + colon) for more in said[1:])]))


@contextmanager
def said_before() -> Iterator[None]:
    """Keep silent while a file is read again: all was said when its folder was made."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GrapeWarning)
        yield


def _is_ours(depth: int) -> bool:
    try:
        frame = sys._getframe(depth + 1)
    except ValueError:
        return False
    # dataclasses and other generated code carries the module it was generated for.
    module = str(frame.f_globals.get("__name__", ""))
    return module.startswith("grape_gnn.") or module == "contextlib"  # by whose `with` it is said
