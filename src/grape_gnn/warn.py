"""One way to warn: the warning points at the user's line, not at ours."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from grape_gnn.errors import GrapeWarning

__all__ = ["said_before", "warn"]


def warn(message: str) -> None:
    """Issue a `GrapeWarning` that shows the first calling line outside this package."""
    depth = 1
    while _is_ours(depth):
        depth += 1
    warnings.warn(message, GrapeWarning, stacklevel=depth + 1)


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
    return str(frame.f_globals.get("__name__", "")).startswith("grape_gnn.")
