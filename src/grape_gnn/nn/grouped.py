"""Layers for all templates at once: what L separate modules would do, in one operation.

Tensors have the shape (nodes, groups, features); group ``l`` has its own weights.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from grape_gnn.nn.sparse_features import SparseFeatures

__all__ = ["GroupedBatchNorm", "GroupedLayerNorm", "GroupedLinear"]


class GroupedLinear(nn.Module):
    """One linear map per group.

    Parameters
    ----------
    groups
        Number of groups.
    in_features, out_features
        Width before and after.
    bias
        Whether to add a bias.

    Examples
    --------
    >>> layer = GroupedLinear(3, 4, 2)
    >>> layer(torch.ones(5, 3, 4)).shape, layer(torch.ones(5, 4)).shape
    (torch.Size([5, 3, 2]), torch.Size([5, 3, 2]))
    """

    def __init__(self, groups: int, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(groups, in_features, out_features))
        self.bias = nn.Parameter(torch.empty(groups, out_features)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights as `torch.nn.Linear` does."""
        bound = 1 / math.sqrt(max(1, self.weight.shape[1]))
        nn.init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, h: torch.Tensor | SparseFeatures) -> torch.Tensor:
        """Map (nodes, groups, in), or (nodes, in) shared by all groups, to (nodes, groups, out)."""
        groups, wide, narrow = self.weight.shape
        if isinstance(h, SparseFeatures):
            out = h @ self.weight
        elif h.ndim == 2:
            flat = self.weight.transpose(0, 1).reshape(wide, groups * narrow)
            out = (h @ flat).view(-1, groups, narrow)
        else:
            out = _GroupedProduct.apply(h, self.weight)
        return out if self.bias is None else out + self.bias


class _GroupedProduct(torch.autograd.Function):
    """(nodes, groups, in) times (groups, in, out), nodes first in memory on both sides.

    A batched product puts the groups first; whatever follows would have to turn that around
    again, forward and backward, which took longer than the product.
    """

    @staticmethod
    def forward(ctx: Any, h: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(h, weight)
        return _groups_apart(h, weight)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        h, weight = ctx.saved_tensors
        by_h = by_weight = None
        if ctx.needs_input_grad[0]:
            by_h = _groups_apart(gradient, weight.transpose(1, 2))
        if ctx.needs_input_grad[1]:
            by_weight = torch.bmm(h.permute(1, 2, 0), gradient.transpose(0, 1))
        return by_h, by_weight


def _groups_apart(h: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    out = h.new_empty(*h.shape[:2], weight.shape[2])
    torch.bmm(h.transpose(0, 1), weight, out=out.transpose(0, 1))
    return out


class GroupedBatchNorm(nn.Module):
    """Batch normalisation over the nodes, for every group and feature.

    Parameters
    ----------
    groups, features
        Shape of the tensors behind the nodes.

    Examples
    --------
    >>> norm = GroupedBatchNorm(2, 3)
    >>> norm(torch.randn(100, 2, 3)).mean(dim=0).abs().max().item() < 1e-5
    True
    """

    def __init__(self, groups: int, features: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(groups * features)

    def reset_parameters(self) -> None:
        """Forget gains, biases and running statistics."""
        self.norm.reset_parameters()

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Normalise (nodes, groups, features)."""
        if self.norm.training and h.shape[0] == 1:
            return h  # a single node has no spread to normalise by
        out: torch.Tensor = self.norm(h.reshape(h.shape[0], -1))
        return out.view(h.shape)


class GroupedLayerNorm(nn.Module):
    """Layer normalisation over the features, with one gain and bias per group.

    Examples
    --------
    >>> norm = GroupedLayerNorm(2, 3)
    >>> norm(torch.randn(4, 2, 3)).mean(dim=2).abs().max().item() < 1e-5
    True
    """

    def __init__(self, groups: int, features: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(groups, features))
        self.bias = nn.Parameter(torch.zeros(groups, features))

    def reset_parameters(self) -> None:
        """Gains of one, biases of zero."""
        nn.init.ones_(self.gain)
        nn.init.zeros_(self.bias)

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Normalise (nodes, groups, features)."""
        return nn.functional.layer_norm(h, h.shape[-1:]) * self.gain + self.bias
