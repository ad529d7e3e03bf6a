"""Cubic shapes: what the table at the top of the module says, and what the named sets see."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn import datasets, match
from grape_gnn.errors import DatasetError

TABLE = {
    "utility": (6, 0), "cube": (3, 0), "prism": (2, 1), "ladder": (2, 0), "petersen": (0, 6),
    "heawood": (0, 0),
}  # fmt: skip


@pytest.fixture(scope="module")
def whole():
    """Give shapes of which no edge was exchanged."""
    return datasets.load("cubic-shapes", exchanged=0.0)


def test_squares_and_pentagons_tell_the_shapes_apart(whole):
    squares, pentagons = (roles.totals for roles in match(whole, "4-cycle,5-cycle"))
    for code, name in enumerate(whole.label_names):
        pairs = set(zip(squares[whole.y == code], pentagons[whole.y == code], strict=True))
        assert pairs == {TABLE[name]}


def test_no_named_set_sees_anything(whole):
    for name in ("citation", "social"):
        for roles in match(whole, name):
            assert len(np.unique(roles.totals)) == 1, (name, roles)


def test_exchanges_keep_all_degrees_and_join_the_shapes():
    graph = datasets.load("cubic-shapes", exchanged=0.5, seed=1)
    assert set(np.diff(graph.indptr)) == {3}
    squares = match(graph, "4-cycle")[0].totals
    assert len(np.unique(squares)) > 3


def test_the_seed_decides():
    first, same, other = (datasets.load("cubic-shapes", seed=seed) for seed in (0, 0, 1))
    assert np.array_equal(first.indices, same.indices)
    assert not np.array_equal(first.indices, other.indices)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"num_nodes": 10}, "num_nodes=10 must be at least 200"), ({"exchanged": 2}, "exchanged=2")],
)
def test_what_cannot_be_generated(options, message):
    with pytest.raises(DatasetError, match=message):
        datasets.load("cubic-shapes", **options)
