"""What GRAPE must not lose, and the losses that are known.

The edge alone contains GIN and SAGE, and nearly GCN; and a template that does not help must not
hurt. Hence, on every task and in both leagues,

- `grape-edge` is not more than one standard error below the best of GCN, SAGE and GIN,
- `grape` is not more than one standard error below `grape-edge`,

where the best is that of the highest mean test score, the hardest choice for GRAPE, and the
standard error is that of the mean difference, taken split by split. Of two equals with three
splits, the first is that far below the second one time in five. So exceptions are possible, but
not tacitly:
``known_losses.json`` lists every one with its figures.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena.entrants import GRAPE, GRAPE_EDGE
from arena.scores import Scores
from arena.tasks import TASKS
from grape_gnn.files import check_shape

__all__ = ["KNOWN", "Loss", "known_losses", "losses"]

KNOWN = Path(__file__).with_name("known_losses.json")
SIMPLE = ("gcn", "sage", "gin")


@dataclass(frozen=True)
class Loss:
    """An entrant that is more than one standard error below another that it should not lose to.

    Parameters
    ----------
    league, task
        Where.
    method, against
        Who is below whom.
    difference, error
        By how much, and its standard error, in points of percent to two digits.
    """

    league: int
    task: str
    method: str
    against: str
    difference: float
    error: float


def losses(scores: Scores) -> list[Loss]:
    """Return all losses of the two rules, in the order of leagues and tasks."""
    found = []
    for league in (1, 2):
        for task in TASKS:
            simple = scores.best(league, task.name, SIMPLE)
            for ours, theirs in ((GRAPE_EDGE, simple), (GRAPE, GRAPE_EDGE)):
                gap = scores.gap(league, task.name, ours, theirs) if theirs else None
                if gap is not None and theirs is not None and gap.verdict < 0:
                    figures = round(gap.difference, 2), round(gap.error, 2)
                    found.append(Loss(league, task.name, ours, theirs, *figures))
    return found


def known_losses(path: Path = KNOWN) -> list[Loss]:
    """Read the losses that are known."""
    listed: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    for entry in listed:
        check_shape(entry, Loss)
    return [Loss(**entry) for entry in listed]


def as_json(found: list[Loss]) -> str:
    """Write losses as ``known_losses.json`` has them, a line each.

    Examples
    --------
    >>> print(as_json([Loss(1, "cora", "grape", "grape-edge", -1.2, 0.5)]), end="")
    [
      {"league": 1, "task": "cora", "method": "grape", "against": "grape-edge", ...}
    ]
    """
    lines = ",\n".join(f"  {json.dumps(asdict(loss))}" for loss in found)
    return f"[\n{lines}\n]\n" if found else "[]\n"
