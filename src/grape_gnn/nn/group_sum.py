"""The weighted sum over templates of eq. 4, as one compiled operation."""

from __future__ import annotations

from typing import Any

import torch

from grape_gnn import _native

__all__ = ["group_sum"]


def group_sum(h: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Sum (nodes, groups, features) over the groups, each times its weight.

    Examples
    --------
    >>> group_sum(torch.tensor([[[1.0], [2.0]]]), torch.tensor([3.0, 4.0]))
    tensor([[11.]])
    """
    fast = h.device.type == "cpu" and h.dtype in (torch.float32, torch.float64)
    if not (fast and h.dtype == weight.dtype):
        return torch.einsum("ngf,g->nf", h, weight)
    total: torch.Tensor = _GroupSum.apply(h, weight)
    return total


class _GroupSum(torch.autograd.Function):
    """Forward in one pass, both derivatives in another."""

    @staticmethod
    def forward(ctx: Any, h: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        h, weight = h.detach().contiguous(), weight.detach().contiguous()
        ctx.save_for_backward(h, weight)
        out = h.new_empty(h.shape[0], h.shape[2])
        _native.group_sum(h.numpy(), weight.numpy(), out.numpy())
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        h, weight = ctx.saved_tensors
        by_h, by_weight = torch.empty_like(h), torch.empty_like(weight)
        _native.group_sum_backward(
            h.numpy(),
            weight.numpy(),
            gradient.contiguous().numpy(),
            by_h.numpy(),
            by_weight.numpy(),
        )
        return by_h, by_weight
