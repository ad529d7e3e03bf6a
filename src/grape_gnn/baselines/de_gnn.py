"""DE-GNN (Li et al., NeurIPS 2020): distance encoding, here shortest-path distances to one node.

To classify node v, DE-GNN gives every node w around it its features and the one-hot distance
d(w, v), runs a message-passing network on that neighbourhood, and reads the result at v. The
reading chosen: shortest-path distances, the variant the GRAPE paper names; sum aggregation, which
its theory asks for; the two layers of the protocol. This needs no neighbourhood to be cut out,
because after two layers v has heard only of its neighbours u, and they only of theirs, of which

    1 is v,  t(v, u) common neighbours are at distance 1,  deg(u) - 1 - t(v, u) are at distance 2.

So the first layer is exact with three numbers per entry (v, u), computed once, and

    h(u | v) = ReLU(BN(W ((1 + eps) x(u) + sum over neighbours w of x(w))) + W_d counts(v, u))
    y(v) = MLP((1 + eps') h(v | v) + sum over neighbours u of h(u | v)),  then a linear classifier.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import nn

from grape_gnn.baselines.adjacency import adjacency, symmetric_product, to_torch
from grape_gnn.baselines.attention import Neighbourhood, messages
from grape_gnn.baselines.layers import Linear, drop
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import Method, Prepared, Shape

__all__ = ["DEGNN", "distance_counts"]


def distance_counts(graph: Graph, entries: Neighbourhood) -> torch.Tensor:
    """Count, for every entry (v, u), the neighbours of u by their distance to v.

    Returns
    -------
    torch.Tensor
        Columns: how many neighbours of u are at distance 0, 1 and 2 from v.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])  # a triangle 0 1 2 and a tail 2-3
    >>> entries = Neighbourhood(g)
    >>> counts = distance_counts(g, entries)
    >>> at = [(v, u) for v, u in zip(entries.rows.tolist(), entries.columns.tolist())]
    >>> counts[at.index((0, 2))].tolist(), counts[at.index((0, 0))].tolist()
    ([1.0, 1.0, 1.0], [0.0, 2.0, 0.0])
    """
    matrix = adjacency(graph).astype(np.float64)
    degrees = matrix.sum(axis=1)
    # Common neighbours on the edges only; adding the edges keeps entries whose count is zero.
    common = sparse.csr_array((matrix @ matrix) * matrix + matrix)
    common.sort_indices()
    rows, columns = entries.rows.numpy(), entries.columns.numpy()
    other = rows != columns
    near = np.where(other, 0.0, degrees[columns])
    near[other] = common.data - 1
    far = np.where(other, degrees[columns] - 1 - near, 0.0)
    return torch.from_numpy(np.stack([other, near, far], axis=1).astype(np.float32))


def _said(heard: torch.Tensor, counts: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return h(u | v) for the neighbours u of v."""
    return torch.relu(torch.addmm(heard, counts, weight))


class DEGNNNetwork(nn.Module):
    """The equations above.

    Parameters
    ----------
    shape
        Widths and dropout; two layers.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        if shape.layers != 2:
            raise ModelError(f"DE-GNN is exact for two layers only, got layers={shape.layers}")
        hidden = shape.hidden
        self.first = Linear(shape.in_features, hidden, bias=False)
        self.epsilon = nn.Parameter(torch.zeros(2))
        self.first_norm = nn.BatchNorm1d(hidden)
        self.distances = Linear(3, hidden, bias=False)
        self.second = nn.Sequential(
            Linear(hidden, hidden, bias=False),
            nn.BatchNorm1d(hidden),
            nn.ReLU(),
            Linear(hidden, hidden, bias=False),
            nn.BatchNorm1d(hidden),
            nn.ReLU(),
        )
        self.classify = Linear(hidden, shape.num_classes)
        self.dropout, self.input_dropout = shape.dropout, shape.input_dropout

    def forward(
        self,
        x: torch.Tensor | SparseFeatures,
        matrix: torch.Tensor,
        entries: Neighbourhood,
        counts: torch.Tensor,
        loops: torch.Tensor,
    ) -> torch.Tensor:
        """Return one score per node and class."""
        mapped = self.first(drop(x, self.input_dropout, self.training))
        heard = (1 + self.epsilon[0]) * mapped + symmetric_product(matrix, mapped)
        heard = drop(self.first_norm(heard), self.dropout, self.training)
        weight = self.distances.weight
        own = torch.relu(heard + counts.index_select(0, loops) @ weight)
        places = ("sender", "entry", "all")
        said = messages(_said, places, heard, counts, weight, entries=entries, total=True)
        total = self.epsilon[1] * own + said
        last = drop(self.second(total), self.dropout, self.training)
        scores: torch.Tensor = self.classify(last)
        return scores


class DEGNN(Method):
    """Message passing that knows the distances to the node it classifies."""

    name = "de-gnn"
    title = "DE-GNN"
    depths = (2,)

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the adjacency matrix, the entries, their counts and which are self-loops."""
        entries = Neighbourhood(graph)
        counts = distance_counts(graph, entries)
        # Columns of equal spread; a linear map follows, so nothing is lost.
        counts = counts - counts.mean(dim=0)
        counts = counts / counts.std(dim=0, correction=0).clamp(min=1e-6)
        loops = torch.nonzero(entries.rows == entries.columns).ravel()
        return to_torch(adjacency(graph)), entries, counts, loops

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        return DEGNNNetwork(shape)
