"""Operators say how large they are, and whether they are, or may be, written out."""

from __future__ import annotations

import numpy as np

from grape_gnn.roles import match
from grape_gnn.testing import gnp

GRAPH = gnp(40, 0.1, seed=3)


def test_a_stored_role_is_a_matrix_whatever_its_size():
    ego, middle, end = match(GRAPH, "3-path", engine="enumerate")[0]
    matrix = end.to_scipy()
    assert (end.is_stored, end.nbytes) == (True, matrix.data.nbytes + matrix.indices.nbytes)
    assert end.materialise(0) is matrix
    assert end.visited == matrix.nnz
    assert (middle.is_near, end.is_near) == (True, False)
    assert (ego.is_stored, ego.is_near, ego.nbytes, ego.visited) == (False, False, 0, 0)
    assert ego.materialise(1000) is None


def test_a_role_of_the_algebra_is_written_out_if_it_has_few_entries():
    _, middle, end = match(GRAPH, "3-path", engine="algebra")[0]
    expected = match(GRAPH, "3-path", engine="enumerate")[0][2].to_scipy()
    assert (end.is_stored, end.nbytes) == (False, 0)
    assert end.visited == 2 * GRAPH.indices.size  # A, and A again
    found = end.materialise(3 * expected.nnz)  # with room to work in
    assert found is not None
    assert np.array_equal(found.toarray(), expected.toarray())
    assert end.materialise(expected.nnz - 1) is None
    assert middle.shares is end.shares
