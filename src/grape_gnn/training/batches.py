"""What a network is trained on, batch by batch; the full batch is the case of one.

A source of batches says for some nodes what the network is given, and where among the scores it
returns theirs are. Training asks for the nodes it is to learn, in an order drawn from torch's
generator (so that a checkpoint resumes in the middle of the same sequence); validation and
prediction ask for nodes in the order they name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn

from grape_gnn.training.label_inputs import LabelInputs, with_all_labels
from grape_gnn.training.threads import FEW_ROWS, threads_for

__all__ = ["WHOLE", "Batch", "Batches", "FullBatch", "Share", "scores_of", "share_of"]


Share = tuple[int, int]
WHOLE: Share = (0, 1)


def share_of(nodes: torch.Tensor, share: Share) -> torch.Tensor:
    """Return the k-th of so many shares of nodes, as equal as they can be.

    Examples
    --------
    >>> [share_of(torch.arange(5), (k, 2)).tolist() for k in (0, 1)]
    [[0, 1, 2], [3, 4]]
    """
    number, count = share
    return nodes.tensor_split(count)[number]


class Batch(NamedTuple):
    """What the network is given for some nodes."""

    inputs: Sequence[Any]
    """Arguments of the network."""
    nodes: torch.Tensor
    """Numbers of the nodes that the batch is about."""
    rows: torch.Tensor | slice = slice(None)
    """Where these nodes are among the scores; the network may need others besides."""


class Batches(ABC):
    """A source of batches.

    Examples
    --------
    >>> class Rows(Batches):
    ...     def __init__(self, x, size):
    ...         self.x, self.size = x, size
    ...     def drawn(self, nodes, share=WHOLE):
    ...         for part in nodes[torch.randperm(len(nodes))].split(self.size):
    ...             part = share_of(part, share)
    ...             yield Batch([self.x[part]], part)
    ...     def asked(self, nodes):
    ...         for part in nodes.split(self.size):
    ...             yield Batch([self.x[part]], part)
    >>> rows = Rows(torch.arange(5.0)[:, None], size=2)
    >>> scores_of(nn.Identity(), rows, torch.tensor([4, 0, 1])).flatten().tolist()
    [4.0, 0.0, 1.0]
    """

    full = False
    """Whether every batch has all nodes, so that a pass sees the statistics of all."""

    @abstractmethod
    def drawn(self, nodes: torch.Tensor, share: Share = WHOLE) -> Iterator[Batch]:
        """Give one epoch: nodes to learn from, every one at most once, in a random order.

        With label inputs, the nodes of the batches are those whose labels are hidden. Of every
        batch it gives but one share, which may have no nodes; all shares are of the same order if
        torch's generator was the same.
        """

    @abstractmethod
    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        """Give batches of all the nodes in the order they have; all labels may be seen."""


class FullBatch(Batches):
    """All nodes at once.

    Parameters
    ----------
    inputs
        Arguments of the network; the features may be `LabelInputs`.
    """

    full = True

    def __init__(self, inputs: Sequence[Any]) -> None:
        self.inputs = inputs

    def drawn(self, nodes: torch.Tensor, share: Share = WHOLE) -> Iterator[Batch]:
        """Give one batch, undivided; its random part is which labels are hidden."""
        features, *rest = self.inputs
        if isinstance(features, LabelInputs):
            features, hidden = features.draw()
            nodes = hidden.nonzero()[:, 0]
        yield Batch([features, *rest], nodes, nodes)

    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        """Give one batch."""
        yield Batch(with_all_labels(self.inputs), nodes, nodes)


def _rows(batch: Batch) -> int:
    features = batch.inputs[0]  # or a graph of PyG with all that belongs to it
    shape = getattr(features, "shape", None)
    return int(shape[0] if shape else getattr(features, "num_nodes", None) or FEW_ROWS)


def scores_of(model: nn.Module, batches: Batches, nodes: torch.Tensor) -> torch.Tensor:
    """Return the scores of nodes, batch by batch and without gradients."""
    parts = []
    with torch.no_grad():
        for batch in batches.asked(nodes):
            with threads_for(_rows(batch)):
                parts.append(model(*batch.inputs)[batch.rows])
    return torch.cat(parts) if len(parts) > 1 else parts[0]
