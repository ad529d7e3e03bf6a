"""Runs what is missing: entrants on tasks, through `grape_gnn.comparison.compare`.

An entrant has one file of records for both leagues; label inputs are part of the settings. What is
there is not run again unless the method behaves otherwise now (`entrants.fingerprint`); then the
new trainings take the place of the old ones once the task is done.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from arena.entrants import PLAIN, entrant, fingerprint
from arena.scores import is_reused
from arena.tasks import Task
from grape_gnn.comparison import Progress, compare
from grape_gnn.errors import GrapeError
from grape_gnn.files import atomic_write, make_folder
from grape_gnn.training import RunResult, read_results

__all__ = ["Report", "record_file", "run_arena"]


@dataclass(frozen=True)
class Report:
    """How an entrant did on a task.

    Parameters
    ----------
    task, method, league
        Which.
    trainings
        How many were run now, and not found.
    validation
        Mean validation score in percent. Test scores are for the tables only.
    seconds
        Processor time, of this process and of its children that have ended.
    failure
        Why it failed; empty if it did not.
    """

    task: str
    method: str
    league: int
    trainings: int
    validation: float
    seconds: float
    failure: str = ""


def record_file(folder: Path, method: str) -> Path:
    """Return the file of an entrant's records."""
    return folder / f"{method}.jsonl"


def run_arena(
    tasks: Iterable[Task],
    methods: Iterable[str],
    league: int,
    folder: Path,
    *,
    full: bool = False,
    jobs: int = 1,
    progress: Callable[[Report], None] | None = None,
) -> list[Report]:
    """Run entrants on tasks, one after the other; a failure does not stop the others.

    Parameters
    ----------
    tasks, methods
        Who, and on what.
    league
        1: nobody has label inputs; 2: everybody who trains.
    folder
        Where the records are.
    full
        Run the further splits of the tasks, too.
    jobs
        Number of processes.
    progress
        Called after every task of an entrant.
    """
    make_folder(folder)
    reports = []
    listed = list(methods)
    for task in tasks:
        for name in listed:
            if is_reused(task.name, name, league) or (league == 2 and name in PLAIN):
                continue
            report = _run_one(task, name, league, folder, full, jobs)
            reports.append(report)
            if progress is not None:
                progress(report)
    return reports


def _run_one(task: Task, name: str, league: int, folder: Path, full: bool, jobs: int) -> Report:
    file, fresh, start = record_file(folder, name), 0, _processor_time()

    def count(step: Progress) -> None:
        nonlocal fresh
        fresh += not step.reused

    try:
        chosen = entrant(name, task)
        runs = compare(
            task.graph(),
            [chosen],
            dataset=task.dataset,
            features=task.features,
            seeds=task.seeds + (task.more if full else ()),
            metric=task.metric,
            splits=task.splits(),
            profile=task.profile,
            label_inputs=league == 2,
            results=file,
            fingerprint=fingerprint(chosen),
            n_jobs=jobs,
            progress=count,
        )
        _drop_older(file, runs)
    except GrapeError as error:
        return Report(task.name, name, league, fresh, 0.0, _processor_time() - start, str(error))
    validation = 100 * mean(run.validation_score for run in runs)
    return Report(task.name, name, league, fresh, validation, _processor_time() - start)


def _drop_older(file: Path, runs: list[RunResult]) -> None:
    """Drop what these runs replace: trainings of the same task with other code or settings."""
    latest = runs[-1]
    lines = read_results(file)
    kept = [run for run in lines if not _same_task(run, latest) or _agrees(run, latest)]
    if len(kept) < len(lines):
        with atomic_write(file) as temporary:
            text = "".join(json.dumps(asdict(run)) + "\n" for run in kept)
            temporary.write_text(text, encoding="utf-8")


def _same_task(run: RunResult, latest: RunResult) -> bool:
    labels = [bool(each.settings.get("label_inputs")) for each in (run, latest)]
    same = (run.dataset, run.features) == (latest.dataset, latest.features)
    return same and labels[0] == labels[1]


def _agrees(run: RunResult, latest: RunResult) -> bool:
    for name in ("data", "splits", "method", "fingerprint"):
        if run.details.get(name) != latest.details.get(name):
            return False
    return run.stage == "grid" or {**run.settings, "seed": latest.seed} == latest.settings


def _processor_time() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
