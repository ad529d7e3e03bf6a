"""Mini-batches of GRAPE for the training loop: egos, and the rows of roles that they need.

Learning goes batch by batch. Validation and prediction go through all nodes at once: without
gradients a pass holds so little that it fits wherever the roles do, visits everybody once instead
of once per batch, and measures the statistics of all nodes for normalisation and fusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from grape_gnn.nn import RoleValues, RowSource
from grape_gnn.training import (
    WHOLE,
    Batch,
    Batches,
    FullBatch,
    LabelInputs,
    Share,
    share_of,
    with_all_labels,
)

__all__ = ["RoleBatches", "RoleBlocks"]

BLOCK = 4096  # egos that are predicted at once


class RoleBatches(Batches):
    """Batches of egos with the rows of roles of every layer.

    Parameters
    ----------
    inputs
        Features, which may be `LabelInputs`, and roles of the whole graph.
    size
        Egos of a batch.
    layers
        Number of layers of the network.
    sample
        Members per role and ego; None: all.
    """

    full = True

    def __init__(
        self, inputs: list[Any], size: int, layers: int, sample: int | None = None
    ) -> None:
        self.inputs = inputs
        self.size = size
        self.layers = layers
        roles: RoleValues = inputs[1]
        self.source = RowSource(roles, sample)

    def drawn(self, nodes: torch.Tensor, share: Share = WHOLE) -> Iterator[Batch]:
        """Give the nodes in a random order; with label inputs, those whose labels are hidden."""
        features = self.inputs[0]
        if isinstance(features, LabelInputs):
            features, hidden = features.draw()
            nodes = hidden.nonzero()[:, 0]
        random = np.random.default_rng(int(torch.randint(2**62, ())))
        for whole in nodes[torch.randperm(len(nodes)).to(nodes.device)].split(self.size):
            part = share_of(whole, share)
            if len(part) == 0:  # the last batch may be smaller than the number of shares
                yield Batch([], part)
                continue
            needed, rows = self.source.batch(part.cpu().numpy(), self.layers, random)
            yield Batch([features[torch.from_numpy(needed).to(nodes.device)], rows], part)

    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        """Give one batch of all nodes."""
        return FullBatch(self.inputs).asked(nodes)


class RoleBlocks(RoleBatches):
    """Blocks of egos to be predicted by themselves, with nothing left out of what they need.

    Parameters
    ----------
    inputs, layers
        As for `RoleBatches`.
    """

    full = False

    def __init__(self, inputs: list[Any], layers: int) -> None:
        super().__init__(inputs, BLOCK, layers)

    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        """Give the nodes in the order they have, a block of them at a time."""
        features, *_ = with_all_labels(self.inputs)
        for part in nodes.split(self.size):
            needed, rows = self.source.batch(part.cpu().numpy(), self.layers)
            yield Batch([features[torch.from_numpy(needed).to(nodes.device)], rows], part)
