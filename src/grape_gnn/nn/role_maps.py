"""The maps of all roles, behind messages that are standardised over the nodes.

    out(v) = sum over roles r of  A_r S[m_r(v)] + B_r S[log(1 + total_r(v)) m_r(v)]

S takes the mean off every column and divides by its standard deviation. Written as tensors this
needs six copies of all messages, which is most of the memory of a training. Role by role it needs
one: the standard deviations go into the maps, and the derivative through mean and deviation is
known in closed form (Ioffe and Szegedy, 2015). With `x` the standardised messages of a role, `W`
its maps and `g` the derivative by `out`,

    by W = g' x,     by x = g W,     by the messages = (by x - mean(by x) - x mean(x by x)) / std,

where the two means over the nodes follow from sums that are at hand: ``mean(g) W``, and the columns
of ``W * (g' x) / n`` summed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import nn

from grape_gnn.nn.pooled import Pooled

__all__ = ["FORMS", "RoleMaps"]

FORMS = ("mean", "log")


class RoleMaps(nn.Module):
    """One linear map per role and form, after standardising; see the equation of the module.

    In training the statistics are those of the nodes at hand, and running averages of them are
    kept, as `torch.nn.BatchNorm1d` does; otherwise the kept ones are used. A single node has no
    spread: in training its messages stay as they are.

    Parameters
    ----------
    num_roles
        Number of roles.
    in_features, out_features
        Width before and after.

    Attributes
    ----------
    weight
        Shape (out_features, roles * forms * in_features).
    running_mean, running_var
        What the messages are standardised by once training is over, one number per column.

    Examples
    --------
    >>> maps = RoleMaps(num_roles=3, in_features=8, out_features=4)
    >>> maps(torch.randn(5, 3, 8), torch.rand(5, 3)).shape
    torch.Size([5, 4])
    """

    running_mean: torch.Tensor
    running_var: torch.Tensor
    eps, momentum = 1e-5, 0.1

    def __init__(self, num_roles: int, in_features: int, out_features: int) -> None:
        super().__init__()
        self.num_roles, self.in_features = num_roles, in_features
        columns = num_roles * len(FORMS) * in_features
        self.weight = nn.Parameter(torch.empty(out_features, columns))
        self.register_buffer("running_mean", torch.zeros(columns))
        self.register_buffer("running_var", torch.ones(columns))
        self._renewing: Pooled | None = None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new maps, as `torch.nn.Linear` does, and forget the statistics."""
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        self.running_mean.zero_()
        self.running_var.fill_(1.0)

    def by_role(self) -> torch.Tensor:
        """Return the maps, shape (roles, forms, out_features, in_features)."""
        wide = self.weight.view(-1, self.num_roles, len(FORMS), self.in_features)
        return wide.permute(1, 2, 0, 3)

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Let every pass use its own statistics, and keep those of all passes together."""
        self._renewing = Pooled()
        try:
            yield
            if self._renewing.count:
                self.running_mean.copy_(self._renewing.mean)
                self.running_var.copy_(self._renewing.variance)
        finally:
            self._renewing = None

    def standardised(self, means: torch.Tensor, logs: torch.Tensor) -> torch.Tensor:
        """Return S[...] of the equation by the kept statistics: (nodes, roles, forms, columns)."""
        shape = (self.num_roles, len(FORMS), self.in_features)
        both = torch.stack([means, means * logs[:, :, None]], dim=2)
        inverse = (self.running_var + self.eps).rsqrt()
        return (both - self.running_mean.view(shape)) * inverse.view(shape)

    def forward(self, means: torch.Tensor, logs: torch.Tensor) -> torch.Tensor:
        """Map messages to (nodes, out_features).

        Parameters
        ----------
        means
            What every role's members are on average, shape (nodes, roles, in_features).
        logs
            Logarithm of one plus their number, shape (nodes, roles).
        """
        n = means.shape[0]
        learned = self.training and n > 1
        fresh = learned or self._renewing is not None
        mean, variance = self.running_mean, self.running_var
        if fresh:  # filled in below
            mean, variance = torch.empty_like(mean), torch.empty_like(variance)
        elif self.training:
            mean, variance = torch.zeros_like(mean), torch.ones_like(variance)
        how = _How(self.eps, fresh, learned)
        out: torch.Tensor = _Maps.apply(means, logs, self.weight, mean, variance, how)
        if fresh:
            self._keep(mean, variance, n)
        return out

    @torch.no_grad()
    def _keep(self, mean: torch.Tensor, variance: torch.Tensor, n: int) -> None:
        if self._renewing is not None:
            self._renewing.add(mean, variance, n)
            return
        self.running_mean.lerp_(mean, self.momentum)
        self.running_var.lerp_(variance * (n / (n - 1)), self.momentum)


class _How(NamedTuple):
    """What is added to variances, and whether statistics are computed and differentiated."""

    eps: float
    fresh: bool
    learned: bool


def _messages(means: torch.Tensor, logs: torch.Tensor) -> Iterator[tuple[slice, torch.Tensor]]:
    """Give the columns of one role after the other and its messages, all in the same place."""
    n, num_roles, columns = means.shape
    width = len(FORMS) * columns
    place = means.new_empty(n, width)
    for r in range(num_roles):
        place[:, :columns] = means[:, r]
        torch.mul(means[:, r], logs[:, r, None], out=place[:, columns:])
        yield slice(r * width, (r + 1) * width), place


class _Maps(torch.autograd.Function):
    """The sum over the roles, one role at a time."""

    @staticmethod
    def forward(
        ctx: Any,
        means: torch.Tensor,
        logs: torch.Tensor,
        weight: torch.Tensor,
        mean: torch.Tensor,
        variance: torch.Tensor,
        how: _How,
    ) -> torch.Tensor:
        out = means.new_zeros(means.shape[0], weight.shape[0])
        for part, messages in _messages(means, logs):
            if how.fresh:
                mean[part] = messages.mean(dim=0)
            centred = messages.sub_(mean[part])
            if how.fresh:
                variance[part] = centred.square().mean(dim=0)
            scaled = weight[:, part] * (variance[part] + how.eps).rsqrt()
            out.addmm_(centred, scaled.T)
        ctx.save_for_backward(means, logs, weight, mean, variance)
        ctx.how = how
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        means, logs, weight, mean, variance = ctx.saved_tensors
        n, _, columns = means.shape
        needed = ctx.needs_input_grad[0]
        by_weight = torch.empty_like(weight)
        by_means = torch.empty_like(means) if needed else None
        mean_gradient = gradient.mean(dim=0)
        for r, (part, messages) in enumerate(_messages(means, logs)):
            inverse = (variance[part] + ctx.how.eps).rsqrt()
            scaled = weight[:, part] * inverse
            centred = messages.sub_(mean[part])
            by_weight[:, part] = (gradient.T @ centred) * inverse
            if by_means is None:
                continue
            by_messages = gradient @ scaled
            if ctx.how.learned:
                spread = (weight[:, part] * by_weight[:, part]).sum(dim=0) / n
                by_messages.addcmul_(centred, inverse.square() * spread, value=-1)
                by_messages.sub_(mean_gradient @ scaled)
            plain, logged = by_messages[:, :columns], by_messages[:, columns:]
            torch.addcmul(plain, logs[:, r, None], logged, out=by_means[:, r])
        return by_means, None, by_weight, None, None, None
