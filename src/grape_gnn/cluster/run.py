"""Running jobs that write their outcomes themselves: what is done stays done, whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grape_gnn.errors import WorkersError
from grape_gnn.progress import report
from grape_gnn.version import __version__
from grape_gnn.workers import Workers, WorkerSettings

__all__ = ["run_jobs"]


def run_jobs(
    work: Callable[[Any, Any], str | None],
    shared: Any,
    jobs: Sequence[Any],
    settings: WorkerSettings,
    *,
    fingerprint: str,
    step: str,
) -> None:
    """Run jobs; when all have had their turn, raise what went wrong with the first that failed.

    Parameters
    ----------
    work
        A function of a module: takes what all jobs share and a job, writes the outcome to a file,
        and returns None, or what went wrong.
    shared, fingerprint
        As for `Workers`.
    jobs
        The jobs.
    settings
        Who works.
    step
        What the progress bar says.
    """
    wrong: list[str] = []
    report(step, 0, len(jobs))
    try:
        with Workers(
            work, shared, settings.jobs, settings.backend, settings.scheduler, fingerprint
        ) as workers:
            for done, (_, reason) in enumerate(workers.run(jobs), start=1):
                report(step, done, len(jobs))
                if reason is not None:
                    wrong.append(reason)
    except ImportError as error:
        if hasattr(error, "extra"):
            raise
        raise WorkersError(
            f"a worker lacks what it needs ({error}): install grape-gnn {__version__} with the "
            f"same extras there"
        ) from error
    if wrong:
        raise WorkersError(
            f"{len(wrong)} of {len(jobs)} parts failed, the first for this reason: {wrong[0]}; "
            f"mend it and run the same again, which goes on with what is missing"
        )
