"""A network on pairs of nodes, beyond message passing: 2-FWL (3-WL) layers on role profiles.

    p_0(v, u) = F [1 if v = u, log(1 + C_r[v, u]) for all roles r, x(v), x(u)]
    b(v, u)   = 1/n sum over w of (A S[p_{k-1}(v, w)]) * (B S[p_{k-1}(w, u)])
    p_k(v, u) = p_{k-1}(v, u) + silu(N[W p_{k-1}(v, u) + S[b(v, u)]])
    g(G)      = N[mean of p_k(v, v) over v, mean of p_k(v, u) over v, u, for all k; log n]

The vector of all role counts is the colour of a pair; the products over the nodes between refine
it as the two-dimensional folklore Weisfeiler-Leman test does. Logarithms keep counts in range for
single precision. S standardises every feature over the pairs: without it, what few nodes say is
lost beside what all say. silu is bent everywhere, where ReLU is often straight between the few
values that counts take, and straight maps add nothing to the products. N is batch normalisation.
For prediction S and N use what was kept from the training, so a graph's output does not depend on
its companions. A layer takes n^3 steps per feature: it is for graphs of up to about 200 nodes, and
g(G) is zero for larger ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.graphs.cut import ranges
from grape_gnn.nn.edge_forms import signed_log
from grape_gnn.nn.role_layer import NodeNorm
from grape_gnn.nn.written_roles import WrittenRoles

__all__ = ["LARGEST", "PairFeatures", "PairLayer", "PairNetwork", "PairProfiles"]

LARGEST = 200


class PairProfiles(NamedTuple):
    """What is known of the pairs of all graphs of up to 200 nodes, one graph after the other.

    Parameters
    ----------
    graphs, sizes
        The numbers of these graphs, and how many nodes each has.
    nodes
        The numbers of their nodes in the union.
    values
        Whether a pair is a node, and the logs of all its role counts: (1 + roles, pairs). A
        feature's values lie next to each other, so that those of a graph are a matrix.
    """

    graphs: torch.Tensor
    sizes: list[int]
    nodes: torch.Tensor
    values: torch.Tensor

    @classmethod
    def of(cls, roles: WrittenRoles, sizes: NDArray[np.int64], like: torch.Tensor) -> PairProfiles:
        """Write out the pairs of graphs.

        Parameters
        ----------
        roles
            The roles of a union of graphs.
        sizes
            Number of nodes of every graph.
        like
            A tensor of the wanted type and device.

        Examples
        --------
        >>> import networkx as nx
        >>> import grape_gnn as grape
        >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3)])
        >>> roles = WrittenRoles.of(grape.match(graphs, "edge,3-path"))
        >>> pairs = PairProfiles.of(roles, graphs.sizes, torch.ones(()))
        >>> pairs.sizes, pairs.values.shape
        ([5, 3], torch.Size([4, 34]))
        """
        starts = np.cumsum(sizes) - sizes
        graphs = np.flatnonzero((sizes > 0) & (sizes <= LARGEST))
        squares = sizes[graphs] ** 2
        begin = np.full(sizes.size, -1)  # of every graph, among the pairs of all
        begin[graphs] = np.cumsum(squares) - squares
        owner = np.repeat(np.arange(sizes.size), sizes)
        # The first pair of every node as ego, less the number of its graph's first node.
        row = begin[owner] + (np.arange(owner.size) - starts[owner]) * sizes[owner] - starts[owner]
        small = begin[owner] >= 0
        kind = np.float32 if like.dtype == torch.float32 else np.float64
        values = np.zeros((1 + roles.num_roles, int(squares.sum())), kind)
        values[0, (row + np.arange(owner.size))[small]] = 1
        for structure in roles.stored:
            egos = structure.rows
            inside = small[egos]
            places = (row[egos] + structure.idx)[inside]
            for role, counts in zip(structure.role.tolist(), structure.values, strict=True):
                values[1 + role, places] = signed_log(counts[inside])
        nodes = ranges(starts[graphs], sizes[graphs])
        which, where = (torch.from_numpy(each).to(like.device) for each in (graphs, nodes))
        return cls(which, sizes[graphs].tolist(), where, torch.from_numpy(values).to(like))


class PairNorm(nn.BatchNorm1d):
    """Batch normalisation over the pairs; a single pair has no spread and stays as it is."""

    def forward(self, pairs: torch.Tensor) -> torch.Tensor:
        """Normalise (1, features, pairs)."""
        if self.training and pairs.shape[2] == 1:
            return pairs
        return super().forward(pairs)


class PairLayer(nn.Module):
    """One 2-FWL layer on the pairs of graphs; see the equations of the module.

    Parameters
    ----------
    features
        Width.

    Examples
    --------
    >>> PairLayer(8)(torch.ones(8, 34), sizes=[5, 3]).shape
    torch.Size([8, 34])
    """

    def __init__(self, features: int) -> None:
        super().__init__()
        self.own = nn.Linear(features, features)
        self.first = nn.Linear(features, features, bias=False)
        self.second = nn.Linear(features, features, bias=False)
        self.before = PairNorm(features, affine=False)
        self.after = PairNorm(features, affine=False)
        self.norm = PairNorm(features)

    def forward(self, pairs: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        """Refine the pairs (features, pairs) of graphs of these numbers of nodes."""
        standard = self.before(pairs[None])[0]
        maps = torch.cat([self.first.weight, self.second.weight])
        own = torch.addmm(self.own.bias[:, None], self.own.weight, pairs)
        between = self.after(_Between.apply(maps @ standard, sizes)[None])[0]
        return pairs + nn.functional.silu(self.norm((own + between)[None])[0])


class PairFeatures(nn.Module):
    """Features, role matrices and the graph of every node in, what their pairs say of graphs out.

    Parameters
    ----------
    num_roles
        Number of roles, the egos' not counted.
    hidden, layers
        Width and depth.
    in_features
        Number of node features; 0: none.

    Attributes
    ----------
    width
        Number of columns that come out.
    """

    def __init__(
        self, num_roles: int, hidden: int = 32, layers: int = 2, in_features: int = 0
    ) -> None:
        super().__init__()
        self.num_roles, self.in_features = num_roles, in_features
        self.front = nn.Linear(1 + num_roles, hidden)
        self.ends = nn.Linear(in_features, 2 * hidden, bias=False) if in_features else None
        self.layers = nn.ModuleList(PairLayer(hidden) for _ in range(layers))
        self.width = 2 * hidden * (layers + 1) + 1
        self.norm = NodeNorm(self.width)

    def pooled(
        self, x: torch.Tensor | None, roles: WrittenRoles, batch: torch.Tensor, num_graphs: int
    ) -> torch.Tensor:
        """Return (graphs, width); the parameters are those of `GraphGRAPE`."""
        if roles.num_roles != self.num_roles:
            raise ModelError(
                f"the graphs have {roles.num_roles} roles, but the network was built for "
                f"{self.num_roles}"
            )
        weight = self.front.weight
        sizes = torch.bincount(batch, minlength=num_graphs)
        known = PairProfiles.of(roles, sizes.cpu().numpy(), weight)
        sums = weight.new_zeros(num_graphs, self.width)
        if known.sizes:
            pairs = self._start(known, x)
            read = [*_means(pairs, known.sizes)]
            for layer in self.layers:
                pairs = layer(pairs, known.sizes)
                read += _means(pairs, known.sizes)
            logs = sizes[known.graphs].to(weight.dtype).log1p()[:, None]
            sums = sums.index_copy(0, known.graphs, torch.cat([*read, logs], dim=1))
        normed: torch.Tensor = self.norm(sums) if num_graphs else sums
        return normed

    def _start(self, known: PairProfiles, x: torch.Tensor | None) -> torch.Tensor:
        started = torch.addmm(self.front.bias[:, None], self.front.weight, known.values)
        if self.ends is None or x is None:
            return started
        first, second = (self.ends.weight @ x[known.nodes].T).split(len(started))
        ends = [
            (one[:, :, None] + two[:, None]).flatten(1)
            for one, two in zip(
                first.split(known.sizes, 1), second.split(known.sizes, 1), strict=True
            )
        ]
        return started + torch.cat(ends, dim=1)


class PairNetwork(PairFeatures):
    """What pairs say of graphs, and a head: one row of scores per graph out.

    Parameters
    ----------
    num_roles, hidden, layers, in_features
        As for `PairFeatures`.
    num_outputs
        Of classes, labels, or 1.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3)])
    >>> roles = WrittenRoles.of(grape.match(graphs, "edge,3-path"))
    >>> network = PairNetwork(num_roles=3, num_outputs=2)
    >>> network(None, roles, torch.from_numpy(graphs.graph_of_node), 2).shape
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
        super().__init__(num_roles, hidden, layers, in_features)
        self.head = nn.Sequential(
            nn.Linear(self.width, hidden), nn.ReLU(), nn.Linear(hidden, num_outputs)
        )

    def forward(
        self, x: torch.Tensor | None, roles: WrittenRoles, batch: torch.Tensor, num_graphs: int
    ) -> torch.Tensor:
        """Return scores of shape (graphs, outputs); the parameters are those of `GraphGRAPE`."""
        scores: torch.Tensor = self.head(self.pooled(x, roles, batch, num_graphs))
        return scores


