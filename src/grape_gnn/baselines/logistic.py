"""Logistic regression on role counts: how far the numbers of instances around a node go alone.

A column per template: the logarithm of one plus the number of its instances around the node,
standardised over the nodes; then the node features, unless they are constant. `LogisticTotals` has
every template of up to four nodes with every anchor (three nodes where edges have a direction),
`LogisticDegree` the edge alone. Validation chooses the strength of the L2 penalty. Nothing is said
of *who* the neighbours are, so it also shows what message passing adds. Of several labels each has
a regression of its own; numbers have a ridge regression.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.roles import match
from grape_gnn.template.family import all_templates
from grape_gnn.training import score
from grape_gnn.training.method import Fitted, Method, Prepared, Shape

__all__ = ["LogisticDegree", "LogisticTotals", "log_totals"]

LARGEST, LARGEST_DIRECTED = 4, 3
ROUNDS = 2000  # of the optimiser, at most

Columns: TypeAlias = "NDArray[np.float64] | sparse.csr_array[Any, Any]"


def log_totals(graph: Graph, largest: int) -> NDArray[np.float64]:
    """Return the standardised log totals of all templates of up to `largest` nodes.

    Examples
    --------
    >>> log_totals(Graph.from_edges([0, 0], [1, 2]), 2).round(2).ravel().tolist()
    [1.41, -0.71, -0.71]
    """
    sizes = range(2, largest + 1)
    found = match(graph, [t for size in sizes for t in all_templates(size, graph.directed)])
    columns = np.log1p(np.stack([np.asarray(roles.totals, float) for roles in found], axis=1))
    spread = columns.std(axis=0)
    scaled: NDArray[np.float64] = (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1)
    return scaled


class LogisticTotals(Method):
    """Logistic regression on the log totals of all small templates."""

    name = "logistic-totals"
    title = "logistic regression, log totals"
    reference = True
    grid: ClassVar[Mapping[str, Sequence[Any]] | None] = {"penalty": (100.0, 10.0, 1.0, 0.1, 0.01)}

    def __init__(self) -> None:
        with named_extra():
            import sklearn.linear_model  # noqa: F401  fails now, not after the matching

    def largest(self, graph: Graph) -> int:
        """Return the size of the largest templates."""
        return LARGEST_DIRECTED if graph.directed else LARGEST

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Count the templates around every node."""
        return (log_totals(graph, self.largest(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """There is none."""
        raise ModelError("logistic regression has no network to build: call fit")

    def settings(
        self,
        constant: bool,
        point: Mapping[str, Any],
        *,
        epochs: int,
        patience: int,
        seed: int,
        metric: str = "accuracy",
    ) -> dict[str, Any]:
        """Return the point of the grid."""
        return {**point, "seed": seed, "metric": metric}

    def fit(
        self,
        prepared: Prepared,
        labels: torch.Tensor,
        train_mask: torch.Tensor,
        validation_mask: torch.Tensor,
        num_classes: int,
        settings: Mapping[str, Any],
    ) -> Fitted:
        """Fit the training nodes; the validation nodes only score the result."""
        columns, penalty = _columns(prepared), settings["penalty"]
        known, wanted = train_mask.numpy(), labels.numpy()
        if labels.is_floating_point():
            scores = _ridge(columns, known, wanted, penalty)
        elif labels.ndim == 2:
            each = [_logistic(columns, known, column, 2, penalty) for column in wanted.T]
            scores = torch.stack([found[:, 1] - found[:, 0] for found in each], dim=1)
        else:
            scores = _logistic(columns, known, wanted, num_classes, penalty)
        validation = score(settings["metric"], scores[validation_mask], labels[validation_mask])
        return Fitted(scores, validation, best_epoch=0, epochs=0)


class LogisticDegree(LogisticTotals):
    """Logistic regression on the log degree: the edge is the only template."""

    name = "logistic-degree"
    title = "logistic regression, log degree"

    def largest(self, graph: Graph) -> int:
        """Return the size of the edge."""
        return 2


def _logistic(
    columns: Columns,
    known: NDArray[np.bool_],
    codes: NDArray[np.int64],
    num_classes: int,
    penalty: float,
) -> torch.Tensor:
    """Return one score per node and class."""
    from sklearn.linear_model import LogisticRegression

    seen = np.unique(codes[known])
    if seen.size == 1:  # of several labels, one that all training nodes have, or none
        only = torch.zeros(columns.shape[0], num_classes)
        only[:, int(seen[0])] = 1.0
        return only
    model = LogisticRegression(C=1 / penalty, max_iter=ROUNDS)
    model.fit(columns[known], codes[known])
    found = torch.from_numpy(model.decision_function(columns))
    if found.ndim == 1:  # of two classes, the second against the first
        found = torch.stack([torch.zeros_like(found), found], dim=1)
    # A class that no training node has is never the answer.
    scores = torch.full((columns.shape[0], num_classes), found.min().item() - 1)
    scores[:, torch.from_numpy(model.classes_)] = found.float()
    return scores


def _ridge(
    columns: Columns,
    known: NDArray[np.bool_],
    numbers: NDArray[np.float64],
    penalty: float,
) -> torch.Tensor:
    """Return one number per node."""
    from sklearn.linear_model import Ridge

    model = Ridge(alpha=penalty).fit(columns[known], numbers[known])
    return torch.from_numpy(np.asarray(model.predict(columns), np.float64))


def _columns(prepared: Prepared) -> Columns:
    (totals,) = prepared.structure
    if prepared.constant:
        known: NDArray[np.float64] = totals
        return known
    if isinstance(prepared.x, SparseFeatures):
        return sparse.csr_array(sparse.hstack([totals, prepared.x.matrix], format="csr"))
    return np.hstack([totals, np.asarray(prepared.x, float)])
