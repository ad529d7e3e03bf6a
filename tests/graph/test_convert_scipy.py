"""Adjacency matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_matrix, csr_array

from grape_gnn.errors import GrapeWarning, GraphError
from grape_gnn.graph import Graph


def test_symmetry_decides_the_direction():
    assert not Graph.from_scipy(csr_array([[0, 1], [1, 0]])).directed
    assert Graph.from_scipy(csc_matrix([[0, 1], [0, 0]])).directed
    assert Graph.from_scipy(csr_array([[0, 1], [1, 0]]), directed=True).num_edges == 2
    assert Graph.from_scipy(csr_array([[0, 1], [0, 0]]), directed=False).num_edges == 1


def test_only_the_pattern_counts():
    matrix = coo_array(([2.5, -1.0, 0.0], ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
    assert Graph.from_scipy(matrix).edge_array().tolist() == [[0, 1]]


def test_a_diagonal_is_dropped_with_a_warning():
    with pytest.warns(GrapeWarning, match="dropped 2 self-loops among"):
        Graph.from_scipy(csr_array(np.ones((2, 2))))
    with pytest.raises(GraphError, match="2 self-loops"):
        Graph.from_scipy(csr_array(np.ones((2, 2))), strict=True)


def test_what_is_no_adjacency_matrix():
    with pytest.raises(GraphError, match=r"must be square, got shape \(1, 2\)"):
        Graph.from_scipy(csr_array([[0, 1]]))
    with pytest.raises(GraphError, match="expected a SciPy sparse matrix, got ndarray; wrap"):
        Graph.from_scipy(np.eye(2))


def test_the_matrix_given_out_is_a_copy(triangle_with_tail):
    matrix = triangle_with_tail.to_scipy()
    assert matrix.dtype == np.int64
    assert (matrix != matrix.T).nnz == 0
    matrix.indices[:] = 0
    assert triangle_with_tail.neighbours(0).tolist() == [1, 2]
