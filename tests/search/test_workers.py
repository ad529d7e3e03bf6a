"""The same seed gives the same search, whoever evaluates."""

from __future__ import annotations

import sys

import psutil
import pytest

import grape_gnn as grape
from grape_gnn.errors import MissingExtraError, WorkersError


@pytest.mark.parametrize(
    "options",
    [{}, {"engine": "incremental"}],
    ids=str,
)
def test_two_processes_search_as_one_does(planted, quick, course, options):
    quick["model"] = {"epochs": 26}
    one = grape.search(planted, rounds=2, settings=grape.SearchSettings(seed=3, **options, **quick))
    two = grape.search(
        planted, rounds=2, jobs=2, settings=grape.SearchSettings(seed=3, **options, **quick)
    )
    assert course(one) == course(two)
    assert one.population == two.population


def test_threads_will_do_as_well(planted, quick, course):
    one = grape.search(planted, rounds=1, settings=grape.SearchSettings(**quick))
    assert course(one) == course(
        grape.search(
            planted, rounds=1, jobs=2, backend="threading", settings=grape.SearchSettings(**quick)
        )
    )


def test_without_joblib_one_process_still_searches(planted, quick, monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert grape.search(planted, rounds=1, settings=grape.SearchSettings(**quick)).ended == "rounds"
    with pytest.raises(MissingExtraError, match=r"'joblib'.*grape-gnn\[search\]"):
        grape.search(planted, rounds=1, jobs=2, settings=grape.SearchSettings(**quick))


def test_without_dask(planted, quick, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"grape-gnn\[dask\]"):
        grape.search(
            planted,
            rounds=1,
            backend="dask",
            scheduler="tcp://x:1",
            settings=grape.SearchSettings(**quick),
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "jobs=0 must be at least 1, or -1"),
        ({"jobs": 2, "backend": "abacus"}, "joblib has no backend 'abacus'"),
        ({"jobs": 2, "scheduler": "tcp://x:1"}, "is for backend='dask', not 'loky'"),
        ({"backend": "dask"}, "needs scheduler='tcp://...'"),
    ],
)
def test_workers_that_cannot_be_had(planted, quick, options, message):
    with pytest.raises(WorkersError, match=message):
        grape.search(planted, rounds=1, **options, settings=grape.SearchSettings(**quick))


def test_a_registered_backend_is_used(planted, quick, course):
    """Ray and Spark come in this way."""
    import joblib
    from joblib._parallel_backends import ThreadingBackend

    used = []

    class Other(ThreadingBackend):
        def configure(self, *args, **options):
            used.append(True)
            return super().configure(*args, **options)

    joblib.register_parallel_backend("other", Other)
    found = grape.search(
        planted, rounds=1, jobs=2, backend="other", settings=grape.SearchSettings(**quick)
    )
    assert used
    assert course(found) == course(
        grape.search(planted, rounds=1, settings=grape.SearchSettings(**quick))
    )


def test_a_dead_process_is_replaced(planted, quick, course):
    killed = []

    def kill_one(progress):
        done = progress.evaluated
        in_flight = done and not done[-1].cached and len(done) < len(progress.candidates)
        if in_flight and not killed:
            victim = next(p for p in psutil.Process().children() if "popen_loky" in _command(p))
            killed.append(victim.pid)
            victim.kill()

    options = {**quick, "population": 6, "model": {"epochs": 20}}
    found = grape.search(
        planted, rounds=3, jobs=2, progress=kill_one, settings=grape.SearchSettings(**options)
    )
    assert killed
    assert course(found) == course(
        grape.search(planted, rounds=3, settings=grape.SearchSettings(**options))
    )


def _command(process):
    return " ".join(process.cmdline())
