"""Who evaluates: this process, other processes of this machine, or a cluster, through joblib.

Outcomes come back in the order of the jobs, whatever the workers' pace. When a worker dies, what it
had not finished is given to the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from grape_gnn.errors import MissingExtraError, SearchError
from grape_gnn.roles import RoleMatches
from grape_gnn.roles.engine import available_processors
from grape_gnn.search.evaluate import Job, Outcome, train_gene
from grape_gnn.search.portable import pack
from grape_gnn.search.problem import Problem

__all__ = ["Workers"]

PATIENCE = "20s"  # with a scheduler that does not answer
_DEATHS = 3  # in a row, without any outcome between them


class Workers:
    """A context in which jobs are run.

    Parameters
    ----------
    problem
        What all jobs share.
    jobs
        Number of trainings at a time; -1: one per processor (of the cluster, for Dask).
    backend
        A backend of joblib: ``"loky"``, processes of this machine; ``"threading"``; ``"dask"``; or
        one that you have registered, such as ``"ray"`` or ``"spark"``.
    scheduler
        Address of a Dask scheduler, such as ``"tcp://10.0.0.1:8786"``.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> from grape_gnn.search.problem import make_problem
    >>> g = Graph.from_edges(range(9), range(1, 10), y=[0, 1] * 5)
    >>> with Workers(make_problem(g, {}, seed=0)) as workers:
    ...     workers.count
    1
    """

    def __init__(
        self,
        problem: Problem,
        jobs: int = 1,
        backend: str = "loky",
        scheduler: str | None = None,
    ) -> None:
        if jobs == 0 or jobs < -1:
            raise SearchError(f"jobs={jobs} must be at least 1, or -1 for all processors")
        if scheduler is not None and backend != "dask":
            raise SearchError(f"scheduler={scheduler!r} is for backend='dask', not {backend!r}")
        self.count = jobs
        """Number of trainings at a time."""
        self._problem = problem
        self._backend = backend
        self._scheduler = scheduler
        self._stack = ExitStack()
        self._options: dict[str, Any] | None = None  # of joblib; None: this process works

    def __enter__(self) -> Workers:
        """Connect to the workers."""
        if self._backend == "dask":
            self._enter_dask()
        elif self.count != 1:
            self.count = available_processors() if self.count == -1 else self.count
            self._runner({})
            self._options = {}
        return self

    def __exit__(self, *error: object) -> None:
        """Let the workers go."""
        self._stack.close()

    @property
    def is_serial(self) -> bool:
        """Whether this process does all the work."""
        return self._options is None

    def run(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Run jobs and yield their outcomes in order."""
        if self._options is None:
            yield from (train_gene(self._problem, job) for job in jobs)
            return
        tasks: list[Any] = [(train_gene, (self._problem, _packed(job)), {}) for job in jobs]
        done, deaths = 0, 0
        while done < len(tasks):
            try:
                for outcome in self._runner(self._options)(tasks[done:]):
                    done, deaths = done + 1, 0
                    yield outcome
            # Every backend of joblib has its own errors for a lost worker; others are raised again.
            # The `try` is in the loop because the loop is what tries again.
            except Exception as error:  # noqa: PERF203
                deaths += 1
                if not _is_death(error) or deaths > _DEATHS:
                    raise

    def _runner(self, options: dict[str, Any]) -> Any:
        """Return what runs tasks on the workers there are now."""
        try:
            import joblib
        except ImportError:
            raise MissingExtraError("joblib", "search") from None
        try:
            with joblib.parallel_config(backend=self._backend, n_jobs=self.count, **options):
                return joblib.Parallel(return_as="generator")
        except (ValueError, KeyError) as error:
            raise SearchError(
                f"joblib has no backend {self._backend!r}: use 'loky', 'threading' or 'dask', or "
                f"register it with joblib first"
            ) from error

    def _enter_dask(self) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingExtraError("distributed", "dask") from None
        if self._scheduler is None:
            raise SearchError("backend='dask' needs scheduler='tcp://...', the scheduler's address")
        try:
            client = self._stack.enter_context(Client(self._scheduler, timeout=PATIENCE))
        except (OSError, ValueError) as error:
            raise SearchError(
                f"no Dask scheduler answers at {self._scheduler}: {error}; start one with "
                f"`dask scheduler` and workers with `dask worker {self._scheduler}`"
            ) from error
        processors = sum(client.ncores().values())
        if processors == 0:
            raise SearchError(
                f"the Dask scheduler at {self._scheduler} has no workers: start some with "
                f"`dask worker {self._scheduler}`"
            )
        self.count = processors if self.count == -1 else self.count
        # The problem travels once to every worker, not with every job.
        self._options = {"client": client, "scatter": [self._problem]}
        self._runner(self._options)


def _is_death(error: Exception) -> bool:
    """Whether an error means that a worker, or data that only it had, is gone."""
    return isinstance(error, BrokenExecutor | CancelledError) or (
        type(error).__name__ in ("KilledWorker", "CommClosedError")
    )


def _packed(job: Job) -> Job:
    if isinstance(job.roles, RoleMatches):
        return replace(job, roles=pack(job.roles))
    return job
