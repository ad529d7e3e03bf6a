"""Attention over neighbours: scores per edge, softmax over each node's edges, weighted sums.

Every edge has one entry per direction, in rows by receiving node, and the entries of a node are
consecutive. So sums over a node's entries, and all derivatives, are compiled passes over rows;
gathering and scattering edge by edge, as PyG does without extensions, takes five times longer.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import torch
from scipy import sparse

from grape_gnn import _native
from grape_gnn.baselines.adjacency import adjacency
from grape_gnn.graph import Graph

__all__ = [
    "Neighbourhood",
    "drop_entries",
    "pair_sum",
    "relu_sum",
    "row_softmax",
    "tanh_scores",
    "weighted_sum",
]


class Neighbourhood:
    """Who listens to whom: every node to its neighbours, in both directions.

    Parameters
    ----------
    graph
        The graph.
    loops
        Whether every node listens to itself too.

    Examples
    --------
    >>> edge = Neighbourhood(Graph.from_edges([0], [1]))
    >>> edge.rows.tolist(), edge.columns.tolist()
    ([0, 0, 1, 1], [0, 1, 0, 1])
    """

    def __init__(self, graph: Graph, loops: bool = True) -> None:
        matrix = adjacency(graph)
        if loops:
            matrix = sparse.csr_array(matrix + sparse.eye_array(graph.num_nodes, format="csr"))
        matrix.sort_indices()
        self.num_nodes = graph.num_nodes
        self.starts = torch.from_numpy(matrix.indptr.astype(np.int64))
        self.columns = torch.from_numpy(matrix.indices.astype(np.int64))
        self.rows = torch.repeat_interleave(torch.arange(self.num_nodes), self.starts.diff())
        # A symmetric pattern read by columns visits the reversed entries in order.
        self.reverse = torch.from_numpy(np.lexsort((self.rows.numpy(), self.columns.numpy())))

    @cached_property
    def compiled(self) -> _native.Entries:
        """The same for compiled passes."""
        return _native.Entries(
            self.starts.numpy(), self.columns.to(torch.int32).numpy(), self.reverse.numpy()
        )


def pair_sum(
    receiver: torch.Tensor, sender: torch.Tensor, neighbourhood: Neighbourhood
) -> torch.Tensor:
    """Return ``receiver[v] + sender[u]`` for every entry (v, u), shape (entries, columns)."""
    out: torch.Tensor = _PairSum.apply(receiver, sender, neighbourhood)
    return out


def tanh_scores(
    receiver: torch.Tensor,
    sender: torch.Tensor,
    slope: torch.Tensor,
    neighbourhood: Neighbourhood,
) -> torch.Tensor:
    """Return ``slope . tanh(receiver[v] + sender[u])`` for every entry (v, u), shape (entries, 1).

    Examples
    --------
    >>> edge = Neighbourhood(Graph.from_edges([0], [1]), loops=False)
    >>> nothing = torch.zeros(2, 3)
    >>> tanh_scores(nothing, nothing + 100, torch.ones(3), edge).ravel().tolist()
    [3.0, 3.0]
    """
    count = neighbourhood.columns.numel()
    out: torch.Tensor = _Pass.apply(
        neighbourhood, "tanh_scores", (count, 1), None, receiver, sender, slope
    )
    return out


def relu_sum(
    features: torch.Tensor,
    counts: torch.Tensor,
    weight: torch.Tensor,
    neighbourhood: Neighbourhood,
) -> torch.Tensor:
    """Sum ``ReLU(features[u] + counts[v, u] @ weight)`` over the entries (v, u) of each node v.

    Parameters
    ----------
    features
        Shape (nodes, columns).
    counts
        Shape (entries, 3); constant.
    weight
        Shape (3, columns).
    neighbourhood
        The entries.
    """
    shape = features.shape[0], features.shape[1]
    out: torch.Tensor = _Pass.apply(neighbourhood, "relu_sum", shape, 1, features, counts, weight)
    return out


def row_softmax(scores: torch.Tensor, neighbourhood: Neighbourhood) -> torch.Tensor:
    """Softmax over the entries of each node, for every column.

    Examples
    --------
    >>> path = Neighbourhood(Graph.from_edges([0, 1], [1, 2]), loops=False)
    >>> row_softmax(torch.zeros(4, 1), path).ravel().tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    out: torch.Tensor = _Softmax.apply(scores, neighbourhood)
    return out


