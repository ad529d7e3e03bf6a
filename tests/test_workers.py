"""Workers that die: their jobs go to others, and a job that kills them all is an error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from threading import Event

import pytest

from grape_gnn.errors import WorkersError
from grape_gnn.workers import Workers


def die(shared: int, job: int) -> int:
    if job >= shared:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def double(shared: int, job: int) -> int:
    return 2 * job


def fail(shared: int, job: int) -> int:
    raise ZeroDivisionError(f"job {job}")


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


def test_a_cluster_that_never_answers_counts_as_a_death(monkeypatch):
    monkeypatch.setattr("grape_gnn.workers.TRAVEL", 0.05)
    gate, made = Event(), []
    workers = Workers(double, 0, 2, backend="threading")
    runner = workers._runner

    def stuck_once(options, ordered):
        made.append(ordered)
        if len(made) == 1:
            gate.wait(60)
        return runner({}, ordered)

    monkeypatch.setattr(workers, "_runner", stuck_once)
    workers._options = {"client": None}  # as a cluster has it
    try:
        assert dict(workers.run([1, 2])) == {0: 2, 1: 4}
    finally:
        gate.set()
    assert len(made) == 2


def test_what_goes_wrong_on_the_way_to_a_cluster_is_raised(monkeypatch):
    workers = Workers(double, 0, 2, backend="nowhere")
    workers._options = {"client": None}
    with pytest.raises(WorkersError, match="joblib has no backend 'nowhere'"):
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


def test_a_cluster_that_does_not_answer_is_one_line(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("grape_gnn.workers.TRAVEL", 0.0)
    with (
        distributed.LocalCluster(1, processes=False, dashboard_address=None) as cluster,
        Workers(pow, 2, -1, "dask", cluster.scheduler_address) as workers,
        pytest.raises(WorkersError, match="did not answer 4 times in a row"),
    ):
        list(workers.run([3, 4]))
