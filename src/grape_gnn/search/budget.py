"""When a search ends: after so many rounds, or after so much time.

Rounds make a search repeatable to the last gene. Time is looked at before each round and between
evaluations, and handed to the matching; so the same search may end in another round on another
day, but up to there it is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grape_gnn.errors import SearchError
from grape_gnn.roles.engine import parse_seconds

__all__ = ["Budget", "make_budget"]

_DEFAULT = "10m"


@dataclass(frozen=True)
class Budget:
    """Bounds of a search; None: no bound.

    Parameters
    ----------
    seconds
        Time in all, interrupted runs included.
    rounds
        Rounds after the start, the paper's ``K2``.
    """

    seconds: float | None
    rounds: int | None

    def over(self, rounds: int, seconds: float) -> str | None:
        """Return what ran out, ``"rounds"`` or ``"time"``, or None.

        Examples
        --------
        >>> Budget(60.0, 5).over(rounds=5, seconds=10.0)
        'rounds'
        """
        if self.rounds is not None and rounds >= self.rounds:
            return "rounds"
        return "time" if self.seconds is not None and seconds >= self.seconds else None

    def left(self, seconds: float) -> float | None:
        """Return the seconds that are left; None without a bound."""
        return None if self.seconds is None else max(0.0, self.seconds - seconds)

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return dict(vars(self))


def make_budget(time: float | str | None, rounds: int | None) -> Budget:
    """Check the bounds; ten minutes if there are none.

    Examples
    --------
    >>> make_budget(None, None), make_budget(None, 3)
    (Budget(seconds=600.0, rounds=None), Budget(seconds=None, rounds=3))
    """
    if rounds is not None and rounds < 0:
        raise SearchError(f"rounds={rounds} must not be negative")
    if time is None and rounds is None:
        time = _DEFAULT
    seconds = None if time is None else parse_seconds(time)
    if seconds is not None and seconds <= 0:
        raise SearchError(f"budget={time!r} leaves no time: write for example '10m'")
    return Budget(seconds, rounds)
