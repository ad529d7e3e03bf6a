"""GCN (Kipf and Welling, ICLR 2017): ``H' = ReLU(D^-1/2 (A + I) D^-1/2 H W)``, on PyG's layer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.adjacency import normalised, to_torch
from grape_gnn.baselines.layers import Linear, Stack
from grape_gnn.baselines.pyg_layers import PreparedGCN
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["GCN", "GCNLayer"]


class GCNLayer(nn.Module):
    """One layer: a linear map, then the normalised sum over the neighbours and the node.

    Parameters
    ----------
    in_features, out_features
        Width before and after.
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = Linear(in_features, out_features, bias=False)
        self.conv = PreparedGCN(out_features)

    def forward(self, h: torch.Tensor | SparseFeatures, matrix: torch.Tensor) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, out_features)."""
        out: torch.Tensor = self.conv(self.linear(h), matrix)
        return out


class GCN(Method):
    """Two graph convolutions, with dropout before each."""

    name = "gcn"
    title = "GCN"
    choices = NORMS

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the normalised adjacency matrix."""
        return (to_torch(normalised(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        widths = [shape.in_features, *[shape.hidden] * (shape.layers - 1), shape.num_classes]
        return Stack([GCNLayer(wide, narrow) for wide, narrow in pairwise(widths)], shape)
