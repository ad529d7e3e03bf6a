"""What the records say: the runs of every entrant on every task, in either league.

On the paper's seven graphs the baselines were run by `reproduction` too, on the same splits, with
another grid (16 points, two layers, GIN two or three), chosen on one split. Where an entrant has
both, the runs with the better mean validation score count: the more it could choose from, the
better for it. What takes hours for little is not run here (`is_reused`).

In league two label inputs are on offer, and validation takes or declines them, as
``grape train --label-inputs auto`` does: who declines has the runs of league one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.entrants import ENTRANTS, GRAPE, GRAPE_EDGE, PLAIN
from arena.tasks import LONG, PAPER_TASKS, TASKS, WORDS
from grape_gnn.training import RunResult, read_results, summarise
from reproduction.record import Record, Records

__all__ = ["RECORDS", "Gap", "Scores", "is_reused"]

RECORDS = Path(__file__).with_name("records")
REPRODUCTION = Path(__file__).parents[1] / "reproduction" / "records"
_NAMES = {(2, "gin"): "gin-labels"}  # what `reproduction` calls an entrant of league two


@dataclass(frozen=True)
class Gap:
    """A difference of two entrants over the splits both have, in points of percent.

    Parameters
    ----------
    difference, error
        Mean, and its standard error: of the differences split by split.
    runs
        Number of splits.
    """

    difference: float
    error: float
    runs: int

    @property
    def verdict(self) -> int:
        """1: a win, -1: a loss by more than one standard error, 0: a tie."""
        return 0 if abs(self.difference) <= self.error else (1 if self.difference > 0 else -1)


class Scores:
    """The final runs of a folder of records and of `reproduction`.

    Parameters
    ----------
    folder
        The arena's records.

    Attributes
    ----------
    runs
        By league, task and entrant, then by seed.
    trainings
        All of them.
    declined
        Tasks and entrants for which validation declined label inputs.
    """

    def __init__(self, folder: Path = RECORDS) -> None:
        self.runs: dict[tuple[int, str, str], dict[int, RunResult]] = {}
        self.trainings: list[RunResult] = []
        self.declined: set[tuple[str, str]] = set()
        names = {(task.dataset, task.features): task.name for task in TASKS}
        for method in ENTRANTS:
            file = folder / f"{method}.jsonl"
            for run in read_results(file) if file.exists() else ():
                self.trainings.append(run)
                task = names.get((run.dataset, run.features))
                if run.stage == "run" and task is not None:
                    league = 2 if run.settings.get("label_inputs") else 1
                    self._add(league, task, method, run)
        for (league, task, method), record in _taken_over().items():
            runs = [_as_run(task, method, record, run) for run in record.result["runs"]]
            if _prefers(runs, self.runs.get((league, task, method), {})):
                self.runs.pop((league, task, method), None)
                for run in runs:
                    self._add(league, task, method, run)
        self._decline()

    def _decline(self) -> None:
        """Give those whom label inputs do not help by validation their runs of league one."""
        for league, task, method in list(self.runs):
            with_labels = self.runs.get((2, task, method))
            if league == 1 and method not in PLAIN and with_labels:
                runs = self.runs[1, task, method]
                if _prefers(runs.values(), with_labels):
                    self.runs[2, task, method] = runs
                    self.declined.add((task, method))

    def _add(self, league: int, task: str, method: str, run: RunResult) -> None:
        leagues = (1, 2) if method in PLAIN else (league,)
        for each in leagues:
            self.runs.setdefault((each, task, method), {})[run.seed] = run

    def splits(self, league: int, name: str) -> tuple[int, ...]:
        """Return the seeds that count: those of a full pass if GRAPE has them, else the first."""
        task = next(task for task in TASKS if task.name == name)
        every = (*task.seeds, *task.more)
        had = self.runs.get((league, name, GRAPE), {})
        return every if all(seed in had for seed in every) else task.seeds

    def tested(self, league: int, task: str, method: str) -> dict[int, float]:
        """Return the test scores on the splits that count, by seed; empty if it was not run."""
        found = self.runs.get((league, task, method), {})
        wanted = self.splits(league, task)
        return {seed: found[seed].test_score or 0.0 for seed in wanted if seed in found}

    def figures(self, league: int, task: str, method: str) -> tuple[float, float, int] | None:
        """Return mean, standard error in percent and number of splits; None if it was not run."""
        found = self.tested(league, task, method)
        if not found:
            return None
        average, _, error = summarise(found.values())
        return average, error, len(found)

    def validation(self, league: int, task: str, method: str) -> float | None:
        """Return the mean validation score in percent; None if it was not run."""
        found = self.runs.get((league, task, method), {})
        wanted = [seed for seed in self.splits(league, task) if seed in found]
        return summarise(found[seed].validation_score for seed in wanted)[0] if wanted else None

    def gap(self, league: int, task: str, ours: str, theirs: str) -> Gap | None:
        """Return by how much one entrant is ahead of another; None if they share no split."""
        mine, other = self.tested(league, task, ours), self.tested(league, task, theirs)
        shared = sorted(mine.keys() & other.keys())
        if not shared:
            return None
        difference, _, error = summarise(mine[seed] - other[seed] for seed in shared)
        return Gap(difference, error, len(shared))

    def best(self, league: int, task: str, methods: tuple[str, ...]) -> str | None:
        """Return which of some entrants has the highest mean test score."""
        means = {m: found[0] for m in methods if (found := self.figures(league, task, m))}
        return max(means, key=lambda name: means[name]) if means else None


def is_reused(task: str, method: str, league: int) -> bool:
    """Whether an entrant is not run on a task, because runs of `reproduction` stand for it."""
    here = league == 1 and (task in WORDS or method not in LONG)
    return not here and (league, task, method) in _taken_over()


def _prefers(runs: Iterable[RunResult], own: Mapping[int, RunResult]) -> bool:
    """Whether validation prefers runs to those that count so far, if there are any."""
    pairs = [
        (run.validation_score, own[run.seed].validation_score) for run in runs if run.seed in own
    ]
    return not own or sum(theirs - ours for theirs, ours in pairs) > 0


@cache
def _taken_over() -> dict[tuple[int, str, str], Record]:
    records = Records(REPRODUCTION, "table1")
    found = {}
    for league in (1, 2):
        for task in PAPER_TASKS:
            for method in ENTRANTS:
                name = _NAMES.get((league, method), method if league == 1 else "")
                record = records.find("paper", {"dataset": task, "method": name})
                if record is not None and method not in (GRAPE, GRAPE_EDGE):
                    found[league, task, method] = record
    return found


def _as_run(task: str, method: str, record: Record, run: dict[str, float]) -> RunResult:
    return RunResult(
        model=method,
        dataset=task,
        features="original",
        seed=int(run["seed"]),
        settings=record.result["settings"],
        best_epoch=int(run["best_epoch"]),
        epochs=int(run["epochs"]),
        validation_score=run["validation_accuracy"],
        test_score=run["test_accuracy"],
        seconds=run["seconds"],
    )
