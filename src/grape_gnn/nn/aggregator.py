"""The AE-aware aggregator, eq. 2 of the paper, for all templates of a layer at once.

    h_l(v) = MLP_l( sum over roles j of beta_lj * sum over members u of C_lj[v, u] h(u) )

Role matrices may be given in several forms, each with its own beta: ``"sum"``, as they are, the
paper's sum over the Ego-AE set; and ``"mean"``, divided by their row sums: the average member.

Counts reach millions where means stay below one, so betas that start equal would let one role
drown the others. A calibrated aggregator multiplies each role and form by one constant, the
inverse of its spread over the nodes, taken from the first training pass and kept ever after. One
constant per role changes nothing about the sum's injectivity (Theorem 1).

A damped aggregator takes members ``u`` as ``degree(u)^-p h(u)``, with one learned power ``p`` for
all roles: with ``p = 1/2`` the mean is close to GCN's normalisation, ``p = 0`` is eq. 2 as it is.

The sum over roles and the MLP's first linear map are both linear, so the narrower goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from grape_gnn.nn.grouped import GroupedBatchNorm, GroupedLayerNorm, GroupedLinear
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.template import Template

__all__ = ["FORMS", "Aggregator"]

FORMS = ("sum", "mean")
CALIBRATED_AT_ONCE = 256  # features
POWER_AT_START = 0.5  # of the members' degrees, as in GCN


class Aggregator(nn.Module):
    """Eq. 2: weigh the roles of each template, sum their members, apply an MLP per template.

    Parameters
    ----------
    templates
        The templates; their roles get one beta each.
    in_features, out_features
        Width before and after.
    forms
        Forms of the role matrices, of `FORMS`.
    simplex
        Softmax over the betas of a template (the released code) instead of free betas.
    calibrated
        Equalise the roles' spreads by constants from the first training pass.
    damped
        Weigh members by a learned power of their degrees.
    norm
        ``"batch"``: batch normalisation after each linear map; ``"layer"``: layer
        normalisation after the last; ``"none"``.
    maps
        Number of linear maps of the MLP, 1 or 2.
    dropout
        Share of the values between the MLP's maps dropped in training.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,triangle"))
    >>> Aggregator(roles.templates, 3, 8)(torch.ones(4, 3), roles).shape
    torch.Size([4, 2, 8])
    """

    group: torch.Tensor
    gain_ego: torch.Tensor
    gain: torch.Tensor
    waiting: torch.Tensor

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        out_features: int,
        *,
        forms: Sequence[str] = ("sum",),
        simplex: bool = False,
        calibrated: bool = False,
        damped: bool = False,
        norm: str = "none",
        maps: int = 2,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.forms = tuple(forms)
        self.simplex = simplex
        count = len(templates)
        group = [g for g, template in enumerate(templates) for _ in template.roles[1:]]
        self.register_buffer("group", torch.tensor(group), persistent=False)
        self.beta_ego = nn.Parameter(torch.empty(count))
        self.beta = nn.Parameter(torch.empty(len(self.forms), len(group)))
        # The constants travel with the weights; all ones until the first training pass.
        self.register_buffer("gain_ego", torch.ones(count))
        self.register_buffer("gain", torch.ones(len(self.forms), len(group)))
        self.register_buffer("waiting", torch.tensor(calibrated))
        self.calibrated = calibrated
        self.power = nn.Parameter(torch.empty(())) if damped else None
        self.first = GroupedLinear(count, in_features, out_features, bias=False)
        batch = norm == "batch"
        # Batch normalisation takes any bias away again and has its own.
        self.bias = None if batch else nn.Parameter(torch.empty(count, out_features))
        self.second: nn.Module | None = None
        self.inner_norm: nn.Module = nn.Identity()
        if maps == 2:
            self.second = GroupedLinear(count, out_features, out_features, bias=not batch)
            self.inner_norm = GroupedBatchNorm(count, out_features) if batch else nn.Identity()
        self.outer_norm: nn.Module = nn.Identity()
        if norm != "none":
            kind = GroupedBatchNorm if batch else GroupedLayerNorm
            self.outer_norm = kind(count, out_features)
        self.dropout = nn.Dropout(dropout)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Start again: equal betas, random maps, fresh norms."""
        if self.power is not None:
            nn.init.constant_(self.power, POWER_AT_START)
        for beta in (self.beta_ego, self.beta):
            nn.init.constant_(beta, 0.0 if self.simplex else 1.0)
        if self.bias is not None:
            nn.init.zeros_(self.bias)
        nn.init.ones_(self.gain_ego)
        nn.init.ones_(self.gain)
        self.waiting.fill_(self.calibrated)
        for part in (self.first, self.second, self.inner_norm, self.outer_norm):
            if isinstance(part, GroupedLinear | GroupedBatchNorm | GroupedLayerNorm):
                part.reset_parameters()

    @property
    def linear_first(self) -> bool:
        """Whether the first linear map is applied before the aggregation, since it narrows."""
        _, wide, narrow = self.first.weight.shape
        return narrow < wide

    def betas(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the weights of eq. 2: of the egos (templates,), of the roles (forms, roles)."""
        if not self.simplex:
            return self.beta_ego * self.gain_ego, self.beta * self.gain
        # A softmax over each template: divide by the sum over its ego and its roles.
        ego, roles = self.beta_ego.exp(), self.beta.exp()
        total = ego.index_add(0, self.group, roles.sum(dim=0))
        return ego / total, roles / total[self.group]

    @torch.no_grad()
    def calibrate(self, h: torch.Tensor | SparseFeatures, roles: RoleValues) -> None:
        """Set the constants so that every role and form spreads alike over the nodes."""
        h = h.to_dense() if isinstance(h, SparseFeatures) else h
        n, wide = h.shape
        weights = torch.stack([roles.form(name, h) for name in self.forms]).double()
        # Of the sums over each role: squares per node, and means per form and feature. Features
        # are taken in portions, because all of them in double precision would take much memory.
        squares = torch.zeros(roles.num_roles, n, dtype=torch.float64, device=h.device)
        means = torch.zeros(*self.gain.shape, dtype=torch.float64, device=h.device)
        for columns in torch.split(h, CALIBRATED_AT_ONCE, dim=1):
            members = self.members(columns, roles)
            for role, operator in enumerate(roles.operators):
                sums = (operator @ members.contiguous()).double()
                squares[role] += sums.square().sum(dim=1)
                means[:, role] += (weights[:, role] @ sums / n).square().sum(dim=1)
        second = (weights.square() * squares).sum(dim=2) / (n * wide)
        self.gain.copy_(_inverse_spread(second, means / wide))
        own = h.double()
        second, means = own.square().mean(), own.mean(dim=0).square().mean()
        self.gain_ego.fill_(_inverse_spread(second, means).item())
        self.waiting.fill_(False)

    def forward(self, h: torch.Tensor | SparseFeatures, roles: RoleValues) -> torch.Tensor:
        """Aggregate.

        Parameters
        ----------
        h
            Features, shape (nodes, in_features); sparse ones only where the MLP narrows.
        roles
            The role matrices of the graph, for the same templates.

        Returns
        -------
        torch.Tensor
            One embedding per node and template, shape (nodes, templates, out_features).
        """
        if self.training and self.waiting:
            self.calibrate(h, roles)
        if self.linear_first:
            hidden = self._aggregate(self.first(h), roles)
        else:
            dense = h.to_dense() if isinstance(h, SparseFeatures) else h
            hidden = self.first(self._aggregate(dense, roles))
        if self.bias is not None:
            hidden = hidden + self.bias
        if self.second is not None:
            hidden = self.second(self.dropout(torch.relu(self.inner_norm(hidden))))
        return torch.relu(self.outer_norm(hidden))

    def _aggregate(self, h: torch.Tensor, roles: RoleValues) -> torch.Tensor:
        """Sum over the roles: (nodes, columns), with templates between or not, to all three."""
        ego, beta = self.betas()
        scale = roles.scale(self.forms, beta)
        if self.power is None:
            return roles.aggregate(ego, scale, h)
        # Only members are damped; the ego is added as it is.
        summed = roles.aggregate(torch.zeros_like(ego), scale, self.members(h, roles))
        own = h if h.ndim == 3 else h[:, None, :]
        return torch.addcmul(summed, ego[:, None], own)

    def members(self, h: torch.Tensor, roles: RoleValues) -> torch.Tensor:
        """Return what members bring: their features, damped by their degrees."""
        if self.power is None:
            return h
        weights = torch.exp(-self.power * roles.log_degrees(h))
        return h * weights.view(-1, *[1] * (h.ndim - 1))


def _inverse_spread(second: torch.Tensor, means: torch.Tensor) -> torch.Tensor:
    """One over the standard deviation over the nodes; over the size if nothing varies.

    Parameters
    ----------
    second
        Mean of the squared values.
    means
        Mean over the features of the squared means over the nodes.
    """
    variance = second - means
    varies = variance > 1e-12 * second
    size = torch.where(second > 0, second, torch.ones_like(second))
    return torch.where(varies, variance, size).rsqrt()
