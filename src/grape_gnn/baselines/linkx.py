"""LINKX (Lim et al., NeurIPS 2021): two perceptrons, on rows of the adjacency matrix and features.

``h_A = MLP_A(A)``, ``h_X = MLP_X(X)``, ``y = MLP_f(ReLU(W [h_A, h_X] + h_A + h_X))``. MLP_A and
MLP_X have one layer and MLP_f two, the size the paper found best most often. A weight per node
makes it transductive: it cannot be applied to another graph.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.adjacency import adjacency, symmetric_product, to_torch
from grape_gnn.baselines.layers import Linear, drop
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import Method, Prepared, Shape

__all__ = ["LINKX"]


class LINKXNetwork(nn.Module):
    """The equations above, with dropout and batch normalisation in MLP_f as in the paper's code.

    Parameters
    ----------
    shape
        Widths and dropout.
    num_nodes
        Number of nodes of the one graph.
    """

    def __init__(self, shape: Shape, num_nodes: int) -> None:
        super().__init__()
        self.rows = nn.Parameter(torch.empty(num_nodes, shape.hidden))
        self.rows_bias = nn.Parameter(torch.zeros(shape.hidden))
        nn.init.xavier_uniform_(self.rows)
        self.features = Linear(shape.in_features, shape.hidden)
        self.both = Linear(2 * shape.hidden, shape.hidden)
        final: list[nn.Module] = []
        for _ in range(shape.layers - 1):
            final += [Linear(shape.hidden, shape.hidden), nn.ReLU()]
            final += [nn.BatchNorm1d(shape.hidden), nn.Dropout(shape.dropout)]
        self.final = nn.Sequential(*final, Linear(shape.hidden, shape.num_classes))
        self.dropout, self.input_dropout = shape.dropout, shape.input_dropout

    def forward(self, x: torch.Tensor | SparseFeatures, matrix: torch.Tensor) -> torch.Tensor:
        """Return one score per node and class."""
        rows = symmetric_product(matrix, self.rows) + self.rows_bias
        features = self.features(drop(x, self.input_dropout, self.training))
        both = self.both(torch.cat([rows, features], dim=1))
        h = drop(torch.relu(both + rows + features), self.dropout, self.training)
        scores: torch.Tensor = self.final(h)
        return scores


class LINKX(Method):
    """Who the neighbours are, and the node's own features, each through a perceptron."""

    name = "linkx"
    title = "LINKX"
    reference = True

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the adjacency matrix."""
        return (to_torch(adjacency(graph)),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        return LINKXNetwork(shape, prepared.x.shape[0])
