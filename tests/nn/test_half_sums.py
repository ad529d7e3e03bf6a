"""Half sums as matrices and as operators."""

from __future__ import annotations

import numpy as np

import grape_gnn as grape
from grape_gnn.nn.half_sums import HalfSumRole, half_sum


def test_half_sum_by_definition_both_ways() -> None:
    # Node 4 is alone: its empty row and column stay empty.
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], 5)
    for operator in grape.match(graph, "3-path")[0][1:]:
        counts = operator.to_scipy().toarray().astype(float)
        by_row = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        by_column = counts / np.maximum(counts.sum(axis=0, keepdims=True), 1)
        expected = (by_row + by_column) / 2
        lazy = HalfSumRole(operator)
        np.testing.assert_allclose(half_sum(operator).to_scipy().toarray(), expected)
        np.testing.assert_allclose(lazy @ np.eye(5), expected)
        np.testing.assert_allclose(lazy.T @ np.eye(5), expected.T)
        np.testing.assert_allclose(lazy.row_sums(), expected.sum(axis=1))
        assert (lazy @ np.ones(5, np.float32)).dtype == np.float32
        assert not lazy.diagonal().any()
