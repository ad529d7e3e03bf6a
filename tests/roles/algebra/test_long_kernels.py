"""Kernels that run long enough to be watched: progress and Ctrl-C come into play."""

from __future__ import annotations

import numpy as np

from grape_gnn import _native
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.expression import Adjacency
from grape_gnn.testing import complete

NO_LIMITS = ((None, None, None), None)


def test_a_kernel_without_a_listener():
    rows = Evaluator(complete(800)).matrix(Adjacency("out")).rows("floats")
    pieces = 400  # some hundred milliseconds
    values, stop = _native.weighted_sum(rows, [(1, None, None, None)] * pieces, 1, NO_LIMITS)
    assert stop == 0
    assert np.all(values == pieces)
