"""Graphs from and to SciPy sparse adjacency matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse

from grape_gnn.errors import GraphError
from grape_gnn.graph.graph import Graph

__all__ = ["from_scipy", "to_scipy"]


def from_scipy(matrix: Any, directed: bool | None = None, **attributes: Any) -> Graph:
    """Build a graph from a square matrix; every entry that is not 0 is an edge.

    See :meth:`Graph.from_scipy`.
    """
    is_sparse: bool = issparse(matrix)
    if not is_sparse:
        raise GraphError(
            f"expected a SciPy sparse matrix, got {type(matrix).__name__}; "
            "wrap a dense one with scipy.sparse.csr_array(...)"
        )
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(f"an adjacency matrix must be square, got shape {matrix.shape}")
    entries = coo_array(matrix)
    entries.sum_duplicates()
    stored = entries.data != 0
    row = entries.coords[0][stored].astype(np.int64)
    column = entries.coords[1][stored].astype(np.int64)
    symmetric = _is_symmetric(row, column, matrix.shape[0])
    if directed is None:
        directed = not symmetric
    if not directed and symmetric:
        # Each edge stands in the matrix twice by definition: no repeats to warn of.
        upper = row <= column
        row, column = row[upper], column[upper]
    return Graph.from_edges(row, column, matrix.shape[0], directed, **attributes)


def to_scipy(graph: Graph) -> Any:
    """Return the adjacency matrix as a CSR array of int64 ones."""
    n = graph.num_nodes
    ones = np.ones(graph.indices.size, np.int64)
    # SciPy may sort or reuse what it is given, so it gets its own copy.
    return csr_array((ones, graph.indices.copy(), graph.indptr.copy()), shape=(n, n))


def _is_symmetric(row: Any, column: Any, n: int) -> bool:
    return np.array_equal(np.sort(row * n + column), np.sort(column * n + row))
