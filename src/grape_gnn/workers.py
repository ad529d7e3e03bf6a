"""Who works: this process, others of this machine through joblib, or a cluster of Dask.

The outcomes are the same whoever works and whatever the workers' pace. When a worker dies, what it
had not finished is given to the others; when workers do nothing but die, that is an error.
"""

from __future__ import annotations

import os
import pickle
import time as clock
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from grape_gnn.errors import MissingExtraError, WorkersError
from grape_gnn.roles.engine import available_processors

__all__ = ["WorkerSettings", "Workers"]

PATIENCE = "20s"  # with a scheduler that does not answer
LONELY = 30.0  # seconds that a cluster may be without any worker
LOOK = 1.0  # seconds between two looks at whether a cluster has workers
# An interrupt may reach loky between making a semaphore and writing that down. Its tracker, a
# process of its own, would warn of that after our last line.
_TRACKER_IS_SILENT = "ignore:resource_tracker:UserWarning"
# loky replaces a worker that has grown, as ours do when they keep what their jobs share.
_REPLACED = "A worker stopped while some jobs were given to the executor"
_DEATHS = 3  # in a row, without any outcome between them

Shared = TypeVar("Shared")
Job = TypeVar("Job")
Outcome = TypeVar("Outcome")

_kept: dict[str, Any] = {}  # of a worker process: what its jobs share, with all it has prepared


def _option(default: Any, meaning: str, **more: Any) -> Any:
    """Describe a setting as those of a search are; the options of commands are made from it."""
    about = {"group": "Who evaluates", "meaning": meaning, **more}
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class WorkerSettings:
    """How many work, and where; the outcomes do not depend on it.

    Examples
    --------
    >>> WorkerSettings(jobs=4).backend
    'loky'
    """

    jobs: int = _option(1, "trainings at a time; -1: one per processor", short="-j")
    backend: str = _option(
        "loky",
        "loky: processes of this machine; dask: a cluster; or another backend of joblib",
    )
    scheduler: str | None = _option(
        None, "address of Dask, such as tcp://10.0.0.1:8786", metavar="ADDRESS"
    )


