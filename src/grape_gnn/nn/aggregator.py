"""The AE-aware aggregator, eq. 2 of the paper, for all templates of a layer at once.

    h_l(v) = MLP_l( sum over roles j of beta_lj * sum over members u of C_lj[v, u] h(u) )

The sum over roles and the MLP's first linear map are both linear, so the narrower goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from grape_gnn.nn.dropout import Dropout
from grape_gnn.nn.grouped import GroupedLayerNorm, GroupedLinear
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.template import Template

__all__ = ["Aggregator"]


class Aggregator(nn.Module):
    """Eq. 2: weigh the roles of each template, sum their members, apply an MLP per template.

    Parameters
    ----------
    templates
        The templates; their roles get one beta each.
    in_features, out_features
        Width before and after.
    simplex
        Softmax over the betas of a template (the released code) instead of free betas.
    layer_norm
        Layer normalisation behind the MLP's last linear map (the released code).
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

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        out_features: int,
        *,
        simplex: bool = False,
        layer_norm: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.simplex = simplex
        count = len(templates)
        group = [g for g, template in enumerate(templates) for _ in template.roles[1:]]
        self.register_buffer("group", torch.tensor(group), persistent=False)
        self.beta_ego = nn.Parameter(torch.empty(count))
        self.beta = nn.Parameter(torch.empty(len(group)))
        self.first = GroupedLinear(count, in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.empty(count, out_features))
        self.second = GroupedLinear(count, out_features, out_features)
        self.norm = GroupedLayerNorm(count, out_features) if layer_norm else None
        self.dropout = Dropout(dropout)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Start again: equal betas, random maps, fresh norms."""
        for beta in (self.beta_ego, self.beta):
            nn.init.constant_(beta, 0.0 if self.simplex else 1.0)
        nn.init.zeros_(self.bias)
        self.first.reset_parameters()
        self.second.reset_parameters()
        if self.norm is not None:
            self.norm.reset_parameters()

    @property
    def linear_first(self) -> bool:
        """Whether the first linear map is applied before the aggregation, since it narrows."""
        _, wide, narrow = self.first.weight.shape
        return narrow < wide

    def betas(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the weights of eq. 2: of the egos (templates,), of the roles (roles,)."""
        if not self.simplex:
            return self.beta_ego, self.beta
        # A softmax over each template: divide by the sum over its ego and its roles.
        ego, roles = self.beta_ego.exp(), self.beta.exp()
        total = ego.index_add(0, self.group, roles)
        return ego / total, roles / total[self.group]

    def forward(self, h: torch.Tensor | SparseFeatures, roles: RoleValues) -> torch.Tensor:
        """Aggregate.

        Parameters
        ----------
        h
            Features, shape (nodes, in_features).
        roles
            The role matrices of the graph, for the same templates.

        Returns
        -------
        torch.Tensor
            One embedding per node and template, shape (nodes, templates, out_features).
        """
        if self.linear_first:
            hidden = self.aggregate(self.first(h), roles)
        else:
            dense = h.to_dense() if isinstance(h, SparseFeatures) else h
            hidden = self.first(self.aggregate(dense, roles))
        inner = self.dropout(torch.relu(hidden + self.bias))
        out: torch.Tensor = self.second(inner)
        return torch.relu(out if self.norm is None else self.norm(out))

    def aggregate(self, h: torch.Tensor, roles: RoleValues) -> torch.Tensor:
        """Sum over the roles: (nodes, columns), with templates between or not, to all three."""
        ego, beta = self.betas()
        return roles.aggregate(ego, beta[:, None].expand(-1, roles.num_egos), h)
