"""Running the cells of an experiment: those that are missing, several at a time, until stopped.

Every cell runs on one thread, so that its result does not depend on how many run beside it. A
cell that fails is reported and the others go on. Ctrl-C and SIGTERM stop at once and lose at most
the run that was under way: finished cells are records, unfinished ones go on from their folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grape_gnn.errors import GrapeError
from grape_gnn.files import make_folder
from grape_gnn.workers import Workers
from reproduction.experiment import Entry, Experiment
from reproduction.profiles import PROFILES, Profile
from reproduction.record import Records, new_record

__all__ = ["CellReport", "missing_cells", "run_cells"]


@dataclass(frozen=True)
class CellReport:
    """How a cell ended.

    Parameters
    ----------
    cell
        Which one.
    seconds
        How long it took.
    failure
        Why it failed; empty if it did not.
    """

    cell: Entry
    seconds: float
    failure: str = ""


def missing_cells(
    experiments: Sequence[Experiment],
    profile: Profile,
    folder: str | os.PathLike[str],
    *,
    only: Mapping[str, Sequence[str]] | None = None,
    again: bool = False,
) -> list[tuple[Experiment, list[Entry]]]:
    """Return, for every experiment, the cells without a current record in this profile or above.

    Parameters
    ----------
    experiments, profile
        What to run, and how much of it.
    folder
        Where the records are.
    only
        Restrict the cells: allowed values by name, such as ``{"dataset": ["cora"]}``. Each value
        must mean something to one of the experiments.
    again
        Return cells that have a record, too.
    """
    cells = [list(experiment.cells(profile)) for experiment in experiments]
    for name, allowed in (only or {}).items():
        known = {cell[name]: None for each in cells for cell in each if name in cell}
        unknown = [value for value in allowed if value not in known]
        if unknown:
            names = ", ".join(experiment.name for experiment in experiments)
            raise GrapeError(
                f"no cell of {names} has the {name} {unknown[0]!r}; known are "
                f"{', '.join(known) or 'none'}"
            )
        cells = [[cell for cell in each if cell.get(name) in allowed] for each in cells]
    plan = []
    for experiment, each in zip(experiments, cells, strict=True):
        found = Records(folder, experiment.name)
        todo = [cell for cell in each if again or not _is_done(experiment, found, profile, cell)]
        plan.append((experiment, todo))
    return plan


def _is_done(experiment: Experiment, found: Records, profile: Profile, cell: Entry) -> bool:
    sizes = list(PROFILES)
    larger = sizes[sizes.index(profile.name) :]
    records = (found.find(size, cell) for size in larger)
    return any(record is not None and experiment.is_current(record) for record in records)


def run_cells(
    experiment: Experiment,
    cells: Sequence[Entry],
    profile: Profile,
    records: Records,
    *,
    jobs: int = 1,
    progress: Callable[[CellReport], None] | None = None,
) -> list[CellReport]:
    """Compute cells and append their records.

    Parameters
    ----------
    experiment, cells, profile, records
        What to run, and where the records go.
    jobs
        How many cells at a time, in as many processes; 1 runs them here, one by one. Experiments
        that measure time always do that.
    progress
        Called after every cell.

    Returns
    -------
    list of CellReport
        One for each cell, failed ones included.
    """
    shared = _Shared(experiment, profile, records.folder)
    reports = []
    with (
        _terminated_like_interrupted(),
        Workers(_run_one, shared, 1 if experiment.alone else jobs) as workers,
    ):
        for _, (report, result) in workers.run(cells):
            if result is not None:
                fingerprint = experiment.fingerprint(report.cell, profile)
                records.add(
                    new_record(
                        experiment.name,
                        profile.name,
                        report.cell,
                        result,
                        report.seconds,
                        fingerprint,
                    )
                )
                folder = records.partial(profile.name, report.cell, fingerprint)
                shutil.rmtree(folder, ignore_errors=True)
            reports.append(report)
            if progress is not None:
                progress(report)
    return reports


@dataclass(frozen=True)
class _Shared:
    """What all cells of a run share."""

    experiment: Experiment
    profile: Profile
    records: Path


def _run_one(shared: _Shared, cell: Entry) -> tuple[CellReport, dict[str, Any] | None]:
    from grape_gnn.training import torch_threads

    experiment, profile = shared.experiment, shared.profile
    start = time.perf_counter()
    folder = Records(shared.records, experiment.name).partial(
        profile.name, cell, experiment.fingerprint(cell, profile)
    )
    try:
        make_folder(folder)
        with torch_threads(1):
            result = experiment.run(cell, profile, folder)
    except (GrapeError, OSError, MemoryError) as error:
        with suppress(OSError):
            folder.rmdir()  # if there is nothing in it to go on from
        reason = str(error) or type(error).__name__
        return CellReport(cell, time.perf_counter() - start, reason), None
    return CellReport(cell, time.perf_counter() - start), result


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Let SIGTERM end the block as Ctrl-C does, so that child processes are cleaned up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