def _matrices(pairs: torch.Tensor, sizes: list[int]) -> list[torch.Tensor]:
    """Return the pairs of every graph, (features, n, n)."""
    parts = pairs.split([n * n for n in sizes], dim=1)
    return [part.unflatten(1, (n, n)) for part, n in zip(parts, sizes, strict=True)]


class _Between(torch.autograd.Function):
    """The means over the nodes between: a product of matrices per graph and feature.

    It takes both factors as (2 features, pairs) and writes every graph's products, and later their
    derivatives, where they belong, without a copy.
    """

    @staticmethod
    def forward(ctx: Any, factors: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        ctx.save_for_backward(factors)
        ctx.sizes = sizes
        found = factors.new_empty(len(factors) // 2, factors.shape[1])
        for both, product in zip(_matrices(factors, sizes), _matrices(found, sizes), strict=True):
            first, second = both.chunk(2)
            _multiply(first, second, product)
        return found

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        (factors,) = ctx.saved_tensors
        found = torch.empty_like(factors)
        parts = (_matrices(each, ctx.sizes) for each in (factors, gradient.contiguous(), found))
        for both, by_product, by_both in zip(*parts, strict=True):
            (first, second), (by_first, by_second) = both.chunk(2), by_both.chunk(2)
            _multiply(by_product, second.mT, by_first)
            _multiply(first.mT, by_product, by_second)
        return found, None


def _multiply(one: torch.Tensor, two: torch.Tensor, out: torch.Tensor) -> None:
    """Write the products (features, n, n), divided by n."""
    torch.baddbmm(out, one, two, beta=0, alpha=1 / out.shape[1], out=out)


def _means(pairs: torch.Tensor, sizes: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the means over the nodes and over the pairs of every graph, (graphs, features)."""
    parts = _matrices(pairs, sizes)
    nodes = torch.stack([part.diagonal(dim1=1, dim2=2).mean(dim=1) for part in parts])
    return nodes, torch.stack([part.mean(dim=(1, 2)) for part in parts])
