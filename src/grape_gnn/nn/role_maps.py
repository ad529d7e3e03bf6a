"""The maps of all roles, behind messages that are standardised over the nodes.

    out(v) = sum over roles r of  A_r S[m_r(v)] + B_r S[log(1 + total_r(v)) m_r(v)]

S takes the mean off every column and divides by its standard deviation. Written as tensors this
needs six copies of all messages, which is most of the memory of a training, and of its time. In
blocks of nodes that stay in a cache it needs one: the standard deviations go into the maps, and the
derivative through mean and deviation is known in closed form (Ioffe and Szegedy, 2015). With `x`
the standardised messages, `W` the maps and `g` the derivative by `out`,

    by W = g' x,     by x = g W,     by the messages = (by x - mean(by x) - x mean(x by x)) / std,

where the two means over the nodes follow from sums that are at hand: ``mean(g) W``, and the columns
of ``W * (g' x) / n`` summed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import nn

from grape_gnn.nn.kept_means import RecentMeans
from grape_gnn.nn.large_tensor import large_tensor
from grape_gnn.nn.messages import (
    FORMS,
    map_messages,
    maps_backward,
    messages_backward,
    statistics,
)
from grape_gnn.nn.pooled import Pooled

if TYPE_CHECKING:
    from grape_gnn.nn.role_values import RoleValues

__all__ = ["FORMS", "GivenMessages", "RoleMaps"]


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
    >>> import grape_gnn as grape
    >>> from grape_gnn.nn import RoleValues
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,3-path"))
    >>> RoleMaps(num_roles=3, in_features=8, out_features=5)(torch.randn(4, 8), roles).shape
    torch.Size([4, 5])
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

    def forward(self, h: torch.Tensor, roles: RoleValues | GivenMessages) -> torch.Tensor:
        """Map the messages of all roles to (egos, out_features).

        Parameters
        ----------
        h
            Features, shape (nodes, in_features); with `GivenMessages`, what every role's members
            are on average, shape (nodes, roles, in_features).
        roles
            The roles, with as many as were given to the constructor.
        """
        n = roles.num_egos
        learned = self.training and n > 1
        fresh = learned or self._renewing is not None
        mean, variance = self.running_mean, self.running_var
        if fresh:  # filled in below
            mean, variance = torch.empty_like(mean), torch.empty_like(variance)
        elif self.training:
            mean, variance = torch.zeros_like(mean), torch.ones_like(variance)
        how = _How(roles, self.eps, fresh, learned)
        out: torch.Tensor = _Maps.apply(h, self.weight, mean, variance, how)
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


class GivenMessages:
    """Stands for the roles where messages were computed before.

    Parameters
    ----------
    logs
        Logarithm of one plus the number of members, shape (nodes, roles).

    Examples
    --------
    >>> maps = RoleMaps(num_roles=3, in_features=8, out_features=4)
    >>> maps(torch.randn(5, 3, 8), GivenMessages(torch.rand(5, 3))).shape
    torch.Size([5, 4])
    """

    def __init__(self, logs: torch.Tensor) -> None:
        self.logs = logs
        self.num_egos = logs.shape[0]
        self.recent = RecentMeans()

    def means(self, h: torch.Tensor) -> torch.Tensor:
        """Return the messages, which are what was given."""
        return h

    def log_totals(self, like: torch.Tensor) -> torch.Tensor:
        """Return the logarithms."""
        return self.logs

    def means_backward(self, h: torch.Tensor, by_means: torch.Tensor) -> torch.Tensor:
        """Return the derivative by what was given."""
        return by_means


class _How(NamedTuple):
    """The roles, what is added to variances, whether these are computed and differentiated."""

    roles: RoleValues | GivenMessages
    eps: float
    fresh: bool
    learned: bool


class _Maps(torch.autograd.Function):
    """The sum over the roles, for one block of nodes after the other.

    On the way back, the derivative by the means takes their place. What was not kept (`kept_means`)
    is computed again, and so is everything for whoever goes back a second time.
    """

    @staticmethod
    def forward(
        ctx: Any,
        h: torch.Tensor,
        weight: torch.Tensor,
        mean: torch.Tensor,
        variance: torch.Tensor,
        how: _How,
    ) -> torch.Tensor:
        how.roles.recent.let_go()
        means = how.roles.means(h).contiguous()
        logs = how.roles.log_totals(h).contiguous()
        if how.fresh:
            statistics(means, logs, mean, variance)
        out = large_tensor((means.shape[0], weight.shape[0]), means)
        scaled = weight * (variance + how.eps).rsqrt()
        map_messages(means, logs, mean, scaled, out)
        ctx.save_for_backward(h, weight, mean, variance)
        ctx.how = how
        if any(ctx.needs_input_grad):
            ctx.means = how.roles.recent.keep(means)
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        h, weight, mean, variance = ctx.saved_tensors
        roles: RoleValues | GivenMessages = ctx.how.roles
        logs = roles.log_totals(h).contiguous()
        means = ctx.means.take()
        if means is None:
            means = roles.means(h).contiguous()
        inverse = (variance + ctx.how.eps).rsqrt()
        gradient = gradient.contiguous()
        by_weight = maps_backward(means, logs, mean, gradient).mul_(inverse)
        if not ctx.needs_input_grad[0]:
            return None, by_weight, None, None, None
        scaled = weight * inverse
        shift, turn = torch.zeros_like(mean), torch.zeros_like(mean)
        if ctx.how.learned:
            shift = -gradient.mean(dim=0) @ scaled
            turn = -inverse.square() * (weight * by_weight).sum(dim=0) / means.shape[0]
        given = means.data_ptr() == h.data_ptr()  # somebody else's, and not to be changed
        by_means = torch.empty_like(means) if given else means
        messages_backward(means, logs, mean, shift, turn, gradient, scaled, by_means)
        return roles.means_backward(h, by_means), by_weight, None, None, None
