"""A search on a Dask cluster: a real scheduler and two workers on this machine.

One worker is killed half way. The scheduler gives its work to the other one, and the search is the
same as without a cluster.
"""

from __future__ import annotations

import os
import signal

import pytest

import grape_gnn as grape
from grape_gnn.errors import WorkersError
from tests.dask_cluster import dask_cluster, free_port

pytest.importorskip("distributed")


@pytest.fixture
def cluster(tmp_path):
    """Give the address of a scheduler and its two workers; all are gone at the end."""
    with dask_cluster(tmp_path, None, None) as started:
        yield started


@pytest.mark.filterwarnings("ignore")  # of a cluster that loses a worker
def test_no_evaluation_is_lost_with_a_worker(planted, quick, course, cluster):
    address, workers = cluster
    killed = []

    def kill_one(progress):
        done = progress.evaluated
        in_flight = done and not done[-1].cached and len(done) < len(progress.candidates)
        if in_flight and not killed:
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    options = {**quick, "population": 6, "engine": "incremental", "model": {"epochs": 20}}
    found = grape.search(
        planted,
        rounds=3,
        jobs=-1,
        backend="dask",
        scheduler=address,
        progress=kill_one,
        settings=grape.SearchSettings(**options),
    )
    assert killed
    assert workers[0].wait(10) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert course(found) == course(
        grape.search(planted, rounds=3, settings=grape.SearchSettings(**options))
    )


def test_a_scheduler_that_is_not_there(planted, quick, monkeypatch):
    monkeypatch.setattr("grape_gnn.workers.PATIENCE", "1s")
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(WorkersError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1"):
        grape.search(
            planted,
            rounds=1,
            backend="dask",
            scheduler=address,
            settings=grape.SearchSettings(**quick),
        )
