"""Dropout that costs little: on the processor torch draws one random number at a time.

What is dropped depends on a seed only, which is taken from torch's generator: the same state of
the generator gives the same mask, and nothing has to be kept for the backward pass but the seed.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn import _native

__all__ = ["Dropout", "drop"]


class Dropout(nn.Dropout):
    """`torch.nn.Dropout` with a fast pass for the processor.

    Examples
    --------
    >>> layer = Dropout(0.5)
    >>> bool(((layer(torch.ones(100)) == 0) | (layer(torch.ones(100)) == 2)).any())
    True
    >>> layer.eval()(torch.ones(2))
    tensor([1., 1.])
    """

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Drop values at random in training; nothing otherwise."""
        return drop(h, self.p) if self.training else h


def drop(h: torch.Tensor, share: float) -> torch.Tensor:
    """Set a share of the values to zero at random and scale the others up."""
    if share == 0.0:
        return h
    if h.device.type != "cpu" or h.dtype not in (torch.float32, torch.float64):
        return nn.functional.dropout(h, share)
    seed = int(torch.randint(2**62, ()).item())
    dropped: torch.Tensor = _Dropped.apply(h, share, seed)
    return dropped


class _Dropped(torch.autograd.Function):
    """Both passes draw the same numbers from the seed."""

    @staticmethod
    def forward(ctx: Any, h: torch.Tensor, share: float, seed: int) -> torch.Tensor:
        ctx.share, ctx.seed = share, seed
        return _masked(h, share, seed)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        return _masked(gradient, ctx.share, ctx.seed), None, None


def _masked(values: torch.Tensor, share: float, seed: int) -> torch.Tensor:
    source = values.detach().contiguous()
    out = torch.empty_like(source)
    _native.dropout(source.numpy(), share, seed, out.numpy())
    return out
