"""GRAPE for whole graphs: layers over roles, pooled after each layer, and a head.

    h_0(v) = F [x(v), t_r(v), S[t_r](v) for all roles r],   t_r(v) = log(1 + total_r(v))
    h_k    = layer_k(h_{k-1}),  k = 1..K
    g(G)   = head(N[pool h_0, ..., pool h_K]),   head = Linear, ReLU, Linear

S standardises over all nodes, in double precision, and bends what comes out by asinh. Around the
nodes of two graphs of 28 nodes there are 4,623,396 to 4,623,792 rings of eight, as many in either:
in single precision the logarithms are all but one number, and sums of straight maps are the same.
N is batch normalisation over the graphs of a training batch; for prediction its statistics, like
those of the layers, are those kept from the training, so that what is predicted for a graph does
not depend on the graphs beside it. As in GIN, all layers are read out: the first ones see small
structures, the last ones larger ones. With a pair layer, the head is given besides what
`grape_gnn.nn.pair_layer` says of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn.dropout import Dropout
from grape_gnn.nn.model import grape_layer
from grape_gnn.nn.pair_layer import PairFeatures
from grape_gnn.nn.pooling import Pooling, parse_pooling
from grape_gnn.nn.presets import Preset, find_preset
from grape_gnn.nn.role_layer import NodeNorm
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.template import Template

__all__ = ["Deviations", "GraphGRAPE"]


class Deviations(nn.Module):
    """The logarithms of totals, standardised over the nodes in double precision, and bent.

    The statistics are means over all passes, without a momentum: logarithms of large totals may
    differ in their last digits only, and a running mean would not come near enough in a training.
    asinh keeps what is rare in bounds.

    Parameters
    ----------
    num_roles
        Number of roles.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> from grape_gnn.nn.written_roles import WrittenRoles
    >>> roles = WrittenRoles.of(grape.match(grape.GraphSet.of([nx.path_graph(4)]), "edge"))
    >>> Deviations(1)(roles)[:, 0].round(decimals=2).tolist()
    [-0.88, 0.88, 0.88, -0.88]
    """

    def __init__(self, num_roles: int) -> None:
        super().__init__()
        self.norm = NodeNorm(
            num_roles, eps=1e-10, momentum=None, affine=False, dtype=torch.float64
        )  # fmt: skip

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        """Move with the network to its device, and stay in double precision."""
        return super()._apply(lambda tensor: fn(tensor).to(tensor.dtype), recurse)

    def forward(self, roles: WrittenRoles) -> torch.Tensor:
        """Return (nodes, roles)."""
        totals = roles.log_sums(self.norm.get_buffer("running_mean"))
        found: torch.Tensor = self.norm(totals).asinh()
        return found


class GraphGRAPE(nn.Module):
    """Features, role matrices and the graph of every node in, one row of scores per graph out.

    Parameters
    ----------
    templates
        The templates.
    in_features, num_outputs
        Number of node features; of classes, labels, or 1.
    hidden, layers, dropout
        Width, depth and dropout.
    preset
        What the layers are; see `grape_gnn.nn.presets`.
    pooling
        ``"sum"``, ``"mean"``, ``"max"``, ``"attention"``, or several separated by commas.
    totals
        Give the logarithms of the totals of all roles as inputs besides the features, as they are
        and standardised.
    num_roles
        Number of roles, where they come in several forms, see `WrittenRoles`; None: those of the
        templates. For the preset ``default``.
    pair_layer
        Refine the role counts of all pairs of nodes besides, in graphs of up to 200 nodes.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> from grape_gnn.nn.written_roles import WrittenRoles
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3)])
    >>> roles = WrittenRoles.of(grape.match(graphs, "edge,3-path"))
    >>> model = GraphGRAPE(roles.templates, 1, 2).eval()
    >>> model(torch.ones(8, 1), roles, torch.from_numpy(graphs.graph_of_node), 2).shape
    torch.Size([2, 2])
    """

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        num_outputs: int,
        hidden: int = 32,
        layers: int = 2,
        dropout: float = 0.0,
        preset: str | Preset = "default",
        *,
        pooling: str = "sum",
        totals: bool = True,
        num_roles: int | None = None,
        input_dropout: float = 0.0,
        pair_layer: bool = False,
    ) -> None:
        super().__init__()
        self.templates = tuple(templates)
        self.preset = find_preset(preset)
        self.in_features = in_features
        self.totals = totals
        by_role = self.preset.maps == "role"
        plain = sum(len(template.roles) - 1 for template in self.templates)
        self.num_roles = plain if num_roles is None else num_roles
        if self.num_roles != plain and not by_role:
            raise ModelError(
                f"the preset {self.preset.name!r} takes roles by their counts or sets alone: use "
                f"'default' for both together, and for types and features of edges"
            )
        self.input_dropout = Dropout(input_dropout)
        self.deviations = Deviations(self.num_roles) if totals else None
        self.front = nn.Linear(in_features + (2 * self.num_roles if totals else 0), hidden)
        self.layers = nn.ModuleList(
            grape_layer(
                self.templates,
                hidden,
                hidden,
                self.preset,
                dropout if by_role else 0.0,
                self.num_roles,
            )
            for _ in range(layers)
        )
        names = parse_pooling(pooling)
        self.pools = nn.ModuleList(Pooling(names, hidden) for _ in range(layers + 1))
        width = (layers + 1) * len(names) * hidden
        self.norm = NodeNorm(width)
        self.pairs: PairFeatures | None = None
        if pair_layer:
            self.pairs = PairFeatures(self.num_roles, hidden, in_features=in_features)
            width += self.pairs.width
        self.head = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU(), Dropout(dropout), nn.Linear(hidden, num_outputs)
        )

    def forward(
        self, x: torch.Tensor, roles: WrittenRoles, batch: torch.Tensor, num_graphs: int
    ) -> torch.Tensor:
        """Return scores of shape (graphs, outputs).

        Parameters
        ----------
        x
            Node features, shape (nodes, in_features).
        roles
            The role matrices of the same templates on the union of the graphs.
        batch
            The graph of every node, int64.
        num_graphs
            Number of graphs.
        """
        pooled = self.pooled(x, roles, batch, num_graphs)
        scores: torch.Tensor = self.head(pooled)
        return scores

    def pooled(
        self, x: torch.Tensor, roles: WrittenRoles, batch: torch.Tensor, num_graphs: int
    ) -> torch.Tensor:
        """Return what the head is given: (graphs, features)."""
        if [t.canonical for t in roles.templates] != [t.canonical for t in self.templates]:
            raise ModelError("the roles are of other templates than the model's: match these")
        if x.shape != (roles.num_nodes, self.in_features) or roles.num_roles != self.num_roles:
            raise ModelError(
                f"the features have shape {tuple(x.shape)}, but there are {roles.num_nodes} nodes "
                f"and the model was built for {self.in_features} features"
            )
        x = self.input_dropout(x)
        h: Any = x
        if self.deviations is not None:
            h = torch.cat([h, roles.log_sums(h), self.deviations(roles).to(h)], dim=1)
        h = self.front(h)
        read = [self.pools[0](h, batch, num_graphs)]
        for layer, pool in zip(self.layers, self.pools[1:], strict=True):
            h = layer(h, roles, batch)
            read.append(pool(h, batch, num_graphs))
        normed: torch.Tensor = self.norm(torch.cat(read, dim=1))
        if self.pairs is None:
            return normed
        return torch.cat([normed, self.pairs.pooled(x, roles, batch, num_graphs)], dim=1)