class Workers(Generic[Shared, Job, Outcome]):
    """A context in which jobs are run.

    Parameters
    ----------
    work
        A function of a module: takes what all jobs share and a job, and returns its outcome.
    shared
        What all jobs share. A process that works on several jobs keeps its copy as long as
        `fingerprint` stays the same, so that what the copy has prepared is prepared once.
    jobs
        Number of jobs at a time; -1: one per processor (of the cluster, for Dask).
    backend
        ``"dask"``, or a backend of joblib: ``"loky"``, processes of this machine; ``"threading"``;
        or one that you have registered, such as ``"ray"`` or ``"spark"``.
    scheduler
        Address of a Dask scheduler, such as ``"tcp://10.0.0.1:8786"``.
    fingerprint
        Tells one `shared` from another; empty: the copy is not kept.

    Examples
    --------
    >>> with Workers(pow, 2) as workers:
    ...     list(workers.run([3, 4]))
    [(0, 8), (1, 16)]
    """

    def __init__(
        self,
        work: Callable[[Shared, Job], Outcome],
        shared: Shared,
        jobs: int = 1,
        backend: str = "loky",
        scheduler: str | None = None,
        fingerprint: str = "",
    ) -> None:
        if jobs == 0 or jobs < -1:
            raise WorkersError(f"jobs={jobs} must be at least 1, or -1 for all processors")
        if scheduler is not None and backend != "dask":
            raise WorkersError(f"scheduler={scheduler!r} is for backend='dask', not {backend!r}")
        self.count = jobs
        """Number of jobs at a time."""
        self._work = work
        self._shared = shared
        self._fingerprint = fingerprint
        self._backend = backend
        self._scheduler = scheduler
        self._stack = ExitStack()
        self._runs: Callable[..., Iterator[tuple[int, Outcome]]] | None = None  # None: we do
        self._client: Any = None  # of Dask

    def __enter__(self) -> Workers[Shared, Job, Outcome]:
        """Connect to the workers."""
        if self._backend == "dask":
            self._enter_dask()
        elif self.count != 1:
            self.count = available_processors() if self.count == -1 else self.count
            self._stack.callback(_restore, "PYTHONWARNINGS", os.environ.get("PYTHONWARNINGS"))
            os.environ["PYTHONWARNINGS"] = ",".join(
                filter(None, [os.environ.get("PYTHONWARNINGS"), _TRACKER_IS_SILENT])
            )
            self._stack.enter_context(warnings.catch_warnings())
            warnings.filterwarnings("ignore", _REPLACED, UserWarning)
            self._runs = self._on_this_machine
            self._runner(ordered=True)  # complains now of a backend that there is not
        return self

    def __exit__(self, *error: object) -> None:
        """Let the workers go."""
        self._stack.close()

    @property
    def is_serial(self) -> bool:
        """Whether this process does all the work."""
        return self._runs is None

    def run(self, jobs: Sequence[Job], *, ordered: bool = False) -> Iterator[tuple[int, Outcome]]:
        """Run jobs; yield the number and the outcome of each as it gets done, or in order."""
        if self._runs is None:
            yield from ((n, self._work(self._shared, job)) for n, job in enumerate(jobs))
            return
        waiting, deaths = dict(enumerate(jobs)), 0
        while waiting:
            try:
                for number, outcome in self._runs(dict(waiting), ordered):
                    del waiting[number]
                    deaths = 0
                    yield number, outcome
            # Dask and every backend of joblib have their own errors for a lost worker; others are
            # raised again. The `try` is in the loop because the loop is what tries again.
            except Exception as error:  # noqa: PERF203
                if not _is_death(error):
                    raise
                deaths += 1
                if deaths > _DEATHS:
                    raise WorkersError(
                        f"workers died or did not answer {deaths} times in a row without finishing "
                        f"any of {len(waiting)} jobs, for want of memory most likely: give this "
                        f"process fewer jobs at a time (jobs={self.count} now), or more memory"
                    ) from error

    def _on_this_machine(
        self, jobs: dict[int, Job], ordered: bool
    ) -> Iterator[tuple[int, Outcome]]:
        """Give jobs to processes, by joblib."""
        yield from self._runner(ordered)(
            (_work_kept, (self._work, self._fingerprint, self._shared, number, job), {})
            for number, job in jobs.items()
        )

    def _runner(self, ordered: bool) -> Any:
        try:
            import joblib
        except ImportError:
            raise MissingExtraError("joblib", "search") from None
        try:
            with joblib.parallel_config(backend=self._backend, n_jobs=self.count):
                return joblib.Parallel(return_as="generator" if ordered else "generator_unordered")
        except (ValueError, KeyError) as error:
            raise WorkersError(
                f"joblib has no backend {self._backend!r}: use 'loky', 'threading' or 'dask', or "
                f"register it with joblib first"
            ) from error

    def _on_the_cluster(self, jobs: dict[int, Job], ordered: bool) -> Iterator[tuple[int, Outcome]]:
        """Give jobs to the workers of Dask, a few more at a time than there are workers."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            # A task, not data that Dask scatters: it travels to each worker once, and what a worker
            # took with it when it died is made again. As bytes, because workers pass it on, and
            # what a worker has prepared in its copy may not be fit to travel.
            shared = self._client.submit(_itself, pickle.dumps(self._shared), pure=False)
        left = iter(jobs.items())
        given: dict[int, Any] = {}
        try:
            while True:
                while len(given) < 2 * self.count and (more := next(left, None)) is not None:
                    number, job = more
                    given[number] = self._client.submit(
                        _work_sent, self._work, self._fingerprint, shared, number, job, pure=False
                    )
                if not given:
                    return
                first = next(iter(given))
                self._wait([given[first]] if ordered else list(given.values()))
                for number in [first] if ordered else list(given):
                    if given[number].done():
                        yield given.pop(number).result()
        finally:
            self._client.cancel([*given.values(), shared])

    def _wait(self, futures: list[Any]) -> None:
        """Wait for the first of some jobs, as long as there is anybody who may do them."""
        from distributed import TimeoutError as Late
        from distributed import wait

        seen = clock.monotonic()
        while clock.monotonic() - seen <= LONELY:
            try:
                wait(futures, timeout=LOOK, return_when="FIRST_COMPLETED")
            except Late:  # noqa: PERF203  nobody is done yet
                if self._client.ncores():
                    seen = clock.monotonic()
            else:
                return
        raise CancelledError(f"there was no worker for {LONELY:.0f} s")

    def _enter_dask(self) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MissingExtraError("distributed", "dask") from None
        if self._scheduler is None:
            raise WorkersError(
                "backend='dask' needs scheduler='tcp://...', the scheduler's address"
            )
        try:
            client = self._stack.enter_context(Client(self._scheduler, timeout=PATIENCE))
        except (OSError, ValueError) as error:
            raise WorkersError(
                f"no Dask scheduler answers at {self._scheduler}: {error}; start one with "
                f"`dask scheduler` and workers with `dask worker {self._scheduler}`"
            ) from error
        processors = sum(client.ncores().values())
        if processors == 0:
            raise WorkersError(
                f"the Dask scheduler at {self._scheduler} has no workers: start some with "
                f"`dask worker {self._scheduler}`"
            )
        self.count = processors if self.count == -1 else self.count
        self._client, self._runs = client, self._on_the_cluster


def _restore(name: str, value: str | None) -> None:
    """Give an environment variable its value back."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _itself(shared: bytes) -> bytes:
    return shared


def _is_death(error: Exception) -> bool:
    """Whether an error means that a worker, or data that only it had, is gone."""
    return isinstance(error, BrokenExecutor | CancelledError) or (
        type(error).__name__ in ("KilledWorker", "CommClosedError")
    )


def _work_kept(
    work: Callable[[Any, Any], Any], fingerprint: str, shared: Any, number: int, job: Any
) -> tuple[int, Any]:
    if fingerprint:
        if fingerprint not in _kept:
            _kept.clear()
            _kept[fingerprint] = shared
        shared = _kept[fingerprint]
    return number, work(shared, job)


def _work_sent(
    work: Callable[[Any, Any], Any], fingerprint: str, shared: bytes, number: int, job: Any
) -> tuple[int, Any]:
    known = bool(fingerprint) and fingerprint in _kept
    return _work_kept(work, fingerprint, None if known else pickle.loads(shared), number, job)
