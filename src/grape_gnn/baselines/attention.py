"""Attention over neighbours: scores per edge, softmax over each node's edges, weighted sums.

Every edge has one entry per direction, in rows by receiving node. Two things keep plain torch
quick. Weighted sums are products with sparse rows, whose derivatives are products too. And what
is as wide as the features is made for a block of entries at a time, which stays in the cache, and
made again for the derivatives: allocating it for all entries takes longer than computing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from scipy import sparse

from grape_gnn.baselines.adjacency import adjacency, sparse_rows
from grape_gnn.graph import Graph

__all__ = [
    "Neighbourhood",
    "drop_entries",
    "messages",
    "pair_sum",
    "row_softmax",
    "weighted_sum",
]

_BLOCK = 8192
"""Entries in a block: with 32 columns of single precision, a megabyte."""


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

    def matrix(self, values: torch.Tensor) -> torch.Tensor:
        """Return one value per entry as torch's sparse rows."""
        return sparse_rows(self.starts, self.columns, values, self.num_nodes)

    def blocks(self) -> Iterator[slice]:
        """Return the entries, a block at a time."""
        count = self.columns.numel()
        return (slice(at, at + _BLOCK) for at in range(0, max(count, 1), _BLOCK))

    def cut(self, x: torch.Tensor, place: str, block: slice) -> torch.Tensor:
        """Return the rows of ``x`` for a block of entries; the places as in `messages`."""
        if place in ("receiver", "sender"):
            return x.index_select(0, self._ends(place)[block])
        return x[block] if place == "entry" else x

    def add(self, into: torch.Tensor, part: torch.Tensor, place: str, block: slice) -> None:
        """Add to the rows that `cut` returns."""
        if place in ("receiver", "sender"):
            into.index_add_(0, self._ends(place)[block], part)
        else:
            (into[block] if place == "entry" else into).add_(part)

    def _ends(self, place: str) -> torch.Tensor:
        return self.rows if place == "receiver" else self.columns


def pair_sum(receiver: torch.Tensor, sender: torch.Tensor, entries: Neighbourhood) -> torch.Tensor:
    """Return ``receiver[v] + sender[u]`` for every entry (v, u), shape (entries, columns)."""
    return receiver.index_select(0, entries.rows) + sender.index_select(0, entries.columns)


