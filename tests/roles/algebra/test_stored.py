"""Patterns, their transposes, and matrices that share them."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.roles.algebra.exact import Numbers
from grape_gnn.roles.algebra.stored import Pattern, StoredMatrix
from grape_gnn.testing import gnp


@pytest.mark.parametrize("directed", [False, True])
def test_transposed_values_stand_where_scipy_puts_them(directed):
    graph = gnp(25, 0.3, seed=1, directed=directed)
    pattern = Pattern(graph.indptr, graph.indices, symmetric=not directed)
    values = np.random.default_rng(0).standard_normal(pattern.nnz)
    matrix = StoredMatrix(pattern, Numbers(values))
    assert (matrix.transposed().to_scipy() != matrix.to_scipy().T).nnz == 0
    assert (matrix.transposed().transposed().to_scipy() != matrix.to_scipy()).nnz == 0


def test_a_symmetric_pattern_is_its_own_transpose():
    graph = gnp(10, 0.5, seed=2)
    pattern = Pattern(graph.indptr, graph.indices, symmetric=True)
    assert pattern.transposed is pattern
    directed = Pattern(graph.indptr, graph.indices)
    assert directed.transposed.transposed is directed


def test_no_values_means_ones():
    graph = gnp(10, 0.5, seed=2)
    ones = StoredMatrix(Pattern(graph.indptr, graph.indices, symmetric=True))
    assert ones.array("floats") is None
    assert ones.transposed().numbers is None
    assert ones.to_scipy().sum() == len(graph.indices)
