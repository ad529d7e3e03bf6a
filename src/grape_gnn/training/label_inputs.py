"""Training labels as further node features, so that a network can count labels role by role.

In a graph where a part of the nodes has labels, those labels are data like any other: "how many of
the people I form triangles with are in the class of 2007?". A network that saw a node's own label
would learn to copy it, so in every epoch a random half of the training labels is given and the
other half is what the loss asks for (the masked labels of Shi et al., IJCAI 2021). At prediction
all training labels are given; those of validation and test nodes never are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from grape_gnn.nn import SparseFeatures
from grape_gnn.training.objective import is_known, label_columns

__all__ = ["LabelInputs", "with_all_labels"]

GIVEN = 0.5  # share of the training labels given in an epoch


class LabelInputs:
    """Node features followed by columns for the labels that are given: one per class.

    Parameters
    ----------
    x
        Node features.
    labels
        Label of every node that may be seen, missing for all others; see
        `grape_gnn.training.objective` for other tasks than classes.
    num_outputs
        Number of classes or labels; 1 for numbers.

    Examples
    --------
    >>> inputs = LabelInputs(torch.tensor([[5.0], [6.0], [7.0]]), torch.tensor([1, -1, 0]), 2)
    >>> inputs.complete().tolist()
    [[5.0, 0.0, 1.0], [6.0, 0.0, 0.0], [7.0, 1.0, 0.0]]
    >>> _ = torch.manual_seed(0)
    >>> features, hidden = inputs.draw()
    >>> bool((features[hidden, 1:] == 0).all()), bool(hidden[1])
    (True, False)
    """

    def __init__(
        self, x: torch.Tensor | SparseFeatures, labels: torch.Tensor, num_outputs: int
    ) -> None:
        self.known = is_known(labels)
        columns = label_columns(labels, num_outputs)
        self.shape = torch.Size([x.shape[0], x.shape[1] + columns.shape[1]])
        self._whole: torch.Tensor | SparseFeatures
        if isinstance(x, SparseFeatures):
            self._whole = x.beside(columns)
        else:
            self._whole = torch.cat([x, columns.to(x.dtype)], dim=1)
        self._num_features = x.shape[1]

    def complete(self) -> torch.Tensor | SparseFeatures:
        """Return the features with all labels that may be seen."""
        return self._whole

    def draw(self) -> tuple[torch.Tensor | SparseFeatures, torch.Tensor]:
        """Give a random part of the labels.

        Returns
        -------
        tuple
            The features, and the mask of the nodes whose labels are hidden though known.
        """
        coin = torch.rand(self.shape[0]).to(self.known.device) < GIVEN
        hidden = self.known & ~coin
        if not hidden.any():  # of very few labels: there must be something to learn from
            hidden = self.known
        return self._without(hidden), hidden

    def _without(self, hidden: torch.Tensor) -> torch.Tensor | SparseFeatures:
        if isinstance(self._whole, SparseFeatures):
            return self._whole.without(hidden, self._num_features)
        drawn = self._whole.clone()
        drawn[hidden, self._num_features :] = 0.0
        return drawn


def with_all_labels(inputs: Sequence[Any]) -> list[Any]:
    """Return a network's arguments as they are at prediction."""
    return [each.complete() if isinstance(each, LabelInputs) else each for each in inputs]
