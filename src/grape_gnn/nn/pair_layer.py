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

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.graphs.cut import ranges
from grape_gnn.nn.role_layer import NodeNorm
from grape_gnn.nn.written_roles import WrittenRoles

__all__ = ["LARGEST", "PairBlock", "PairFeatures", "PairLayer", "PairNetwork", "pair_blocks"]

LARGEST = 200


class PairBlock(NamedTuple):
    """Graphs with the same number of nodes: what is known of their pairs.

    Parameters
    ----------
    graphs
        Their numbers, shape (k,).
    nodes
        The numbers of their nodes in the union, shape (k, n).
    profiles
        Whether a pair is a node, and the logs of all its role counts: (k, n, n, 1 + roles).
    """

    graphs: torch.Tensor
    nodes: torch.Tensor
    profiles: torch.Tensor


def pair_blocks(
    roles: WrittenRoles, sizes: NDArray[np.int64], like: torch.Tensor
) -> list[PairBlock]:
    """Return the pairs of all graphs of up to 200 nodes, graphs of one size together.

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
    >>> graphs = grape.GraphSet.of([nx.cycle_graph(5), nx.path_graph(3), nx.path_graph(5)])
    >>> roles = WrittenRoles.of(grape.match(graphs, "edge,3-path"))
    >>> blocks = pair_blocks(roles, graphs.sizes, torch.ones(()))
    >>> [(block.graphs.tolist(), tuple(block.profiles.shape)) for block in blocks]
    [([1], (1, 3, 3, 4)), ([0, 2], (2, 5, 5, 4))]
    """
    starts = np.cumsum(sizes) - sizes
    order = np.argsort(sizes, kind="stable")
    order = order[(sizes[order] > 0) & (sizes[order] <= LARGEST)]
    squares = sizes[order] ** 2
    begin = np.full(sizes.size, -1)  # of every graph, among the pairs of all
    begin[order] = np.cumsum(squares) - squares
    owner = np.repeat(np.arange(sizes.size), sizes)
    # The first pair of every node as ego, less the number of its graph's first node.
    row = begin[owner] + (np.arange(owner.size) - starts[owner]) * sizes[owner] - starts[owner]
    small = begin[owner] >= 0
    flat = np.zeros((int(squares.sum()), 1 + roles.num_roles), np.float32)
    flat[(row + np.arange(owner.size))[small], 0] = 1
    flat = flat if like.dtype == torch.float32 else flat.astype(np.float64)
    for structure in roles.stored:
        egos = structure.rows
        inside = small[egos]
        places = (row[egos] + structure.idx)[inside]
        for role, values in zip(structure.role.tolist(), structure.values, strict=True):
            flat[places, 1 + role] = np.log1p(values[inside].astype(np.float64))
    pairs, blocks = torch.from_numpy(flat).to(like), []
    for n in np.unique(sizes[order]).tolist():
        graphs = order[sizes[order] == n]
        nodes = ranges(starts[graphs], sizes[graphs]).reshape(-1, n)
        first = int(begin[graphs[0]])
        mine = pairs[first : first + graphs.size * n * n].view(graphs.size, n, n, -1)
        which, where = (torch.from_numpy(each).to(like.device) for each in (graphs, nodes))
        blocks.append(PairBlock(which, where, mine))
    return blocks


class PairLayer(nn.Module):
    """One 2-FWL layer on the pairs of graphs; see the equations of the module.

    Parameters
    ----------
    features
        Width.

    Examples
    --------
    >>> [refined] = PairLayer(8)([torch.ones(2, 5, 5, 8)])
    >>> refined.shape
    torch.Size([2, 5, 5, 8])
    """

    def __init__(self, features: int) -> None:
        super().__init__()
        self.own = nn.Linear(features, features)
        self.first = nn.Linear(features, features, bias=False)
        self.second = nn.Linear(features, features, bias=False)
        self.before = NodeNorm(features, affine=False)
        self.after = NodeNorm(features, affine=False)
        self.norm = NodeNorm(features)

    def forward(self, blocks: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Refine the pairs of graphs of one size after the other, (graphs, n, n, features)."""
        flat = torch.cat([pairs.flatten(0, 2) for pairs in blocks])
        standard = self.before(flat)
        first, second = (_parted(f(standard), blocks) for f in (self.first, self.second))
        between = torch.cat([_between(a, b) for a, b in zip(first, second, strict=True)])
        refined = flat + nn.functional.silu(self.norm(self.own(flat) + self.after(between)))
        return _parted(refined, blocks)


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
        blocks = pair_blocks(roles, sizes.cpu().numpy(), weight)
        sums = weight.new_zeros(num_graphs, self.width)
        if blocks:
            pairs = [self._start(block, x) for block in blocks]
            read = [_means(pairs)]
            for layer in self.layers:
                pairs = layer(pairs)
                read.append(_means(pairs))
            graphs = torch.cat([block.graphs for block in blocks])
            logs = sizes[graphs].to(weight.dtype).log1p()[:, None]
            sums = sums.index_copy(0, graphs, torch.cat([*read, logs], dim=1))
        normed: torch.Tensor = self.norm(sums) if num_graphs else sums
        return normed

    def _start(self, block: PairBlock, x: torch.Tensor | None) -> torch.Tensor:
        started: torch.Tensor = self.front(block.profiles)
        if self.ends is None or x is None:
            return started
        first, second = self.ends(x[block.nodes]).chunk(2, dim=2)
        both: torch.Tensor = started + first[:, :, None] + second[:, None]
        return both


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


def _between(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Sum over the nodes between: (graphs, n, n, features) twice to (pairs, features)."""
    product = torch.matmul(first.permute(0, 3, 1, 2), second.permute(0, 3, 1, 2))
    return product.permute(0, 2, 3, 1).flatten(0, 2) / first.shape[1]


def _parted(flat: torch.Tensor, like: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    parts = flat.split([pairs.shape[:3].numel() for pairs in like])
    return [part.view(pairs.shape) for part, pairs in zip(parts, like, strict=True)]


def _means(blocks: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the means over the nodes and over the pairs of every graph."""
    rows = [
        torch.cat([pairs.diagonal(dim1=1, dim2=2).mean(dim=2), pairs.mean(dim=(1, 2))], dim=1)
        for pairs in blocks
    ]
    return torch.cat(rows)
