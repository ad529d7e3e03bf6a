"""Cells one after the other, or in several processes; the results are the same.

Every process prepares the graph for itself once, which is quicker than sending what was prepared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from grape_gnn.comparison.cells import Cell, Task, run_cell
from grape_gnn.errors import MissingExtraError
from grape_gnn.training import RunResult

__all__ = ["run_cells"]

_kept: dict[str, Task] = {}  # of a worker process: the last task, with what it has prepared


def run_cells(task: Task, cells: Sequence[Cell], n_jobs: int) -> Iterator[tuple[int, RunResult]]:
    """Yield the position and the result of every cell, as they get done.

    Parameters
    ----------
    task
        Method and data.
    cells
        What to run.
    n_jobs
        Number of processes; 1: in this one.
    """
    if n_jobs == 1 or len(cells) < 2:
        for position, cell in enumerate(cells):
            yield position, run_cell(task, cell)
        return
    try:
        from joblib import Parallel, delayed
    except ImportError as error:
        raise MissingExtraError("joblib", "search") from error
    pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    yield from pool(
        delayed(_run_in_worker)(task, position, cell) for position, cell in enumerate(cells)
    )


def _run_in_worker(task: Task, position: int, cell: Cell) -> tuple[int, RunResult]:
    key = json.dumps([task.method.name, task.details], sort_keys=True)
    if key not in _kept:
        _kept.clear()
        _kept[key] = task
    return position, run_cell(_kept[key], cell)
