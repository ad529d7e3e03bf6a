"""Batch normalisation and ReLU in one compiled operation.

    y = max(0, gain (x - mean) / sqrt(variance + epsilon) + bias)

Two thirds of the time of the separate operations went into reading and writing memory.
`norm_relu` runs the compiled passes in training on the processor, and torch's own operations
everywhere else; those are the test oracle too.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn import _native

__all__ = ["norm_relu"]


def norm_relu(norm: nn.BatchNorm1d, x: torch.Tensor) -> torch.Tensor:
    """Apply a batch normalisation and ReLU to (rows, features).

    Running statistics are kept as by the module itself.

    Examples
    --------
    >>> norm_relu(nn.BatchNorm1d(1), torch.tensor([[1.0], [3.0]])).round().tolist()
    [[0.0], [1.0]]
    """
    fast = x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64)
    if not (fast and norm.training and x.dtype == norm.weight.dtype):
        return torch.relu(norm(x))
    out, mean, variance = _NormRelu.apply(x, norm.weight, norm.bias, norm.eps)
    _keep_statistics(norm, mean, variance, x.shape[0])
    found: torch.Tensor = out
    return found


@torch.no_grad()
def _keep_statistics(
    norm: nn.BatchNorm1d, mean: torch.Tensor, variance: torch.Tensor, rows: int
) -> None:
    if norm.running_mean is None or norm.running_var is None or norm.momentum is None:
        return
    if norm.num_batches_tracked is not None:
        norm.num_batches_tracked.add_(1)
    unbiased = variance * (rows / (rows - 1))
    norm.running_mean.lerp_(mean.to(norm.running_mean.dtype), norm.momentum)
    norm.running_var.lerp_(unbiased.to(norm.running_var.dtype), norm.momentum)


class _NormRelu(torch.autograd.Function):
    """Mean and variance of every feature come back too, without derivatives."""

    @staticmethod
    def forward(
        ctx: Any, x: torch.Tensor, gain: torch.Tensor, bias: torch.Tensor, epsilon: float
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        x, gain, bias = (t.detach().contiguous() for t in (x, gain, bias))
        mean = torch.empty(gain.shape[0], dtype=torch.float64)
        variance, out = torch.empty_like(mean), torch.empty_like(x)
        _native.norm_relu(
            x.numpy(), gain.numpy(), bias.numpy(), epsilon,
            mean.numpy(), variance.numpy(), out.numpy(),
        )  # fmt: skip
        ctx.mark_non_differentiable(mean, variance)
        ctx.save_for_backward(x, gain, bias, mean, variance)
        ctx.epsilon = epsilon
        return out, mean, variance

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(
        ctx: Any, gradient: torch.Tensor, *unused: torch.Tensor
    ) -> tuple[torch.Tensor | None, ...]:
        x, gain, bias, mean, variance = ctx.saved_tensors
        by_x, by_gain, by_bias = (torch.empty_like(t) for t in (x, gain, bias))
        _native.norm_relu_backward(
            x.numpy(), gain.numpy(), bias.numpy(), ctx.epsilon, mean.numpy(), variance.numpy(),
            gradient.contiguous().numpy(), by_x.numpy(), by_gain.numpy(), by_bias.numpy(),
        )  # fmt: skip
        return by_x, by_gain, by_bias, None
