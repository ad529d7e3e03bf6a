"""The budgets of an evaluation: how much time and memory are left, and what has been stored.

Inside `Limits.within`, that is while roles are matched, everything is bounded. What a user's own
products ask for later is not, but for pairs off the graph's edges, which may be very many.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.progress import Progress, advancing
from grape_gnn.roles.algebra.exact import Numbers
from grape_gnn.roles.algebra.quotients import watched
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.native_call import stop_kind

__all__ = ["Limits"]


class Limits:
    """Time and memory of all that is computed on one graph."""

    def __init__(self, graph: Graph, settings: MatchSettings) -> None:
        self.graph = graph
        self.settings = settings
        self.progress: Progress | None = None
        self.stored_bytes = 0
        self._bytes = settings.bytes
        self._now = settings
        self._deadline: float | None = None
        self._matching = False

    @property
    def threads(self) -> int:
        """Worker threads of the kernels."""
        return self.settings.threads

    @property
    def limits(self) -> tuple[float | None, int | None, None]:
        """Seconds and bytes that are left."""
        return (
            None if self._deadline is None else max(0.0, self._deadline - clock.monotonic()),
            None if self._bytes is None else max(0, self._bytes - self.stored_bytes),
            None,
        )

    @property
    def watch(self) -> tuple[tuple[float | None, int | None, None], Progress | None]:
        """The limits of the next kernel, and who hears of its progress."""
        return (self.limits if self._matching else (None, None, None), self.progress)

    @contextmanager
    def within(self, settings: MatchSettings) -> Iterator[None]:
        """Limit the time and memory of what is computed inside the block, report its progress.

        What is computed later, on demand of the user's own products, may take any time, and
        any memory but for pairs off the graph's edges.
        """
        self._matching = True
        seconds, progress = settings.seconds, settings.progress
        self._now = settings
        self._deadline = None if seconds is None else clock.monotonic() + seconds
        self._bytes = settings.bytes
        self.progress = None if progress is None else advancing(progress, self.graph.num_nodes)
        try:
            with watched(lambda: self.check_room(0)):
                yield
        finally:
            self._matching = False
            self._deadline = self.progress = None
            self._bytes = self.settings.bytes

    def check_room(self, nbytes: int) -> None:
        """Raise if the time is up, or if the memory left is less than what is about to be taken."""
        (seconds, room, _), _ = self.watch
        if seconds == 0.0:
            self._refuse("time")
        if room is not None and nbytes > room:
            self._refuse("memory")

    def booked(self, numbers: Numbers) -> Numbers:
        """Count numbers that are kept."""
        self.stored_bytes += numbers.nbytes
        return numbers

    def check(self, reason: int) -> None:
        """Raise if a kernel was stopped."""
        if reason != 0:
            self._refuse("time" if stop_kind(reason) == "time" else "memory")

    def _refuse(self, kind: str) -> NoReturn:
        budget = self._now.time_words if kind == "time" else f"{self._bytes} bytes"
        raise BudgetExceededError(
            kind,
            f"the {kind} budget of {budget} is not enough for the role algebra on "
            f"{self.graph!r}: allow more with {kind}=..., or use engine='enumerate'",
        )
