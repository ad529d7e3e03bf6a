"""PyG's layers, with two changes that leave what they compute as it is, but not their time.

The linear map goes before the aggregation, where PyG has it the other way round, because both are
linear and it narrows (and can be taken of sparse features); and the aggregation is the product
with symmetric rows prepared once. (PyG looks sources up by class name, so the names must differ.)
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.adjacency import symmetric_product
from grape_gnn.baselines.attention import (
    Neighbourhood,
    drop_entries,
    pair_sum,
    row_softmax,
    weighted_sum,
)
from grape_gnn.extras import named_extra

with named_extra():
    import torch_geometric.nn as pyg

__all__ = ["PreparedGAT", "PreparedGCN", "PreparedGIN", "PreparedSAGE"]


class PreparedGAT(pyg.GATConv):
    """PyG's ``GATConv`` of features that went through a linear map already.

    Parameters
    ----------
    features
        Width of the features; the heads share it.
    heads
        Number of attentions.
    dropout
        Share of the attention weights dropped in training.
    """

    def __init__(self, features: int, heads: int, dropout: float) -> None:
        super().__init__(features, features // heads, heads, dropout=dropout)
        self.lin = nn.Identity()

    def forward(self, x: torch.Tensor, entries: Neighbourhood) -> torch.Tensor:
        """Weigh the neighbours by attention and sum them."""
        by_head = x.view(-1, self.heads, self.out_channels)
        receiver = (by_head * self.att_dst).sum(dim=-1)
        sender = (by_head * self.att_src).sum(dim=-1)
        scores = pair_sum(receiver, sender, entries)
        weights = row_softmax(nn.functional.leaky_relu(scores, self.negative_slope), entries)
        weights = drop_entries(weights, self.dropout, self.training)
        out: torch.Tensor = weighted_sum(weights, x, entries) + self.bias
        return out


class PreparedGCN(pyg.GCNConv):
    """PyG's ``GCNConv`` of features that went through a linear map already.

    Parameters
    ----------
    features
        Width of the features.
    bias
        Whether to add a bias.
    """

    def __init__(self, features: int, bias: bool = True) -> None:
        super().__init__(features, features, normalize=False, bias=bias)
        self.lin = nn.Identity()

    def message_and_aggregate(self, adj_t: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """Sum the neighbours, weighted by the matrix."""
        return symmetric_product(adj_t, x)


class PreparedGIN(pyg.GINConv):
    """PyG's ``GINConv`` with a product prepared once."""

    def message_and_aggregate(self, adj_t: torch.Tensor, x: Any) -> torch.Tensor:
        """Sum the neighbours."""
        return symmetric_product(adj_t, x[0])


class PreparedSAGE(pyg.SAGEConv):
    """PyG's ``SAGEConv`` of pairs: features mapped for the neighbours, and for the node itself.

    Parameters
    ----------
    features
        Width of both.
    """

    def __init__(self, features: int) -> None:
        super().__init__((features, features), features, bias=False)
        self.lin_l = nn.Identity()
        self.lin_r = nn.Identity()

    def message_and_aggregate(self, adj_t: torch.Tensor, x: Any) -> torch.Tensor:
        """Average the neighbours; zero where there are none."""
        degrees = adj_t.crow_indices().diff().clamp(min=1)
        return symmetric_product(adj_t, x[0]) / degrees[:, None]
