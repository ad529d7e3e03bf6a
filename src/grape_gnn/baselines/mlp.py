"""A multi-layer perceptron on the node features alone: what the graph adds is measured by it."""

from __future__ import annotations

from itertools import pairwise

from torch import nn

from grape_gnn.baselines.layers import Linear, Stack
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["MLP"]


class MLP(Method):
    """Linear maps with ReLU between, and dropout before each."""

    name = "mlp"
    title = "MLP"
    choices = NORMS
    reference = True

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        widths = [shape.in_features, *[shape.hidden] * (shape.layers - 1), shape.num_classes]
        return Stack([Linear(wide, narrow) for wide, narrow in pairwise(widths)], shape)
