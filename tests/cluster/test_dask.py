"""A Dask cluster: a real scheduler and two workers on this machine."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.cluster import PartsFolder, match_parts, precompute_parts
from grape_gnn.errors import WorkersError
from grape_gnn.testing import gnp
from tests.dask_cluster import dask_cluster

pytest.importorskip("distributed")
TEMPLATES = "triangle,tailed-triangle"


@pytest.fixture
def place(tmp_path):
    """Give a folder with a graph on disk, ``g.grape``."""
    gnp(400, 0.05, seed=3).save(tmp_path / "g.grape")
    return tmp_path


def expected_totals(place):
    """Count on one machine."""
    whole = grape.match(grape.read_graph(place / "g.grape"), TEMPLATES)
    columns = [c for r in whole for c in (r.totals, *(np.asarray(o.row_sums()) for o in r[1:]))]
    return np.stack(columns, axis=1)


@pytest.mark.filterwarnings("ignore")  # of a cluster that loses a worker
def test_a_killed_worker_loses_nothing(place):
    with dask_cluster(place, None, None) as (address, workers):

        def kill_half_way():
            while (
                not (place / "t" / "parts").exists()
                or len(PartsFolder.open(place / "t").missing) > 30
            ):
                time.sleep(0.01)
            os.kill(workers[0].pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_half_way, daemon=True)
        killer.start()
        found = match_parts(
            place / "g.grape", TEMPLATES, place / "t", what="totals", parts=40, jobs=-1,
            backend="dask", scheduler=address,
        )  # fmt: skip
        killer.join(30)
        assert workers[0].wait(10) == -signal.SIGKILL
        np.testing.assert_array_equal(found.totals(), expected_totals(place))
        products = precompute_parts(
            place / "g.grape", "social", place / "p", jobs=-1, backend="dask", scheduler=address
        )
    plain = grape.precompute(grape.read_graph(place / "g.grape"), "social")
    (logs, hops), (same_logs, same_hops) = (p.rows(np.arange(400)) for p in (products, plain))
    np.testing.assert_array_equal(logs, same_logs)
    np.testing.assert_array_equal(np.stack(hops), np.stack(same_hops))  # a single column


SITE = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
"""
OLD = "import grape_gnn.version; grape_gnn.version.__version__ = '0.0.1'\n"
BARE = "import sys; sys.modules['pyarrow'] = None\n"


@pytest.mark.parametrize(
    ("site", "complaint"),
    [
        (SITE, r"parts failed, the first for this reason: worker \d+ on .*: cannot write .*roles-"),
        (OLD, r"this worker has grape-gnn 0\.0\.1, and .* is asked for: install the same version"),
        (BARE, r"this feature needs the package 'pyarrow': install it with  pip install"),
    ],
    ids=["full disk", "other version", "no extra"],
)
def test_one_worker_that_cannot(place, site, complaint):
    (place / "site").mkdir()
    (place / "site" / "sitecustomize.py").write_text(site)
    spoilt = {**os.environ, "PYTHONPATH": str(place / "site")}
    options = {"parts": 12, "jobs": -1, "backend": "dask"}
    with (
        dask_cluster(place, None, spoilt) as (address, _),
        pytest.raises(WorkersError, match=complaint) as caught,
    ):
        match_parts(place / "g.grape", TEMPLATES, place / "r", scheduler=address, **options)
    assert "run the same again, which goes on with what is missing" in str(caught.value)
    assert "\n" not in str(caught.value)
    missing = PartsFolder.open(place / "r").missing
    assert 0 < len(missing) < 12
    done = match_parts(place / "g.grape", TEMPLATES, place / "r", parts=12)
    assert done.missing == []
