"""From nodes to graphs: what is known of a graph's nodes, put together."""

from __future__ import annotations

import torch
from torch import nn

from grape_gnn.errors import ModelError

__all__ = ["POOLINGS", "Pooling", "parse_pooling"]

POOLINGS = ("sum", "mean", "max", "attention")


def parse_pooling(text: str) -> tuple[str, ...]:
    """Return the names of poolings, which commas separate.

    Examples
    --------
    >>> parse_pooling("sum, max")
    ('sum', 'max')
    """
    names = tuple(name.strip() for name in text.split(",")) if isinstance(text, str) else ()
    wrong = [name for name in names if name not in POOLINGS]
    if wrong or not names or len(set(names)) < len(names):
        raise ModelError(
            f"pooling={text!r}: choose of {', '.join(POOLINGS)}, several separated by commas"
        )
    return names


class Pooling(nn.Module):
    """Put the nodes of each graph together, in one way or several.

    ``sum`` and ``mean`` add up, ``max`` takes the largest of each feature, ``attention`` takes a
    mean with weights ``softmax(a . h(v))`` over the nodes of the graph. A graph without nodes has
    zeros.

    Parameters
    ----------
    names
        Of `POOLINGS`.
    features
        Width of what is pooled.

    Examples
    --------
    >>> pool = Pooling(("sum", "max"), 2)
    >>> pool(torch.tensor([[1.0, 2.0], [3.0, 0.0]]), torch.tensor([0, 0]), 2).tolist()
    [[4.0, 2.0, 3.0, 2.0], [0.0, 0.0, 0.0, 0.0]]
    """

    def __init__(self, names: tuple[str, ...], features: int) -> None:
        super().__init__()
        self.names = names
        self.width = len(names) * features
        self.attention = nn.Linear(features, 1, bias=False) if "attention" in names else None

    def forward(self, h: torch.Tensor, batch: torch.Tensor, num_graphs: int) -> torch.Tensor:
        """Pool (nodes, features) into (graphs, poolings * features)."""
        return torch.cat([self._pool(name, h, batch, num_graphs) for name in self.names], dim=1)

    def _pool(self, name: str, h: torch.Tensor, batch: torch.Tensor, count: int) -> torch.Tensor:
        nothing = h.new_zeros(count, h.shape[1])
        if name == "max":
            places = batch[:, None].expand_as(h)
            return nothing.scatter_reduce(0, places, h, "amax", include_self=False)
        if name == "attention" and self.attention is not None:
            scores = self.attention(h)[:, 0]
            most = h.new_zeros(count).scatter_reduce(0, batch, scores, "amax", include_self=False)
            weights = (scores - most[batch]).exp()
            total = h.new_zeros(count).index_add(0, batch, weights)
            h = h * (weights / total[batch])[:, None]
        sums = nothing.index_add(0, batch, h)
        if name == "mean":
            return sums / torch.bincount(batch, minlength=count).clamp(min=1)[:, None]
        return sums