def weighted_sum(
    weights: torch.Tensor, features: torch.Tensor, neighbourhood: Neighbourhood
) -> torch.Tensor:
    """Sum the neighbours' features, each head with its weights and its share of the columns.

    Parameters
    ----------
    weights
        Shape (entries, heads).
    features
        Shape (nodes, columns); the heads' columns side by side.
    neighbourhood
        The entries.
    """
    shape = features.shape[0], features.shape[1]
    out: torch.Tensor = _Pass.apply(neighbourhood, "head_sum", shape, None, weights, features)
    return out


def drop_entries(values: torch.Tensor, share: float, training: bool) -> torch.Tensor:
    """Drop values at random and scale the rest, four values to a random number.

    Twelve times faster than `torch.nn.Dropout`, which draws a double for each value; the share is
    rounded to a multiple of 1/65536.
    """
    kept = round((1 - share) * 65536)
    if not training or kept == 65536:
        return values
    numbers = torch.empty(-(-values.numel() // 4), dtype=torch.int64)
    bits = numbers.random_(-(2**63), None).view(torch.int16)[: values.numel()]
    return values * ((bits < kept - 32768) * (65536 / kept)).view(values.shape)


class _PairSum(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, receiver: torch.Tensor, sender: torch.Tensor, entries: Neighbourhood
    ) -> torch.Tensor:
        receiver, sender = receiver.detach().contiguous(), sender.detach().contiguous()
        ctx.entries = entries
        out = receiver.new_empty(entries.columns.numel(), receiver.shape[1])
        entries.compiled.pair_sum(receiver.numpy(), sender.numpy(), out.numpy())
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, None]:
        shape = ctx.entries.num_nodes, gradient.shape[1]
        by_receiver, by_sender = gradient.new_empty(shape), gradient.new_empty(shape)
        ctx.entries.compiled.pair_sum_backward(
            gradient.contiguous().numpy(), by_receiver.numpy(), by_sender.numpy()
        )
        return by_receiver, by_sender, None


class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, entries: Neighbourhood) -> torch.Tensor:
        scores = scores.detach().contiguous()
        out = torch.empty_like(scores)
        entries.compiled.softmax(scores.numpy(), out.numpy())
        ctx.entries = entries
        ctx.save_for_backward(out)
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        (out,) = ctx.saved_tensors
        by_scores = torch.empty_like(out)
        ctx.entries.compiled.softmax_backward(
            out.numpy(), gradient.contiguous().numpy(), by_scores.numpy()
        )
        return by_scores, None


class _Pass(torch.autograd.Function):
    """A compiled pass over the entries, and its derivatives by the inputs that are learnt."""

    @staticmethod
    def forward(
        ctx: Any,
        entries: Neighbourhood,
        name: str,
        shape: tuple[int, int],
        constant: int | None,
        *inputs: torch.Tensor,
    ) -> torch.Tensor:
        kept = [each.detach().contiguous() for each in inputs]
        ctx.entries, ctx.name, ctx.constant = entries, name, constant
        ctx.save_for_backward(*kept)
        out = kept[0].new_empty(shape)
        getattr(entries.compiled, name)(*(each.numpy() for each in [*kept, out]))
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        kept = ctx.saved_tensors
        found = [
            None if place == ctx.constant else torch.empty_like(each)
            for place, each in enumerate(kept)
        ]
        learnt = [each for each in found if each is not None]
        back = getattr(ctx.entries.compiled, f"{ctx.name}_backward")
        back(*(each.numpy() for each in [*kept, gradient.contiguous(), *learnt]))
        return None, None, None, None, *found
