"""Counts beyond 64 bits are an error, never a wrong number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grape_gnn.errors import CountOverflowError
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.testing import star

SEVEN_LEAVES = Template("0-1 0-2 0-3 0-4 0-5 0-6 0-7")
LARGEST = 2**63 - 1


def test_counts_just_below_64_bits_are_exact():
    leaves = 1500
    assert LARGEST // 10 < math.comb(leaves, 7) < LARGEST
    roles = match(star(leaves), [SEVEN_LEAVES], engine="enumerate", time=20)[0]
    assert int(roles.totals[0]) == math.comb(leaves, 7)
    row = roles[1].to_scipy()[[0], :].toarray().ravel().tolist()
    assert row == [0] + [math.comb(leaves - 1, 6)] * leaves


def test_counts_beyond_64_bits_raise():
    leaves = 5000
    assert math.comb(leaves - 1, 6) > LARGEST
    with pytest.raises(CountOverflowError, match="64 bits"):
        match(star(leaves), [SEVEN_LEAVES], engine="enumerate", time=20)


@pytest.mark.parametrize("engine", ["auto", "enumerate", "algebra"])
def test_sets_do_not_overflow(engine):
    roles = match(star(5000), [SEVEN_LEAVES], engine=engine, weighting="set", time=20)[0]
    matrix = roles[1].to_scipy()
    assert matrix.nnz == 5000
    assert np.all(matrix.data == 1)
    assert int(roles.totals[0]) == LARGEST  # more do not fit
    assert not roles.totals[1:].any()


@pytest.mark.parametrize("engine", ["auto", "enumerate", "algebra"])
def test_totals_overflow_only_if_they_are_too_large(engine):
    totals = match(star(1500), [SEVEN_LEAVES], engine=engine, time=20)[0].totals
    assert int(totals[0]) == math.comb(1500, 7)
    with pytest.raises(CountOverflowError, match="64 bits"):
        assert match(star(5000), [SEVEN_LEAVES], engine=engine, time=20)[0].totals is None
