"""Label propagation (Zhou et al., NIPS 2003): training labels spread along the edges.

``F <- alpha S F + (1 - alpha) Y`` for 50 steps, with Y the training labels and S the adjacency
matrix normalised by rows, or on both sides. Nothing is trained and no features are used, so it
shows how far plain agreement among neighbours goes. Its two choices are made by validation. Of
several labels, and of numbers, it takes the mean of what arrives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import nn

from grape_gnn.baselines.adjacency import adjacency, to_torch
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.training import InUnits, score
from grape_gnn.training.method import Fitted, Method, Prepared, Shape
from grape_gnn.training.objective import label_columns, num_label_columns

__all__ = ["LabelPropagation"]

STEPS = 50


class LabelPropagation(Method):
    """Spread the training labels."""

    name = "label-propagation"
    title = "Label propagation"
    reference = True
    grid: ClassVar[Mapping[str, Sequence[Any]] | None] = {
        "alpha": (0.01, 0.1, 0.5, 0.9, 0.99),
        "normalisation": ("rows", "both"),
    }

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the adjacency matrix."""
        return (to_torch(adjacency(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """There is none."""
        raise ModelError("label propagation has no network to build: call fit")

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
        """Return the point of the grid and the number of steps."""
        return {**point, "steps": STEPS, "seed": seed, "metric": metric}

    def fit(
        self,
        prepared: Prepared,
        labels: torch.Tensor,
        train_mask: torch.Tensor,
        validation_mask: torch.Tensor,
        num_classes: int,
        settings: Mapping[str, Any],
    ) -> Fitted:
        """Spread the labels of the training nodes; the validation nodes only score the result."""
        (matrix,) = prepared.structure
        degrees = matrix.crow_indices().diff().clamp(min=1).float()[:, None]
        by_rows = settings["normalisation"] == "rows"
        after = degrees if by_rows else degrees.sqrt()
        before = torch.ones_like(degrees) if by_rows else degrees.sqrt()
        start = torch.zeros(train_mask.numel(), num_label_columns(labels, num_classes))
        start[train_mask] = label_columns(labels[train_mask], num_classes)
        scores = start
        for _ in range(settings["steps"]):
            spread = matrix @ (scores / before) / after
            scores = settings["alpha"] * spread + (1 - settings["alpha"]) * start
        if labels.ndim == 2 or labels.is_floating_point():
            scores = _means(scores, labels[train_mask])
        validation = score(settings["metric"], scores[validation_mask], labels[validation_mask])
        # What arrives at a node is a weight for each class, and of no meaning in a softmax.
        by_class = labels.ndim == 1 and not labels.is_floating_point()
        return Fitted(scores, validation, best_epoch=0, epochs=0, logits=not by_class)


def _means(spread: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Divide what arrived at the nodes by how many it came from, the last column."""
    means = spread[:, :-1] / spread[:, -1:].clamp(min=1e-12)
    if known.is_floating_point():
        numbers: torch.Tensor = InUnits(nn.Identity(), known)(means)
        return numbers
    return means.clamp(1e-6, 1 - 1e-6).logit()
