"""The columns of a template: what two hops along its roles tell of every node, without training.

With the role operators ``C_j`` of a template, the number ``t_j = C_j 1`` of every ego's members and
the features ``x``, its columns are, for every role ``j`` but the ego's,

- the logarithm ``log(1 + t_j)`` and its square,
- the members' mean ``m_j = C_j x / t_j``, and the same times ``log(1 + t_j)`` over its average,
- the second hop: the members' mean of the logarithms and squares of all roles ``k``, and of the
  average of all ``m_k``.

They depend on the template alone, so a search computes them once. Wide features are narrowed to
the columns of their truncated singular value decomposition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import issparse

from grape_gnn.graph.feature_matrix import made_dense
from grape_gnn.graph.targets import hide_labels
from grape_gnn.roles import TemplateRoles
from grape_gnn.roles.together import multiply_arrays
from grape_gnn.search.problem import Problem
from grape_gnn.training.objective import label_columns

__all__ = ["Columns", "narrowed", "standardised"]

WIDEST = 8  # features; the search compares templates, it need not know everything of a node
_SPARE, _ITERATIONS = 8, 4  # of the subspace in which wide features are narrowed

Array = NDArray[np.float64]


class Columns:
    """Computes the columns of templates.

    Parameters
    ----------
    problem
        Graph, features, and the training labels if they are inputs of the model.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> from grape_gnn.search.problem import make_problem
    >>> g = grape.Graph.from_edges(range(9), range(1, 10), y=[0, 1] * 5)
    >>> columns = Columns(make_problem(g, {}, seed=0))
    >>> columns.own.shape, columns.of(grape.match(g, "3-path")[0]).shape
    ((10, 0), (10, 14))
    """

    def __init__(self, problem: Problem) -> None:
        graph = problem.graph
        self._x = narrowed(np.ones((graph.num_nodes, 1)) if graph.x is None else graph.x, WIDEST)
        self._seen = self._x  # by the first hop
        if problem.model.get("label_inputs") and graph.y is not None:
            # A node's own label comes back to it in the second hop, so that gets none.
            seen = torch.from_numpy(hide_labels(graph.y, problem.train))
            outputs = 1 if graph.task == "regression" else len(graph.label_names or ())
            self._seen = np.hstack([self._x, label_columns(seen, outputs).double().numpy()])
        self.own = standardised(self._x)
        """The columns that a node has without any template."""

    def of(self, roles: TemplateRoles) -> Array:
        """Return the columns of a template, standardised over all nodes; constant ones left out."""
        operators = list(roles)[1:]
        totals = [np.asarray(role.row_sums(), float) for role in operators]
        logs = [np.log1p(total) for total in totals]
        sizes = standardised(np.stack(logs, axis=1))
        sizes = np.hstack([sizes, sizes**2])
        means = _means(operators, totals, self._seen)
        scaled = [
            mean * (log / max(float(log.mean()), 1e-12))[:, None]
            for mean, log in zip(means, logs, strict=True)
        ]
        width = self._x.shape[1]
        away = np.mean([mean[:, :width] for mean in means], axis=0)
        second = _means(operators, totals, np.hstack([sizes, away]))
        return standardised(np.hstack([sizes, *means, *scaled, *second]))


def _means(operators: list[Any], totals: list[Array], features: Array) -> list[Array]:
    """Return the mean of the features over the members of every role; zero where there is none."""
    products = multiply_arrays(operators, features)
    return [
        product / np.maximum(total, 1.0)[:, None]
        for product, total in zip(products, totals, strict=True)
    ]


def standardised(columns: Array) -> Array:
    """Give every column mean 0 and deviation 1; leave out those that are constant.

    Examples
    --------
    >>> standardised(np.array([[1.0, 3.0], [1.0, 7.0]])).tolist()
    [[-1.0], [1.0]]
    """
    mean, spread = columns.mean(axis=0), columns.std(axis=0)
    varied = spread > 1e-9 * np.maximum(1.0, np.abs(mean))
    found: Array = (columns[:, varied] - mean[varied]) / spread[varied]
    return found


def narrowed(features: Any, width: int) -> Array:
    """Return features of at most so many columns: if they are wide, their best approximation.

    That is the truncated singular value decomposition, by subspace iteration from a fixed start.

    Examples
    --------
    >>> narrowed(np.ones((3, 2)), 4).shape, narrowed(np.eye(30), 4).shape
    ((3, 2), (30, 4))
    """
    if features.shape[1] <= width:
        return np.asarray(made_dense(features, "the search"), np.float64)
    x: Any = features
    if isinstance(features, np.ndarray):
        x = torch.from_numpy(features.copy())  # torch warns of arrays that must not change
    dtype = torch.float64 if x.dtype in (np.float64, torch.float64) else torch.float32
    fixed = torch.Generator().manual_seed(0)
    basis = _times(x, torch.randn(x.shape[1], width + _SPARE, generator=fixed, dtype=dtype))
    for _ in range(_ITERATIONS):
        basis = _times(x, _times(x.T, torch.linalg.qr(basis).Q))
    basis = torch.linalg.qr(basis).Q
    left, sizes, _ = torch.linalg.svd(_times(x.T, basis).T, full_matrices=False)
    found: Array = (basis @ (left * sizes)[:, :width]).double().numpy()
    return found


def _times(matrix: Any, other: torch.Tensor) -> torch.Tensor:
    """Multiply a tensor or a sparse matrix by a tensor."""
    product: torch.Tensor = (
        torch.from_numpy(matrix @ other.numpy()) if issparse(matrix) else matrix @ other
    )
    return product
