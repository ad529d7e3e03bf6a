"""Workers that die: their jobs go to others, and a job that kills them all is an error."""

from __future__ import annotations

import os
import signal

import pytest

from grape_gnn.errors import WorkersError
from grape_gnn.workers import Workers


def die(shared: int, job: int) -> int:
    if job >= shared:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def fail(shared: int, job: int) -> int:
    raise ZeroDivisionError(f"job {job}")


def test_workers_that_do_nothing_but_die_are_a_typed_error():
    with (
        Workers(die, 0, 2) as workers,
        pytest.raises(WorkersError, match=r"died 4 times in a row .* 2 jobs.*jobs=2 now") as caught,
    ):
        list(workers.run([0, 1]))
    assert "\n" not in str(caught.value)


def test_what_a_job_raises_is_raised():
    with Workers(fail, 0, 2) as workers, pytest.raises(ZeroDivisionError, match="job 7"):
        list(workers.run([7]))
