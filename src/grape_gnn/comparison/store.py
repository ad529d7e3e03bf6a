"""The store of a comparison's results: what is in it is not run again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grape_gnn.comparison.cells import Cell, Task, run_cell
from grape_gnn.training import RunResult, append_results, read_results
from grape_gnn.workers import Workers

__all__ = ["ResultStore"]


class ResultStore:
    """Runs cells, or finds them.

    A record is taken for a cell if method, data and fixed splits (by hash), metric, stage, seed and
    all settings agree, and the fingerprint, where one is given.

    Parameters
    ----------
    path
        File of JSON lines; None: nothing is kept.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = path
        old = read_results(path) if path is not None and Path(path).exists() else []
        self._known = {_key_of_result(run): run for run in old}

    def run(
        self, task: Task, cells: Sequence[Cell], n_jobs: int
    ) -> Iterator[tuple[int, RunResult, bool]]:
        """Yield the number of each cell, its result, and whether it was known already.

        Parameters
        ----------
        task
            Method and data.
        cells
            What to run.
        n_jobs
            Number of processes.
        """
        missing = []
        for number, cell in enumerate(cells):
            old = self._known.get(_key_of_cell(task, cell))
            if old is None:
                missing.append(number)
            else:
                yield number, old, True
        if not missing:
            return
        # Every process prepares the graph once, which is quicker than sending what was prepared.
        fingerprint = json.dumps([task.method.name, task.details], sort_keys=True)
        n_jobs = 1 if len(missing) == 1 else n_jobs
        with Workers(run_cell, task, n_jobs, fingerprint=fingerprint) as workers:
            for position, result in workers.run([cells[number] for number in missing]):
                if self.path is not None:
                    append_results(self.path, [result])
                self._known[_key_of_result(result)] = result
                yield missing[position], result, False


def _key_of_result(run: RunResult) -> str:
    what = [run.model, run.dataset, run.features, run.stage, run.metric]
    return _key(what, run.settings, run.details)


def _key_of_cell(task: Task, cell: Cell) -> str:
    what = [task.method.name, task.dataset, task.features, cell.stage, task.metric]
    return _key(what, task.settings(cell), task.details)


def _key(what: list[str], settings: dict[str, Any], details: dict[str, Any]) -> str:
    # Settings from before there was a choice of metrics do not name it.
    settings = {name: value for name, value in settings.items() if name != "metric"}
    same = [details.get(name) for name in ("data", "splits", "method", "fingerprint")]
    return json.dumps([*what, settings, *same], sort_keys=True)
