"""A layer in which every role has a linear map of its own: the layer of the preset ``default``.

    d(u)    = h(u), its first columns divided by sqrt(1 + degree(u))
    m_r(v)  = mean of d(u) over the members u of role r of ego v, by how often they play it
    z(v)    = W h(v) + sum over roles r of  A_r S[m_r(v)] + B_r S[log(1 + total_r(v)) m_r(v)]
    h'(v)   = h(v) + ReLU(N[z(v)])

``total_r(v)`` is the number of members, with multiplicity. S standardises every column over the
nodes, without parameters; N is batch normalisation. Where the widths differ, ``h(v) +`` is left
out.

Eq. 2 is the special case ``A_r = beta_r W_l`` of one map per template. It ties a role's direction
to its template's, and lets counts, which reach millions, meet features of size one. Here each role
says by itself what its members mean. Means and logarithms keep hubs in range, and the two together
still tell how many members there are. S lets rare roles speak as loudly as common ones, before the
maps decide who is heard. In the damped columns a member that everybody has counts for less, as in
GCN; in the others all members are equals, and the maps choose. With the edge alone the layer holds
GraphSAGE's, and GIN's with the logarithm of the degree in place of the degree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from grape_gnn.nn.dropout import Dropout, draw_kept
from grape_gnn.nn.fusion import check_batch
from grape_gnn.nn.large_tensor import large_tensor
from grape_gnn.nn.role_maps import RoleMaps
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.template import Template

__all__ = ["NodeNorm", "RoleLayer"]


class NodeNorm(nn.BatchNorm1d):
    """Batch normalisation over the nodes; a single node has no spread and stays as it is."""

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Normalise (nodes, features)."""
        if self.training and h.shape[0] == 1:
            return h
        return super().forward(h)


class RoleLayer(nn.Module):
    """One layer with a map per role; see the equations of the module.

    Parameters
    ----------
    templates
        The templates.
    in_features, out_features
        Width before and after.
    dropout
        Share of what the layer adds that is dropped in training.
    num_roles
        Number of roles, where they come in several forms, see `WrittenRoles`; None: those of the
        templates.
    damped
        How many columns are damped by the degree of who sends them. Not for features as they are
        given, whose columns differ in meaning: for those behind a map.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,triangle"))
    >>> RoleLayer(roles.templates, 8, 8)(torch.ones(4, 8), roles).shape
    torch.Size([4, 8])
    """

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        out_features: int,
        dropout: float = 0.0,
        num_roles: int | None = None,
        damped: int = 0,
    ) -> None:
        super().__init__()
        self.damped = damped
        own = sum(len(template.roles) - 1 for template in templates)
        self.num_roles = own if num_roles is None else num_roles
        self.own = nn.Linear(in_features, out_features, bias=False)
        self.maps = RoleMaps(self.num_roles, in_features, out_features)
        self.norm = NodeNorm(out_features)
        self.dropout = Dropout(dropout)
        self.residual = in_features == out_features

    def reset_parameters(self) -> None:
        """Draw new maps and forget all statistics."""
        for part in (self.own, self.maps, self.norm):
            part.reset_parameters()

    def forward(
        self,
        h: torch.Tensor | SparseFeatures,
        roles: RoleValues,
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Map features (nodes, in_features) to (nodes, out_features).

        `batch` is checked and not needed: nothing here mixes the graphs of a batch once training is
        over.
        """
        if batch is not None:
            check_batch(batch, h.shape[0])
        dense = h.to_dense() if isinstance(h, SparseFeatures) else h
        egos = dense[: roles.num_egos]
        # A module that is called, not its weight: hooks on it must see it.
        joined = self.maps(self.sent(dense, roles), roles).add_(self.own(egos))
        share = self.dropout.p if self.training else 0.0
        new: torch.Tensor = _ReLUDropout.apply(self.norm(joined), share)
        return new.add_(egos) if self.residual else new

    def sent(self, h: torch.Tensor, roles: RoleValues) -> torch.Tensor:
        """Return d of the equations: features as others see them."""
        if not self.damped:
            return h
        return torch.cat([h[:, : self.damped] * roles.damping(h), h[:, self.damped :]], dim=1)


class _ReLUDropout(torch.autograd.Function):
    """ReLU and dropout at once: all they remember is a byte of a value."""

    @staticmethod
    def forward(ctx: Any, h: torch.Tensor, share: float) -> torch.Tensor:
        passed, ctx.kept = h > 0, 1.0
        if share > 0:
            drawn, ctx.kept = draw_kept(h.shape, share, h.device)
            passed &= drawn
        ctx.save_for_backward(passed)
        ctx.mark_dirty(h)
        return h.mul_(passed).div_(ctx.kept)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        (passed,) = ctx.saved_tensors
        by_h = large_tensor(passed.shape, gradient)
        return torch.mul(gradient, passed, out=by_h).div_(ctx.kept), None
