"""GRAPE on role products that were computed before: the network of the preset ``decoupled``.

With m_r, m2_r and log_r as in `grape_gnn.products.means`, U a linear map that all products share
where it narrows them (and else nothing), S and N as in `grape_gnn.nn.role_layer`:

    z_l(v)   = sum over the roles r of template l and both hops of
               A_r S[U m_r(v)] + B_r S[log_r(v) U m_r(v)]
    h_l(v)   = ReLU(N[z_l(v)]),    h_0(v) = ReLU(N[W x(v) + C S[log(v)]])
    alpha(v) = ReLU(W2 ReLU(W1 gamma(v))),  gamma_l(v) = mean over the columns of h_l(v)
    h(v)     = sum over l of alpha_l(v) h_l(v),  then h := h + ReLU(N[W h]) once per further layer

Where there is a U, what it is given is dropped out as x is: of many columns most are noise, and few
are all needed. Roles have maps of their own (AE-aware weights) and templates are fused by
squeeze-and-excitation (eq. 3 and 4), the ego's own features as one more template. The paper
squeezes over all nodes; here every node squeezes for itself, so that its scores do not depend on
the batch it is in. Between the hops nothing is learnt: that is what lets the graph be left behind
before training begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn.dropout import Dropout
from grape_gnn.nn.fusion import Fusion
from grape_gnn.nn.role_layer import NodeNorm
from grape_gnn.nn.role_maps import GivenMessages, RoleMaps
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.template import Template

__all__ = ["DecoupledGRAPE"]

NARROWING = 2  # products are mapped together first if they are so many times as wide as `hidden`


class DecoupledGRAPE(nn.Module):
    """The network of the preset ``decoupled``; see the equations of the module.

    Parameters
    ----------
    templates
        The templates.
    in_features
        Number of node features.
    num_classes
        Number of classes.
    columns
        Columns of the products: features, and label inputs or fewer columns in place of very many.
    hidden, layers, dropout, input_dropout
        As in `grape_gnn.nn.GRAPE`.
    hops
        Of the products.
    directions
        Of very many features, the main directions that products are of: (in_features, columns).
        They are kept with the weights.

    Examples
    --------
    >>> from grape_gnn.template.zoo import templates
    >>> model = DecoupledGRAPE(templates("edge,3-path"), 4, 2, columns=4)
    >>> model(torch.ones(5, 4), torch.ones(5, 6), torch.ones(5, 3, 4), torch.ones(5, 3, 4)).shape
    torch.Size([5, 2])
    """

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        num_classes: int,
        columns: int,
        hidden: int = 32,
        layers: int = 2,
        dropout: float = 0.0,
        input_dropout: float | None = None,
        hops: int = 2,
        directions: torch.Tensor | None = None,
    ) -> None:
        super().__init__()
        self.register_buffer("directions", directions)
        self.templates = tuple(templates)
        self.in_features, self.columns, self.hops = in_features, columns, hops
        if not self.templates:
            raise ModelError("GRAPE needs at least one template: give names or 'social'")
        self.sizes = [len(template.roles) - 1 for template in self.templates]
        narrow = columns > NARROWING * hidden
        width = hidden if narrow else columns
        self.front = nn.Linear(columns, hidden, bias=False) if narrow else None
        self.own = nn.Linear(in_features, hidden, bias=False)
        self.input_dropout = Dropout(dropout if input_dropout is None else input_dropout)
        self.count_norm = NodeNorm(hops * sum(self.sizes), affine=False)
        self.counts = nn.Linear(hops * sum(self.sizes), hidden, bias=False)
        self.maps = nn.ModuleList(
            nn.ModuleList(RoleMaps(size, width, hidden) for _ in range(hops)) for size in self.sizes
        )
        self.norms = nn.ModuleList(NodeNorm(hidden) for _ in range(len(self.sizes) + 1))
        self.fusion = Fusion(len(self.sizes) + 1)
        self.dropout = Dropout(dropout)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(hidden, hidden, bias=False), NodeNorm(hidden), nn.ReLU())
            for _ in range(layers - 1)
        )
        self.head = nn.Sequential(nn.Linear(hidden, num_classes))

    def forward(
        self, x: torch.Tensor | SparseFeatures, logs: torch.Tensor, *hops: torch.Tensor
    ) -> torch.Tensor:
        """Return one score per node and class.

        Parameters
        ----------
        x
            Features of some nodes, shape (nodes, in_features).
        logs
            Their log totals, shape (nodes, hops * roles).
        *hops
            Their products of every hop, shape (nodes, roles, columns).
        """
        parts = self.embeddings(x, logs, *hops)
        everyone = torch.arange(len(parts), device=logs.device)
        h = self.dropout(self.fusion(parts, everyone))
        for layer in self.layers:
            h = h + self.dropout(layer(h))
        scores: torch.Tensor = self.head(h)
        return scores

    def embeddings(
        self, x: torch.Tensor | SparseFeatures, logs: torch.Tensor, *hops: torch.Tensor
    ) -> torch.Tensor:
        """Return h_0 and the h_l of all templates: (nodes, 1 + templates, hidden)."""
        if isinstance(x, SparseFeatures):
            own = x.dropout(self.input_dropout.p, self.training) @ self.own.weight.T
        else:
            own = self.own(self.input_dropout(x))
        own = own + self.counts(self.count_norm(logs))
        parts = [torch.relu(self.norms[0](own))]
        messages = self.narrowed(hops)
        for mine, maps, norm in zip(self.slices, self.maps, self.norms[1:], strict=True):
            joined = [
                part(message[:, mine], GivenMessages(logs[:, mine]))
                for part, message in zip(maps, messages, strict=True)  # type: ignore[call-overload]
            ]
            parts.append(torch.relu(norm(torch.stack(joined).sum(dim=0))))
        return torch.stack(parts, dim=1)

    def narrowed(self, hops: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Return the products as the maps of the roles take them."""
        if self.front is None:
            return list(hops)
        return [self.front(self.input_dropout(hop)) for hop in hops]

    @property
    def slices(self) -> list[slice]:
        """Where the roles of every template stand among all."""
        ends = [0, *accumulate(self.sizes)]
        return [slice(begin, end) for begin, end in pairwise(ends)]
