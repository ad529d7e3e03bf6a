"""A network on pairs of nodes, beyond message passing: 2-FWL (3-WL) layers on role profiles.

    p_0(v, u) = F [1 if v = u, log(1 + C_r[v, u]) for all roles r, x(v), x(u)]
    b(v, u)   = 1/n sum over w of (A S[p_{k-1}(v, w)]) * (B S[p_{k-1}(w, u)])
    p_k(v, u) = p_{k-1}(v, u) + silu(N[W p_{k-1}(v, u) + S[b(v, u)]])
    g(G)      = head(N[mean of p_k(v, v) over v, mean of p_k(v, u) over v, u, for all k; log n])

The vector of all role counts is the colour of a pair; the products over the nodes between refine
it as the two-dimensional folklore Weisfeiler-Leman test does. Logarithms keep counts in range for
single precision. S standardises every feature over the pairs: without it, what few nodes say is
lost beside what all say. silu is bent everywhere, where ReLU is often straight between the few
values that counts take, and straight maps add nothing to the products. N is batch normalisation.
For prediction S and N use what was kept from the training, so a graph's output does not depend on
its companions. A layer takes n^3 steps per feature: it is for graphs of up to about 200 nodes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.graphs import GraphSet
from grape_gnn.nn.role_layer import NodeNorm
from grape_gnn.roles import RoleMatches

__all__ = ["LARGEST", "PairLayer", "PairNetwork", "pair_profiles"]

LARGEST = 200


def pair_profiles(
    matches: RoleMatches, graphs: GraphSet, dtype: torch.dtype = torch.float32
) -> list[torch.Tensor]:
    """Return for every graph the logs of all role counts of its pairs: (n, n, 1 + roles).

    Parameters
    ----------
    matches
        What `grape_gnn.match` found on the set.
    graphs
        The set, of graphs of up to 200 nodes.
    dtype
        Of the result.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3)])
    >>> [tuple(p.shape) for p in pair_profiles(grape.match(graphs, "edge,3-path"), graphs)]
    [(5, 5, 4), (3, 3, 4)]
    """
    largest = int(graphs.sizes.max(initial=0))
    if largest > LARGEST:
        raise ModelError(
            f"a graph of {largest:,} nodes has too many pairs: pair layers are for graphs of up to "
            f"{LARGEST} nodes"
        )
    if matches.graph.num_nodes != graphs.num_nodes:
        raise ModelError("the roles were matched on another set of graphs: match this one")
    written = [role.to_scipy().tocsr() for roles in matches for role in roles[1:]]
    found = []
    for start, end in zip(graphs.ptr[:-1].tolist(), graphs.ptr[1:].tolist(), strict=True):
        parts = [np.eye(end - start)]
        parts += [np.log1p(m[start:end, start:end].toarray().astype(float)) for m in written]
        found.append(torch.from_numpy(np.stack(parts, axis=2)).to(dtype))
    return found


class PairLayer(nn.Module):
    """One 2-FWL layer on the pairs of graphs; see the equations of the module.

    Parameters
    ----------
    features
        Width.

    Examples
    --------
    >>> [refined] = PairLayer(8)([torch.ones(5, 5, 8)])
    >>> refined.shape
    torch.Size([5, 5, 8])
    """

    def __init__(self, features: int) -> None:
        super().__init__()
        self.own = nn.Linear(features, features)
        self.first = nn.Linear(features, features, bias=False)
        self.second = nn.Linear(features, features, bias=False)
        self.before = NodeNorm(features, affine=False)
        self.after = NodeNorm(features, affine=False)
        self.norm = NodeNorm(features)

    def forward(self, graphs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Refine the pairs of every graph, (n, n, features)."""
        flat = torch.cat([pairs.flatten(0, 1) for pairs in graphs])
        standard = _parted(self.before(flat), graphs)
        between = torch.cat([self._between(pairs).flatten(0, 1) for pairs in standard])
        refined = flat + nn.functional.silu(self.norm(self.own(flat) + self.after(between)))
        return _parted(refined, graphs)

    def _between(self, pairs: torch.Tensor) -> torch.Tensor:
        first, second = (f(pairs).permute(2, 0, 1) for f in (self.first, self.second))
        return torch.matmul(first, second).permute(1, 2, 0) / max(pairs.shape[0], 1)