def row_softmax(scores: torch.Tensor, entries: Neighbourhood) -> torch.Tensor:
    """Softmax over the entries of each node, for every column.

    Examples
    --------
    >>> path = Neighbourhood(Graph.from_edges([0, 1], [1, 2]), loops=False)
    >>> row_softmax(torch.zeros(4, 1), path).ravel().tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    most = torch.segment_reduce(scores.detach(), "max", offsets=entries.starts, unsafe=True)
    powers = torch.exp(scores - most.index_select(0, entries.rows))
    totals = scores.new_zeros(most.shape).index_add(0, entries.rows, powers)
    return powers / totals.index_select(0, entries.rows)


def weighted_sum(
    weights: torch.Tensor, features: torch.Tensor, entries: Neighbourhood
) -> torch.Tensor:
    """Sum the neighbours' features, each head with its weights and its share of the columns.

    Parameters
    ----------
    weights
        Shape (entries, heads).
    features
        Shape (nodes, columns); the heads' columns side by side.
    entries
        Who listens to whom.
    """
    heads = zip(weights.unbind(dim=1), features.chunk(weights.shape[1], dim=1), strict=True)
    return torch.cat([_HeadSum.apply(*head, entries) for head in heads], dim=1)


def messages(
    message: Callable[..., torch.Tensor],
    places: Sequence[str],
    *inputs: torch.Tensor,
    entries: Neighbourhood,
    total: bool = False,
) -> torch.Tensor:
    """Evaluate a function of both ends for every entry (v, u), a block of entries at a time.

    Parameters
    ----------
    message
        Maps the inputs of a block of entries to shape (block, columns).
    places
        For every input, where its rows belong: ``"receiver"`` (v), ``"sender"`` (u),
        ``"entry"``, or ``"all"``: it is handed over whole.
    inputs
        Tensors; those of entries are constant.
    entries
        Who listens to whom.
    total
        Return the sums over the entries of each receiver, shape (nodes, columns), instead of
        shape (entries, columns).

    Examples
    --------
    >>> path = Neighbourhood(Graph.from_edges([0, 1], [1, 2]), loops=False)
    >>> x = torch.tensor([[1.0], [2.0], [4.0]])
    >>> messages(torch.mul, ("receiver", "sender"), x, x, entries=path, total=True).ravel().tolist()
    [2.0, 10.0, 8.0]
    """
    out: torch.Tensor = _Messages.apply(message, tuple(places), entries, total, *inputs)
    return out


def drop_entries(values: torch.Tensor, share: float, training: bool) -> torch.Tensor:
    """Drop values at random and scale the rest, four values to a random number.

    Four times faster than `torch.nn.Dropout`, which draws a double for each value; the share is
    rounded to a multiple of 1/65536.
    """
    kept = round((1 - share) * 65536)
    if not training or kept == 65536:
        return values
    numbers = torch.empty(-(-values.numel() // 4), dtype=torch.int64)
    bits = numbers.random_(-(2**63), None).view(torch.int16)[: values.numel()]
    return values * ((bits < kept - 32768) * (65536 / kept)).view(values.shape)


class _HeadSum(torch.autograd.Function):
    """A matrix of learnt entries times features: both derivatives are products as well."""

    @staticmethod
    def forward(
        ctx: Any, weights: torch.Tensor, features: torch.Tensor, entries: Neighbourhood
    ) -> torch.Tensor:
        weights, features = weights.contiguous(), features.contiguous()
        ctx.entries = entries
        ctx.save_for_backward(weights, features)
        return entries.matrix(weights) @ features

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, None]:
        weights, features = ctx.saved_tensors
        gradient = gradient.contiguous()
        by_features = ctx.entries.matrix(weights.index_select(0, ctx.entries.reverse)) @ gradient
        # Torch takes the inner products of the entries in eights of columns, the rest by hand.
        wide = [torch.nn.functional.pad(x, (0, -x.shape[1] % 8)) for x in (gradient, features)]
        nothing = ctx.entries.matrix(torch.zeros_like(weights))
        by_weights = torch.sparse.sampled_addmm(nothing, wide[0], wide[1].t(), beta=0)
        return by_weights.values(), by_features, None


class _Messages(torch.autograd.Function):
    """Messages of one block after the other, made again for their derivatives."""

    @staticmethod
    def forward(
        ctx: Any,
        message: Callable[..., torch.Tensor],
        places: tuple[str, ...],
        entries: Neighbourhood,
        total: bool,
        *inputs: torch.Tensor,
    ) -> torch.Tensor:
        ctx.how = message, places, entries, "receiver" if total else "entry"
        ctx.save_for_backward(*inputs)
        size = entries.num_nodes if total else entries.rows.numel()
        out: torch.Tensor | None = None
        for block in entries.blocks():
            parts = (entries.cut(x, place, block) for x, place in zip(inputs, places, strict=True))
            said = message(*parts)
            out = said.new_zeros(size, said.shape[1]) if out is None else out
            entries.add(out, said, ctx.how[-1], block)
        assert out is not None  # there is one block at least
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        message, places, entries, kept = ctx.how
        inputs, learnt = ctx.saved_tensors, ctx.needs_input_grad[4:]
        found = [torch.zeros_like(x) if by else None for x, by in zip(inputs, learnt, strict=True)]
        for block in entries.blocks():
            with torch.enable_grad():
                parts = [
                    entries.cut(x, place, block).detach().requires_grad_(by)
                    for x, place, by in zip(inputs, places, learnt, strict=True)
                ]
                said = message(*parts)
            said.backward(entries.cut(gradient, kept, block))
            for into, part, place in zip(found, parts, places, strict=True):
                if into is not None:
                    entries.add(into, part.grad, place, block)
        return None, None, None, None, *found
