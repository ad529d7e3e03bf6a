"""MixHop (Abu-El-Haija et al., ICML 2019): several powers of the neighbourhood side by side.

``H' = ReLU([H W0, P H W1, P^2 H W2])`` with ``P = D^-1/2 (A + I) D^-1/2``, each power with the
full hidden width, and a linear map to the classes. The products are PyG's, and a test compares
the layer with PyG's ``MixHopConv``.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.adjacency import normalised, to_torch
from grape_gnn.baselines.layers import Classifier, Linear, Stack
from grape_gnn.baselines.pyg_layers import PreparedGCN
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["MixHop", "MixHopLayer"]


class MixHopLayer(nn.Module):
    """One layer with the powers 0, 1 and 2.

    Parameters
    ----------
    in_features, out_features
        Width before, and of each power after.
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linears = nn.ModuleList(Linear(in_features, out_features, bias=False) for _ in "012")
        self.bias = nn.Parameter(torch.zeros(3 * out_features))
        self.hop = PreparedGCN(out_features, bias=False)

    def forward(self, h: torch.Tensor | SparseFeatures, matrix: torch.Tensor) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, 3 out_features)."""
        zero, one, two = (linear(h) for linear in self.linears)
        one, two = self.hop(torch.cat([one, two], dim=1), matrix).chunk(2, dim=1)
        return torch.cat([zero, one, self.hop(two, matrix)], dim=1) + self.bias


class MixHop(Method):
    """Two MixHop layers and a linear classifier, with dropout before each."""

    name = "mixhop"
    title = "MixHop"
    choices = NORMS

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the normalised adjacency matrix."""
        return (to_torch(normalised(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        layers: list[nn.Module] = []
        width = shape.in_features
        for _ in range(shape.layers):
            layers.append(MixHopLayer(width, shape.hidden))
            width = 3 * shape.hidden
        return Stack([*layers, Classifier(width, shape.num_classes)], shape, width)
