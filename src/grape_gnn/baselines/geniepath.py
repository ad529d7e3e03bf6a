"""GeniePath (Liu et al., AAAI 2019): which neighbours to hear, and how far, both learnt.

Breadth, attention with a hidden layer over the neighbours and the node itself:

    m(v) = tanh(W sum over u of a(v, u) h(u)),
    a(v, u) = softmax over u of  p . tanh(W_s h(v) + W_d h(u))

Depth, the gates of an LSTM along the layers, with C = 0 before the first:

    C(v) <- sigmoid(W_f m(v)) C(v) + sigmoid(W_i m(v)) tanh(W_c m(v))
    h(v) <- sigmoid(W_o m(v)) tanh(C(v))

It starts from a linear map of the features, and a linear map of the last h gives the classes. The
paper leaves the width of the attention's hidden layer open; it is the hidden width here.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.attention import Neighbourhood, messages, row_softmax, weighted_sum
from grape_gnn.baselines.layers import Linear, drop, norm
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["GeniePath", "GeniePathLayer"]


def _score(receiver: torch.Tensor, sender: torch.Tensor, slope: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(receiver + sender) @ slope


class GeniePathLayer(nn.Module):
    """One layer: attention in breadth, gates in depth.

    Parameters
    ----------
    width
        Of the features, before and after.
    norm
        Of what is heard, before its tanh.

    Examples
    --------
    >>> entries = Neighbourhood(Graph.from_edges([0, 1], [1, 2]))
    >>> h, memory = GeniePathLayer(4)(torch.ones(3, 4), torch.zeros(3, 4), entries)
    >>> h.shape, memory.shape
    (torch.Size([3, 4]), torch.Size([3, 4]))
    """

    def __init__(self, width: int, norm: nn.Module | None = None) -> None:
        super().__init__()
        self.norm = norm or nn.Identity()
        self.receiver = Linear(width, width)
        self.sender = Linear(width, width, bias=False)
        self.score = Linear(width, 1, bias=False)
        self.breadth = Linear(width, width)
        self.gates = Linear(width, 4 * width)

    def forward(
        self, h: torch.Tensor, memory: torch.Tensor, entries: Neighbourhood
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the next features and the next memory."""
        # tanh(z) = 2 sigmoid(2z) - 1, which torch computes four times faster; the softmax does
        # not see the -1.
        ends = 2 * self.receiver(h), 2 * self.sender(h), 2 * self.score.weight
        scores = messages(_score, ("receiver", "sender", "all"), *ends, entries=entries)
        weights = row_softmax(scores, entries)
        heard = torch.tanh(self.norm(self.breadth(weighted_sum(weights, h, entries))))
        forget, write, read, new = self.gates(heard).chunk(4, dim=1)
        memory = torch.sigmoid(forget) * memory + torch.sigmoid(write) * torch.tanh(new)
        return torch.sigmoid(read) * torch.tanh(memory), memory


class GeniePathNetwork(nn.Module):
    """A linear map, the layers, and a linear classifier, with dropout before each."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.first = Linear(shape.in_features, shape.hidden)
        self.norm = norm(shape, shape.hidden)
        self.layers = nn.ModuleList(
            GeniePathLayer(shape.hidden, norm(shape, shape.hidden)) for _ in range(shape.layers)
        )
        self.classify = Linear(shape.hidden, shape.num_classes)
        self.dropout, self.input_dropout = shape.dropout, shape.input_dropout

    def forward(self, x: torch.Tensor | SparseFeatures, entries: Neighbourhood) -> torch.Tensor:
        """Return one score per node and class."""
        h = self.norm(self.first(drop(x, self.input_dropout, self.training)))
        memory = torch.zeros_like(h)
        for layer in self.layers:
            h, memory = layer(drop(h, self.dropout, self.training), memory, entries)
        scores: torch.Tensor = self.classify(drop(h, self.dropout, self.training))
        return scores


class GeniePath(Method):
    """Adaptive receptive paths: attention over neighbours, LSTM gates over layers."""

    name = "geniepath"
    title = "GeniePath"
    choices = NORMS

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return who listens to whom."""
        return (Neighbourhood(graph),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        return GeniePathNetwork(shape)
