"""What goes through the maps of the roles, in two forms, less its mean over the nodes.

    x[v, r, 0] = m_r(v),     x[v, r, 1] = log(1 + total_r(v)) m_r(v)

Each function is one compiled pass, or says the same in torch operations for other devices than the
processor, and for processors with narrow vectors. Columns of a node are those of
`grape_gnn.nn.RoleMaps.weight`: (roles, forms, columns).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from grape_gnn import _native
from grape_gnn.nn.fused import can_be_fused

__all__ = ["FORMS", "map_messages", "maps_backward", "messages_backward", "statistics"]

FORMS = ("mean", "log")
BLOCK = 512  # nodes whose messages are there together


def statistics(
    means: torch.Tensor, logs: torch.Tensor, mean: torch.Tensor, variance: torch.Tensor
) -> None:
    """Fill in mean and variance of every column over the nodes.

    Parameters
    ----------
    means
        What every role's members are on average, shape (nodes, roles, columns).
    logs
        Logarithm of one plus their number, shape (nodes, roles).
    mean, variance
        Where to write them: of as many numbers as a node has messages.

    Examples
    --------
    >>> mean, variance = torch.empty(2), torch.empty(2)
    >>> statistics(torch.tensor([[[1.0]], [[3.0]]]), torch.tensor([[1.0], [2.0]]), mean, variance)
    >>> mean.tolist(), variance.tolist()
    ([2.0, 3.5], [1.0, 6.25])
    """
    if can_be_fused(means):
        m, s, to, squares = _arrays(means, logs, mean, variance)
        _native.message_statistics(m, s, to, squares, torch.get_num_threads())
        return
    both = _both(means, logs)
    torch.mean(both, dim=0, out=mean)
    torch.var(both, dim=0, correction=0, out=variance)


def map_messages(
    means: torch.Tensor,
    logs: torch.Tensor,
    mean: torch.Tensor,
    maps: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Write what the maps make of the messages, less their mean.

    Parameters
    ----------
    means, logs, mean
        As before.
    maps
        Shape (out_features, roles * forms * columns).
    out
        Shape (nodes, out_features).
    """
    if _mapped_here(means):
        m, s, less, by, to = _arrays(means, logs, mean, maps.T.contiguous(), out)
        _native.map_messages(m, s, less, by, to, torch.get_num_threads())
        return
    for nodes in _blocks(means.shape[0]):
        torch.mm(_both(means[nodes], logs[nodes]).sub_(mean), maps.T, out=out[nodes])


def maps_backward(
    means: torch.Tensor, logs: torch.Tensor, mean: torch.Tensor, gradient: torch.Tensor
) -> torch.Tensor:
    """Return the derivative by the maps, given that by what they wrote."""
    by_maps = means.new_zeros(gradient.shape[1], mean.shape[0])
    if _mapped_here(means):
        m, s, less, by_out, to = _arrays(means, logs, mean, gradient, by_maps)
        _native.maps_backward(m, s, less, by_out, to, torch.get_num_threads())
        return by_maps
    for nodes in _blocks(means.shape[0]):
        by_maps.addmm_(gradient[nodes].T, _both(means[nodes], logs[nodes]).sub_(mean))
    return by_maps


def messages_backward(
    means: torch.Tensor,
    logs: torch.Tensor,
    mean: torch.Tensor,
    shift: torch.Tensor,
    turn: torch.Tensor,
    gradient: torch.Tensor,
    maps: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Write the derivative by the means, given that by what the messages `x` were mapped to.

    The derivative by the messages is ``gradient @ maps + shift + turn * (x - mean)``.

    Parameters
    ----------
    means, logs, mean
        As before.
    shift, turn
        What the statistics add, for every column.
    gradient, maps
        Shape (nodes, out_features) and (out_features, roles * forms * columns).
    out
        Shape (nodes, roles, columns); it may take the place of the means.
    """
    if _mapped_here(means):
        m, s, less, add, by_x = _arrays(means, logs, mean, shift, turn)
        by_out, by, to = _arrays(gradient, maps, out)
        _native.messages_backward(m, s, less, add, by_x, by_out, by, to, torch.get_num_threads())
        return
    for nodes in _blocks(means.shape[0]):
        centred = _both(means[nodes], logs[nodes]).sub_(mean)
        by_messages = torch.addmm(shift, gradient[nodes], maps).addcmul_(turn, centred)
        plain, logged = by_messages.view(-1, means.shape[1], len(FORMS), means.shape[2]).unbind(2)
        torch.addcmul(plain, logs[nodes, :, None], logged, out=out[nodes])


def _mapped_here(means: torch.Tensor) -> bool:
    """Whether compiled products are the quicker ones: with narrow vectors torch's library is."""
    return can_be_fused(means) and _native.lanes_in_use() > 16


def _arrays(*tensors: torch.Tensor) -> list[Any]:
    return [tensor.detach().numpy() for tensor in tensors]


def _blocks(n: int) -> Iterator[slice]:
    return (slice(first, min(first + BLOCK, n)) for first in range(0, n, BLOCK))


def _both(means: torch.Tensor, logs: torch.Tensor) -> torch.Tensor:
    return torch.stack([means, means * logs[:, :, None]], dim=2).flatten(1)
