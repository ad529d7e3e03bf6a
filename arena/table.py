"""The tables of a league: scores, ranks, and how GRAPE does against each of the others."""

from __future__ import annotations

from statistics import mean

from scipy.stats import rankdata

from arena.entrants import ENTRANTS, GRAPE, GRAPE_EDGE, TITLES
from arena.scores import Scores
from arena.tasks import TASKS, Task

__all__ = ["duel_table", "score_table", "summary_table"]


def score_table(scores: Scores, league: int) -> str:
    """Write mean ± standard error of every entrant on every task, and below the mean ranks.

    Bold: the highest mean, and those tied with it. The number of splits stands in brackets where it
    is not that of the task. A circle: validation declined label inputs.
    """
    lines = [
        "| task | " + " | ".join(TITLES[name] for name in ENTRANTS) + " |",
        "|---|" + "---|" * len(ENTRANTS),
    ]
    for task in TASKS:
        top = leaders(scores, league, task)
        cells = (_cell(scores, league, task, name, name in top) for name in ENTRANTS)
        lines.append(f"| {task.name} | " + " | ".join(cells) + " |")
    ranks = mean_ranks(scores, league)
    cells = (_rank(*ranks[name]) if name in ranks else "" for name in ENTRANTS)
    lines.append("| *mean rank* | " + " | ".join(cells) + " |")
    lead = [leaders(scores, league, task) for task in TASKS]
    cells = (
        f"{sum(name in top for top in lead)} of {ranks[name][1]}" if name in ranks else ""
        for name in ENTRANTS
    )
    lines.append("| *first or tied* | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def summary_table(scores: Scores) -> str:
    """Write GRAPE and the best of the others on every task, in both leagues."""
    others = tuple(name for name in ENTRANTS if name not in (GRAPE_EDGE, GRAPE))
    lines = [
        "| task | GRAPE, edge alone | GRAPE | best of the others | GRAPE, label inputs | "
        "best of the others, label inputs |",
        "|---|---|---|---|---|---|",
    ]
    for task in TASKS:
        cells = []
        for league, ours in ((1, (GRAPE_EDGE, GRAPE)), (2, (GRAPE,))):
            top, best = leaders(scores, league, task), scores.best(league, task.name, others)
            cells += [_cell(scores, league, task, name, name in top) for name in ours]
            shown = "" if best is None else _cell(scores, league, task, best, best in top)
            cells.append(f"{shown} {TITLES[best]}" if best else "")
        lines.append(f"| {task.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _rank(rank: float, tasks: int) -> str:
    return f"{rank:.1f}" if tasks == len(TASKS) else f"{rank:.1f} on {tasks}"


def _cell(scores: Scores, league: int, task: Task, method: str, leads: bool) -> str:
    found = scores.figures(league, task.name, method)
    if found is None:
        return ""
    average, error, runs = found
    text = f"{average:.1f} ± {error:.1f}"
    text = f"**{text}**" if leads else text
    text += "°" if league == 2 and (task.name, method) in scores.declined else ""
    return text if runs == len(scores.splits(league, task.name)) else f"{text} ({runs})"


def leaders(scores: Scores, league: int, task: Task) -> list[str]:
    """Return the entrant with the highest mean and those within one standard error of it.

    The standard error is that of the mean difference to it, split by split.
    """
    best = scores.best(league, task.name, ENTRANTS)
    if best is None:
        return []
    gaps = {name: scores.gap(league, task.name, name, best) for name in ENTRANTS}
    return [name for name, gap in gaps.items() if gap is not None and gap.verdict >= 0]


def mean_ranks(scores: Scores, league: int) -> dict[str, tuple[float, int]]:
    """Return the mean rank by mean test score, and over how many tasks, by entrant."""
    ranks: dict[str, list[float]] = {}
    for task in TASKS:
        figures = {name: scores.figures(league, task.name, name) for name in ENTRANTS}
        means = {name: found[0] for name, found in figures.items() if found is not None}
        places = rankdata([-round(value, 6) for value in means.values()])
        for name, place in zip(means, places, strict=True):
            ranks.setdefault(name, []).append(float(place))
    return {name: (mean(found), len(found)) for name, found in ranks.items()}


def duel_table(scores: Scores, league: int) -> str:
    """Write wins, ties and losses of GRAPE against each of the others, and the best of them."""
    ours = (GRAPE_EDGE, GRAPE)
    others = [name for name in ENTRANTS if name not in ours]
    lines = ["| wins, ties, losses against | " + " | ".join(TITLES[name] for name in ours) + " |"]
    lines.append("|---|" + "---|" * len(ours))
    for name in (*others, GRAPE_EDGE):
        cells = ("" if name == mine else _duel(scores, league, mine, (name,)) for mine in ours)
        lines.append(f"| {TITLES[name]} | " + " | ".join(cells) + " |")
    cells = (_duel(scores, league, mine, tuple(others)) for mine in ours)
    lines.append("| *the best of the others on each task* | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _duel(scores: Scores, league: int, ours: str, others: tuple[str, ...]) -> str:
    verdicts = []
    for task in TASKS:
        best = scores.best(league, task.name, others)
        gap = scores.gap(league, task.name, ours, best) if best else None
        if gap is not None:
            verdicts.append(gap.verdict)
    if not verdicts:
        return "not run"
    return ", ".join(str(verdicts.count(verdict)) for verdict in (1, 0, -1))
