"""Batches of whole graphs: what a network for graphs is trained on and asked by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.graphs.cut import Cut
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.training.batches import WHOLE, Batch, Batches, Share, share_of

__all__ = ["GraphBatches"]

KEPT_ENTRIES = 20_000_000  # of all batches that were asked for and will be again


class GraphBatches(Batches):
    """Graphs of a union in batches; the network is given features, roles, graphs and their number.

    The numbers that the training calls nodes are those of graphs here.

    Parameters
    ----------
    x
        Features of all nodes of the union.
    roles
        The roles of the union.
    ptr
        The boundaries of the graphs.
    size
        Graphs of a batch.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3), nx.path_graph(2)])
    >>> roles = WrittenRoles.of(grape.match(graphs, "edge"))
    >>> batches = GraphBatches(torch.ones(10, 1), roles, graphs.ptr, size=2)
    >>> [batch.inputs[2].tolist() for batch in batches.asked(torch.tensor([2, 1, 0]))]
    [[0, 0, 1, 1, 1], [0, 0, 0, 0, 0]]
    """

    def __init__(
        self, x: torch.Tensor, roles: WrittenRoles, ptr: NDArray[np.int64], size: int
    ) -> None:
        self.x, self.roles, self.ptr, self.size = x, roles, ptr, size
        self._kept: dict[bytes, Batch] = {}
        self._entries = 0

    def drawn(self, nodes: torch.Tensor, share: Share = WHOLE) -> Iterator[Batch]:
        """Give one epoch in a random order; a last batch of one graph joins the one before it."""
        order = nodes[torch.randperm(len(nodes)).to(nodes.device)]
        parts = list(order.split(self.size))
        if len(parts) > 1 and len(parts[-1]) == 1:
            parts[-2:] = [torch.cat(parts[-2:])]
        for part in parts:
            yield self._batch(share_of(part, share))

    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        """Give batches of the graphs in their order; the same ones are asked for every epoch."""
        for part in nodes.split(self.size):
            key = part.cpu().numpy().tobytes()
            if key in self._kept:
                yield self._kept[key]
                continue
            batch = self._batch(part)
            size = batch.inputs[1].num_entries
            if self._entries + size <= KEPT_ENTRIES:
                self._entries += size
                self._kept[key] = batch
            yield batch

    def _batch(self, graphs: torch.Tensor) -> Batch:
        cut = Cut.of(self.ptr, graphs.cpu().numpy())
        nodes = torch.from_numpy(cut.nodes).to(self.x.device)
        owner = torch.from_numpy(np.repeat(np.arange(cut.sizes.size), cut.sizes))
        inputs = (self.x[nodes], self.roles.cut(cut), owner.to(self.x.device), len(graphs))
        return Batch(inputs, graphs)
