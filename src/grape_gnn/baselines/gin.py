"""GIN (Xu et al., ICLR 2019): ``h'(v) = MLP((1 + eps) h(v) + sum over neighbours u of h(u))``.

PyG's layer, with a trained eps and, as in the paper, batch normalisation after both maps of the
MLP. The first map goes before the sum. A linear map of the last layer gives the classes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.adjacency import adjacency, to_torch
from grape_gnn.baselines.layers import Classifier, Linear, Stack
from grape_gnn.baselines.pyg_layers import PreparedGIN
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import DEPTHS, Method, Prepared, Shape

__all__ = ["GIN", "GINLayer"]


class GINLayer(nn.Module):
    """One layer: Linear, sum, BatchNorm, ReLU, Linear, BatchNorm, ReLU.

    Parameters
    ----------
    in_features, out_features
        Width before and after.
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = Linear(in_features, out_features, bias=False)
        rest = nn.Sequential(
            nn.BatchNorm1d(out_features),
            nn.ReLU(),
            Linear(out_features, out_features, bias=False),
            nn.BatchNorm1d(out_features),
            nn.ReLU(),
        )
        self.conv = PreparedGIN(rest, train_eps=True)

    def forward(self, h: torch.Tensor | SparseFeatures, matrix: torch.Tensor) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, out_features)."""
        out: torch.Tensor = self.conv(self.linear(h), matrix)
        return out


class GIN(Method):
    """GIN layers with batch normalisation, dropout before each and before the classifier."""

    name = "gin"
    title = "GIN"
    choices = DEPTHS

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the adjacency matrix."""
        return (to_torch(adjacency(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        widths = [shape.in_features, *[shape.hidden] * shape.layers]
        layers = [GINLayer(wide, narrow) for wide, narrow in pairwise(widths)]
        last = Classifier(shape.hidden, shape.num_classes)
        return Stack([*layers, last], shape, activation=nn.Identity())
