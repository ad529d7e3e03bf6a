"""Workers that die: their jobs go to others, and a job that kills them all is an error."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

from grape_gnn.errors import WorkersError
from grape_gnn.workers import Workers


def die(shared: int, job: int) -> int:
    if job >= shared:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def double(shared: int, job: int) -> int:
    return 2 * job


def second(shared: list[int], job: int) -> int:
    return shared[job]


def fail(shared: int, job: int) -> int:
    raise ZeroDivisionError(f"job {job}")


def test_a_worker_that_is_replaced_is_nobodys_business():
    """What loky says of a worker that has grown is true, and of no use to anybody here."""
    said = (
        "A worker stopped while some jobs were given to the executor. This can be caused by a too "
        "short worker timeout or by a memory leak."
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with Workers(double, 0, 2):
            warnings.warn(said, UserWarning, stacklevel=1)
        assert not caught
        warnings.warn(said, UserWarning, stacklevel=1)
    assert len(caught) == 1


def test_workers_that_do_nothing_but_die_are_a_typed_error():
    with (
        Workers(die, 0, 2) as workers,
        pytest.raises(
            WorkersError, match=r"died or did not answer 4 times in a row .* 2 jobs.*jobs=2 now"
        ) as caught,
    ):
        list(workers.run([0, 1]))
    assert "\n" not in str(caught.value)


def test_what_a_job_raises_is_raised():
    with Workers(fail, 0, 2) as workers, pytest.raises(ZeroDivisionError, match="job 7"):
        list(workers.run([7]))


def test_a_backend_that_there_is_not():
    with (
        pytest.raises(WorkersError, match="joblib has no backend 'nowhere'"),
        Workers(double, 0, 2, backend="nowhere") as workers,
    ):
        list(workers.run([1]))


LEAK = """
import os
from joblib.externals.loky.backend import resource_tracker
from grape_gnn.workers import Workers

with Workers(pow, 2, 2) as workers:
    assert dict(workers.run([3, 4])) == {0: 8, 1: 16}
    resource_tracker.register("/loky-never-made", "semlock")
assert "PYTHONWARNINGS" not in os.environ
"""


def test_a_semaphore_lost_by_an_interrupt_is_no_last_line():
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    ended = subprocess.run(
        [sys.executable, "-c", LEAK], capture_output=True, text=True, timeout=120, env=environment
    )
    assert (ended.returncode, ended.stderr) == (0, "")


# Dask leaves sockets open that complain when they are collected: here, and not in a later test.
quietly = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, processes=False, dashboard_address=None) as started:
        yield started
    gc.collect()


@quietly
def test_a_cluster_works_in_any_order_or_in_order(cluster):
    with Workers(pow, 2, -1, "dask", cluster.scheduler_address) as workers:
        expected = {number: 2**number for number in range(50)}
        assert dict(workers.run(range(50))) == expected
        assert list(workers.run(range(50), ordered=True)) == list(expected.items())


@quietly
def test_what_a_job_raises_on_a_cluster_is_raised(cluster):
    with (
        Workers(fail, 0, -1, "dask", cluster.scheduler_address) as workers,
        pytest.raises(ZeroDivisionError, match="job 7"),
    ):
        list(workers.run([7]))


@quietly
def test_a_list_is_shared_as_it_is(cluster):
    with Workers(second, [1, 2, 3], -1, "dask", cluster.scheduler_address) as workers:
        assert dict(workers.run([0, 2])) == {0: 1, 1: 3}


class Prepares:
    """Keeps something that cannot travel once it has been asked."""

    def ask(self) -> int:
        self.kept = threading.Lock()
        return os.getpid()


def ask(shared: Prepares, job: int) -> int:
    time.sleep(0.02)
    return shared.ask()


@quietly
def test_what_a_worker_has_prepared_stays_there():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as two,
        Workers(ask, Prepares(), -1, "dask", two.scheduler_address, "prepares") as workers,
    ):
        assert len({pid for _, pid in workers.run(range(30))}) == 2
    gc.collect()


@quietly
def test_a_cluster_that_lost_all_its_workers_is_one_line(cluster, monkeypatch):
    monkeypatch.setattr("grape_gnn.workers.LONELY", 0.2)
    monkeypatch.setattr("grape_gnn.workers.LOOK", 0.1)
    with Workers(pow, 2, -1, "dask", cluster.scheduler_address) as workers:
        cluster.scale(0)
        while workers._client.ncores():
            time.sleep(0.05)
        with pytest.raises(WorkersError, match="did not answer 4 times in a row"):
            list(workers.run([3, 4]))
