"""Parts the baselines share: a linear map that takes sparse features, and a stack of layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import Shape

__all__ = ["Classifier", "Linear", "Stack", "drop", "norm"]


def drop(x: Any, share: float, training: bool) -> Any:
    """Drop values at random and scale the rest; sparse features stay sparse.

    Examples
    --------
    >>> drop(torch.ones(2), 0.5, training=False).tolist()
    [1.0, 1.0]
    """
    if isinstance(x, SparseFeatures):
        return x.dropout(share, training)
    return nn.functional.dropout(x, share, training)


def norm(shape: Shape, width: int) -> nn.Module:
    """Return the normalisation that a shape asks for.

    Examples
    --------
    >>> norm(Shape(4, 2, hidden=8, layers=2, dropout=0.5, input_dropout=0.5, norm="batch"), 8)
    BatchNorm1d(8, ...)
    """
    if shape.norm not in ("none", "batch"):
        raise ModelError(f"unknown norm {shape.norm!r}: use 'none' or 'batch'")
    return nn.BatchNorm1d(width) if shape.norm == "batch" else nn.Identity()


class Linear(nn.Module):
    """A linear map, of dense or sparse features, that starts as Glorot and Bengio proposed.

    Parameters
    ----------
    in_features, out_features
        Width before and after.
    bias
        Whether to add a bias.

    Examples
    --------
    >>> Linear(4, 2)(torch.ones(3, 4)).shape
    torch.Size([3, 2])
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x: torch.Tensor | SparseFeatures) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, out_features)."""
        if isinstance(x, SparseFeatures) or self.bias is None:
            out = x @ self.weight
            return out if self.bias is None else out + self.bias
        return torch.addmm(self.bias, x, self.weight)


class Classifier(Linear):
    """The linear map at the end of a `Stack`, which does not look at the structure."""

    def forward(self, x: Any, *structure: Any) -> torch.Tensor:
        """Map (nodes, in_features) to one score per node and class."""
        return super().forward(x)


class Stack(nn.Module):
    """Layers with dropout before each, and a norm and an activation after each but the last.

    Parameters
    ----------
    layers
        Modules called with the features and the structure.
    shape
        Gives the dropout and the norm.
    width
        Of what the layers but the last compute; None: the hidden width.
    activation
        Between the layers; ``nn.Identity()`` if they end with one.

    Examples
    --------
    >>> shape = Shape(4, 2, hidden=8, layers=2, dropout=0.5, input_dropout=0.5)
    >>> Stack([Linear(4, 8), Linear(8, 2)], shape)(torch.ones(3, 4)).shape
    torch.Size([3, 2])
    """

    def __init__(
        self,
        layers: Iterable[nn.Module],
        shape: Shape,
        width: int | None = None,
        activation: Any = torch.relu,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norms = nn.ModuleList(norm(shape, width or shape.hidden) for _ in self.layers[1:])
        self.dropout, self.input_dropout = shape.dropout, shape.input_dropout
        self.activation = activation

    def forward(self, x: torch.Tensor | SparseFeatures, *structure: Any) -> torch.Tensor:
        """Return one score per node and class."""
        h: Any = drop(x, self.input_dropout, self.training)
        for number, layer in enumerate(self.layers):
            if number > 0:
                h = self.activation(self.norms[number - 1](h))
                h = drop(h, self.dropout, self.training)
            h = layer(h, *structure)
        scores: torch.Tensor = h
        return scores
