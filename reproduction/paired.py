"""Is GRAPE better than the best baseline, or was it luck? Paired tests on the same splits.

Every method runs on the same random splits, so differences are taken split by split. Test parts
of different splits overlap, which makes the ordinary paired t-test too sure of itself; the
corrected test of Nadeau and Bengio (Machine Learning 52, 2003) widens the variance of the mean
difference from ``s²/n`` to ``s² (1/n + test/train)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from grape_gnn.errors import GrapeError

__all__ = ["PairedTest", "paired_test"]

TEST_SHARE = 0.2 / 0.6  # of the protocol's 60/20/20 splits


@dataclass(frozen=True)
class PairedTest:
    """A comparison of two methods on the same splits.

    Parameters
    ----------
    difference, standard_error
        Mean difference in points of percent, and its (uncorrected) standard error.
    runs
        Number of splits.
    p_paired, p_corrected, p_wilcoxon
        Two-sided p-values of the paired t-test, of the corrected one, and of Wilcoxon's signed
        rank test; NaN with fewer than two runs.
    """

    difference: float
    standard_error: float
    runs: int
    p_paired: float
    p_corrected: float
    p_wilcoxon: float


def paired_test(ours: Sequence[float], theirs: Sequence[float]) -> PairedTest:
    """Compare two methods by their accuracies on the same splits, in the same order.

    Parameters
    ----------
    ours, theirs
        Accuracies between 0 and 1.

    Examples
    --------
    >>> test = paired_test([0.81, 0.83, 0.82, 0.84], [0.80, 0.81, 0.81, 0.82])
    >>> round(test.difference, 2), test.p_paired < test.p_corrected < 0.1
    (1.5, True)
    """
    if len(ours) != len(theirs):
        raise GrapeError(
            f"a paired test needs the same splits for both methods, got {len(ours)} and "
            f"{len(theirs)} runs"
        )
    gaps = 100 * (np.asarray(ours, float) - np.asarray(theirs, float))
    n, mean = gaps.size, float(gaps.mean())
    if n < 2:
        return PairedTest(mean, float("nan"), n, *[float("nan")] * 3)
    spread = float(gaps.std(ddof=1))
    error = spread / float(np.sqrt(n))
    if spread < 1e-9:  # equal gaps, up to rounding
        p = 1.0 if abs(mean) < 1e-9 else 0.0
        return PairedTest(mean, 0.0, n, p, p, float("nan"))
    t = mean / (spread * float(np.sqrt(1 / n + TEST_SHARE)))
    return PairedTest(
        mean,
        error,
        n,
        float(stats.ttest_rel(ours, theirs).pvalue),
        float(2 * stats.t.sf(abs(t), n - 1)),
        float(stats.wilcoxon(gaps).pvalue),
    )
