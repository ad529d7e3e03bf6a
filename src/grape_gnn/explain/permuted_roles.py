"""Role matrices with some roles dealt to the wrong egos, for permutation importance."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from grape_gnn.nn import RoleValues

__all__ = ["PermutedRoles"]


class PermutedRoles(RoleValues):
    """The roles of a graph, where chosen ones are those of another ego.

    Ego ``v`` gets the chosen roles' sums of ego ``order[v]``, and keeps its own features and all
    other roles. Every value stays in use, so averages over the nodes, and with them the weights
    of the templates, change only by what the shuffled nodes do to each other.

    Parameters
    ----------
    roles
        The true roles.
    chosen
        Numbers of the roles to permute.
    order
        A permutation of the nodes.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> roles = RoleValues(grape.match(grape.Graph.from_edges([0, 0], [1, 2]), "edge"))
    >>> order = torch.tensor([1, 0, 2])
    >>> ego, scale, x = torch.zeros(1), torch.ones(1, 3), torch.ones(3, 1)
    >>> roles.aggregate(ego, scale, x).ravel().tolist()
    [2.0, 1.0, 1.0]
    >>> PermutedRoles(roles, [0], order).aggregate(ego, scale, x).ravel().tolist()
    [1.0, 2.0, 1.0]
    """

    def __init__(self, roles: RoleValues, chosen: Sequence[int], order: torch.Tensor) -> None:
        vars(self).update(vars(roles))
        self.order = order
        self.chosen = torch.zeros(roles.num_roles, 1)
        self.chosen[list(chosen)] = 1.0

    def aggregate(
        self, ego: torch.Tensor, scale: torch.Tensor, features: torch.Tensor
    ) -> torch.Tensor:
        """Sum the features as `RoleValues.aggregate` does, the chosen roles permuted."""
        chosen = self.chosen.to(scale)
        kept = super().aggregate(ego, scale * (1 - chosen), features)
        dealt = super().aggregate(torch.zeros_like(ego), scale * chosen, features)
        return kept + dealt[self.order.to(dealt.device)]

    def means(self, h: torch.Tensor) -> torch.Tensor:
        """Return what `RoleValues.means` does, the chosen roles permuted."""
        return self._dealt(super().means(h), self.chosen)

    def log_totals(self, like: torch.Tensor) -> torch.Tensor:
        """Return what `RoleValues.log_totals` does, the chosen roles permuted."""
        return self._dealt(super().log_totals(like), self.chosen[:, 0])

    def _dealt(self, own: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        return torch.where(chosen.to(own).bool(), own[self.order.to(own.device)], own)
