"""The adjacency matrix the baselines work on, as torch sparse rows, and its product.

The baselines take every edge in both directions, whether the graph is directed or not: that is how
their papers treat citation graphs. So the matrix is symmetric, and so is the derivative of its
product, which torch on its own would transpose anew in every step (30 times slower on Amherst41).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch
from scipy import sparse

from grape_gnn.graph import Graph

__all__ = ["adjacency", "normalised", "sparse_rows", "symmetric_product", "to_torch"]


def adjacency(graph: Graph) -> sparse.csr_array[Any, Any]:
    """Return the symmetric matrix of zeros and ones.

    Examples
    --------
    >>> arc = Graph.from_edges([0], [1], directed=True)
    >>> adjacency(arc).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    n = graph.num_nodes
    ones = np.ones(graph.indices.size, np.float32)
    matrix = sparse.csr_array((ones, graph.indices, graph.indptr), shape=(n, n))
    if graph.directed:
        matrix = sparse.csr_array(matrix.maximum(matrix.T))
    matrix.sort_indices()
    return matrix


def normalised(graph: Graph) -> sparse.csr_array[Any, Any]:
    """Return ``D^-1/2 (A + I) D^-1/2``, with D the degrees of ``A + I``.

    Examples
    --------
    >>> normalised(Graph.from_edges([0], [1])).toarray().round(6).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    loops = sparse.csr_array(adjacency(graph) + sparse.eye_array(graph.num_nodes, format="csr"))
    root = 1 / np.sqrt(loops.sum(axis=1))
    matrix = sparse.csr_array(loops * root[:, None] * root[None, :])
    matrix.sort_indices()
    return matrix


def sparse_rows(
    starts: torch.Tensor, columns: torch.Tensor, values: torch.Tensor, width: int
) -> torch.Tensor:
    """Return torch's compressed rows; row ``v`` holds the entries ``starts[v]:starts[v + 1]``."""
    size = (starts.numel() - 1, width)
    return torch.sparse_csr_tensor(starts, columns, values, size, check_invariants=False)


with warnings.catch_warnings():
    # Torch says once per process that these rows are young; our products are tested.
    warnings.simplefilter("ignore")
    sparse_rows(
        torch.zeros(2, dtype=torch.int64), torch.zeros(0, dtype=torch.int64), torch.zeros(0), 1
    )


def to_torch(matrix: sparse.csr_array[Any, Any]) -> torch.Tensor:
    """Return a SciPy matrix as torch's compressed rows."""
    return sparse_rows(
        torch.from_numpy(matrix.indptr.astype(np.int64)),
        torch.from_numpy(matrix.indices.astype(np.int64)),
        torch.from_numpy(matrix.data.astype(np.float32)),
        matrix.shape[1],
    )


def symmetric_product(matrix: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
    """Multiply a constant symmetric matrix, as sparse rows, by dense features.

    Examples
    --------
    >>> matrix = to_torch(adjacency(Graph.from_edges([0, 1], [1, 2])))
    >>> symmetric_product(matrix, torch.tensor([[1.0], [2.0], [4.0]])).ravel().tolist()
    [2.0, 5.0, 2.0]
    """
    product: torch.Tensor = _Product.apply(features, matrix)
    return product


class _Product(torch.autograd.Function):
    """Its own derivative, the matrix being symmetric."""

    @staticmethod
    def forward(ctx: Any, features: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
        ctx.matrix = matrix
        return matrix @ features.contiguous()

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return ctx.matrix @ gradients[0].contiguous(), None
