"""The paired tests agree with textbooks and with SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from grape_gnn.errors import GrapeError
from reproduction.paired import paired_test

OURS = [0.82, 0.84, 0.81, 0.85, 0.83]
THEIRS = [0.80, 0.83, 0.82, 0.81, 0.80]


def test_against_the_formulas():
    test = paired_test(OURS, THEIRS)
    gaps = 100 * (np.array(OURS) - np.array(THEIRS))
    spread = gaps.std(ddof=1)
    assert test.difference == pytest.approx(1.8)
    assert test.standard_error == pytest.approx(spread / math.sqrt(5))
    t = gaps.mean() / (spread * math.sqrt(1 / 5 + 1 / 3))
    assert test.p_corrected == pytest.approx(2 * (1 - stats.t.cdf(t, 4)))
    assert test.p_paired == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue)
    assert test.p_paired < test.p_corrected


def test_it_is_symmetric():
    one, other = paired_test(OURS, THEIRS), paired_test(THEIRS, OURS)
    assert one.difference == -other.difference
    assert one.p_corrected == pytest.approx(other.p_corrected)
    assert one.p_wilcoxon == pytest.approx(other.p_wilcoxon)


def test_no_spread_and_a_single_run():
    assert paired_test([0.8, 0.8], [0.8, 0.8]).p_paired == 1.0
    assert paired_test([0.9, 0.8], [0.8, 0.7]).p_corrected == 0.0
    assert math.isnan(paired_test([0.9], [0.8]).p_paired)


def test_different_splits_are_refused():
    with pytest.raises(GrapeError, match="same splits for both methods, got 2 and 1 runs"):
        paired_test([0.8, 0.9], [0.8])
