"""GAT (Velickovic et al., ICLR 2018): neighbours weighted by attention, on PyG's layer.

``a(v, u) = softmax over u of LeakyReLU(p . W h(v) + q . W h(u))``, self-loops included. The first
layer has 8 heads as in the paper, which share the hidden width; the last has one.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.attention import Neighbourhood
from grape_gnn.baselines.layers import Linear, Stack
from grape_gnn.baselines.pyg_layers import PreparedGAT
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["GAT", "GATLayer"]

HEADS = 8


class GATLayer(nn.Module):
    """One layer: a linear map, then the sum over neighbours weighted by attention.

    Parameters
    ----------
    in_features, out_features
        Width before and after.
    heads
        Number of attentions; each has its share of the width.
    dropout
        Share of the attention weights dropped in training.
    """

    def __init__(self, in_features: int, out_features: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.linear = Linear(in_features, out_features, bias=False)
        self.conv = PreparedGAT(out_features, heads, dropout)

    def forward(self, h: torch.Tensor | SparseFeatures, entries: Neighbourhood) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, out_features)."""
        out: torch.Tensor = self.conv(self.linear(h), entries)
        return out


class GAT(Method):
    """Two attention layers, with dropout before each and of the attention weights."""

    name = "gat"
    title = "GAT"
    choices = NORMS

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the edges in both directions and the self-loops."""
        return (Neighbourhood(graph),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        layers = []
        width = shape.in_features
        for _ in range(shape.layers - 1):
            heads = HEADS if shape.hidden % HEADS == 0 else 1
            layers.append(GATLayer(width, shape.hidden, heads, shape.dropout))
            width = shape.hidden
        layers.append(GATLayer(width, shape.num_classes, 1, shape.dropout))
        return Stack(layers, shape, activation=nn.functional.elu)
