"""GraphSAGE (Hamilton et al., NeurIPS 2017) with mean aggregation, on PyG's layer.

``h'(v) = ReLU(W1 h(v) + W2 mean over neighbours u of h(u))``, full neighbourhoods.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.adjacency import adjacency, to_torch
from grape_gnn.baselines.layers import Linear, Stack
from grape_gnn.baselines.pyg_layers import PreparedSAGE
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["GraphSAGE", "SAGELayer"]


class SAGELayer(nn.Module):
    """One layer: linear maps of the node and of the mean of its neighbours, added.

    Parameters
    ----------
    in_features, out_features
        Width before and after.
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = Linear(in_features, 2 * out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features))
        self.conv = PreparedSAGE(out_features)

    def forward(self, h: torch.Tensor | SparseFeatures, matrix: torch.Tensor) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, out_features)."""
        neighbours, own = self.linear(h).chunk(2, dim=1)
        out: torch.Tensor = self.conv((neighbours, own), matrix)
        return out + self.bias


class GraphSAGE(Method):
    """Two GraphSAGE layers, with dropout before each."""

    name = "sage"
    title = "GraphSAGE"
    choices = NORMS

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the adjacency matrix."""
        return (to_torch(adjacency(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        widths = [shape.in_features, *[shape.hidden] * (shape.layers - 1), shape.num_classes]
        return Stack([SAGELayer(wide, narrow) for wide, narrow in pairwise(widths)], shape)