class PairNetwork(nn.Module):
    """Profiles of pairs in, one row of scores per graph out.

    Parameters
    ----------
    num_roles
        Number of roles, the egos' not counted.
    num_outputs
        Of classes, labels, or 1.
    hidden, layers
        Width and depth.
    in_features
        Number of node features; 0: none.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3)])
    >>> profiles = pair_profiles(grape.match(graphs, "edge,3-path"), graphs)
    >>> PairNetwork(num_roles=3, num_outputs=2)(profiles).shape
    torch.Size([2, 2])
    """

    def __init__(
        self,
        num_roles: int,
        num_outputs: int,
        hidden: int = 32,
        layers: int = 2,
        in_features: int = 0,
    ) -> None:
        super().__init__()
        self.num_roles, self.in_features = num_roles, in_features
        self.front = nn.Linear(1 + num_roles + 2 * in_features, hidden)
        self.layers = nn.ModuleList(PairLayer(hidden) for _ in range(layers))
        width = 2 * hidden * (layers + 1) + 1
        self.norm = NodeNorm(width)
        self.head = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, num_outputs)
        )

    def forward(
        self, profiles: Sequence[torch.Tensor], x: Sequence[torch.Tensor] | None = None
    ) -> torch.Tensor:
        """Return scores of shape (graphs, outputs).

        Parameters
        ----------
        profiles
            What `pair_profiles` returned.
        x
            For every graph the features of its nodes: (n, in_features).
        """
        scores: torch.Tensor = self.head(self.pooled(profiles, x))
        return scores

    def pooled(
        self, profiles: Sequence[torch.Tensor], x: Sequence[torch.Tensor] | None = None
    ) -> torch.Tensor:
        """Return what the head is given: (graphs, features)."""
        features: Sequence[torch.Tensor | None] = [None] * len(profiles) if x is None else x
        if not profiles:
            return self.front.weight.new_zeros(0, self.norm.num_features)
        pairs = [self._start(p, f) for p, f in zip(profiles, features, strict=True)]
        sizes = [[math.log1p(profile.shape[0])] for profile in profiles]
        read = [_means(pairs)]
        for layer in self.layers:
            pairs = layer(pairs)
            read.append(_means(pairs))
        normed: torch.Tensor = self.norm(torch.cat([*read, read[0].new_tensor(sizes)], dim=1))
        return normed

    def _start(self, profile: torch.Tensor, x: torch.Tensor | None) -> torch.Tensor:
        n, width = profile.shape[0], 0 if x is None else x.shape[1]
        if profile.shape[2] != 1 + self.num_roles or width != self.in_features:
            raise ModelError(
                f"a graph has {profile.shape[2] - 1} roles and {width} features, but the network "
                f"was built for {self.num_roles} roles and {self.in_features} features"
            )
        if x is not None:
            ends = [x[:, None].expand(n, n, width), x[None].expand(n, n, width)]
            profile = torch.cat([profile, *ends], dim=2)
        started: torch.Tensor = self.front(profile)
        return started


def _parted(flat: torch.Tensor, like: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    parts = flat.split([pairs.shape[0] ** 2 for pairs in like])
    return [part.view(pairs.shape) for part, pairs in zip(parts, like, strict=True)]


def _means(graphs: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the means over the nodes and over the pairs of every graph; zeros without nodes."""
    rows = []
    for pairs in graphs:
        n = max(pairs.shape[0], 1)
        rows.append(torch.cat([pairs.diagonal().sum(dim=1) / n, pairs.sum(dim=(0, 1)) / n**2]))
    return torch.stack(rows)
