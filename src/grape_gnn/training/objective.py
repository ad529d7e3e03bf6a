"""What a network is trained for: the loss of its task, and labels in the form that tells it.

Labels are tensors in the form of `grape_gnn.graph.targets`, so that a method needs no further word
to be trained for another task: classes are learnt by cross-entropy, several labels by binary
cross-entropy for each, and numbers by squared errors in units of their spread among the training
nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from grape_gnn.errors import ModelError

__all__ = ["InUnits", "Objective", "hide_labels", "is_known", "label_columns", "num_label_columns"]


def is_known(labels: torch.Tensor) -> torch.Tensor:
    """Return the mask of the nodes whose label is known.

    Examples
    --------
    >>> is_known(torch.tensor([0, -1])).tolist(), is_known(torch.tensor([2.0])).tolist()
    ([True, False], [True])
    """
    if labels.ndim == 2:
        return (labels >= 0).all(dim=1)
    return ~labels.isnan() if labels.is_floating_point() else labels >= 0


def hide_labels(labels: torch.Tensor, visible: torch.Tensor) -> torch.Tensor:
    """Return labels that are missing but for the visible nodes.

    Examples
    --------
    >>> hide_labels(torch.tensor([3, 4]), torch.tensor([True, False])).tolist()
    [3, -1]
    """
    missing = float("nan") if labels.is_floating_point() else -1
    mask = visible[:, None] if labels.ndim == 2 else visible
    return torch.where(mask, labels, torch.tensor(missing, dtype=labels.dtype))


def num_label_columns(labels: torch.Tensor, num_outputs: int) -> int:
    """Return how many columns `label_columns` has."""
    if labels.ndim == 2:
        return num_outputs + 1
    return 2 if labels.is_floating_point() else num_outputs


def label_columns(labels: torch.Tensor, num_outputs: int) -> torch.Tensor:
    """Write labels as columns of features; those that are missing are zeros.

    A class is a one in its column. Several labels are ones in theirs, and a number is given in
    units of the spread around the mean; both have a last column that says that it is given.

    Examples
    --------
    >>> label_columns(torch.tensor([1, -1]), 2).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    >>> label_columns(torch.tensor([3.0, float("nan"), 5.0]), 1).tolist()
    [[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    """
    known = is_known(labels)
    columns = torch.zeros(len(labels), num_label_columns(labels, num_outputs), device=labels.device)
    if labels.ndim == 2:
        columns[known, :-1] = labels[known].float()
        columns[known, -1] = 1.0
    elif labels.is_floating_point():
        centre, spread = _centre_and_spread(labels[known])
        columns[known, 0] = ((labels[known] - centre) / spread).float()
        columns[known, 1] = 1.0
    else:
        columns[known, labels[known]] = 1.0
    return columns


def _centre_and_spread(numbers: torch.Tensor) -> tuple[float, float]:
    spread = float(numbers.std(correction=0)) if numbers.numel() else 0.0
    return float(numbers.mean()) if numbers.numel() else 0.0, spread or 1.0


class Objective:
    """The loss of a training.

    Parameters
    ----------
    labels
        In the form of their task; only those of the training nodes are read.
    train_mask
        The training nodes.
    class_weight
        ``"balanced"``: every class, or of several labels each yes and no, has the same weight
        together, however few nodes it has. Numbers: the weight of the nodes of every class, or of
        those that have each label. None: every node has the same.

    Examples
    --------
    >>> everyone = torch.tensor([True, True])
    >>> objective = Objective(torch.tensor([10.0, 30.0]), everyone)
    >>> objective(torch.tensor([10.0, 40.0]), torch.tensor([10.0, 30.0])).item()
    0.5
    """

    def __init__(
        self,
        labels: torch.Tensor,
        train_mask: torch.Tensor,
        class_weight: str | Sequence[float] | None = None,
    ) -> None:
        known = labels[train_mask]
        self.classes = labels.ndim == 1 and not labels.is_floating_point()
        self._weight: torch.Tensor | None = None
        self._spread = 1.0
        if labels.is_floating_point():
            if class_weight is not None:
                raise ModelError("class_weight is for classes, and the labels are numbers")
            _, self._spread = _centre_and_spread(known)
        elif isinstance(class_weight, str):
            self._weight = _balanced(known)
        elif class_weight is not None:
            self._weight = torch.tensor(class_weight, device=labels.device)

    def weight(self, labels: torch.Tensor) -> float:
        """Return what the mean over nodes in training is divided by: their number, or weights."""
        if self._weight is None or not self.classes:
            return float(len(labels))
        return float(self._weight[labels].sum())

    def __call__(
        self, scores: torch.Tensor, labels: torch.Tensor, *, weighted: bool = False
    ) -> torch.Tensor:
        """Return the mean loss of nodes; with class weights only in training."""
        weight = self._weight if weighted else None
        if self.classes:
            if weight is not None:  # a class that no training node has is in no batch either
                weight = nn.functional.pad(weight, (0, scores.shape[1] - len(weight)), value=1.0)
            return nn.functional.cross_entropy(scores, labels, weight)
        if labels.ndim == 2:
            wanted = labels.to(scores.dtype)
            return nn.functional.binary_cross_entropy_with_logits(scores, wanted, pos_weight=weight)
        return ((scores - labels) / self._spread).square().mean()


def _balanced(labels: torch.Tensor) -> torch.Tensor:
    if labels.ndim == 2:
        yes = labels.sum(dim=0).float()
        return (len(labels) - yes).clamp(min=1) / yes.clamp(min=1)
    nodes = labels.bincount().float()
    return len(labels) / ((nodes > 0).sum() * nodes.clamp(min=1))


class InUnits(nn.Module):
    """A network that predicts numbers, in the units of the labels.

    What it learns is standardised: 0 is the mean of the training labels, 1 their spread.

    Parameters
    ----------
    network
        Gives one number per node, shape (nodes, 1).
    labels
        Of the training nodes.

    Examples
    --------
    >>> model = InUnits(nn.Identity(), torch.tensor([10.0, 30.0]))
    >>> model(torch.tensor([[0.0], [1.0]])).tolist()
    [20.0, 30.0]
    """

    def __init__(self, network: nn.Module, labels: torch.Tensor) -> None:
        super().__init__()
        self.network = network
        self.centre, self.spread = _centre_and_spread(labels)

    def forward(self, *inputs: object) -> torch.Tensor:
        """Return one number per node, in double precision: years and prices need it."""
        found: torch.Tensor = self.network(*inputs)
        return found.double().squeeze(1) * self.spread + self.centre
