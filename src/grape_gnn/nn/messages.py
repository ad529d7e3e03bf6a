"""What goes through the maps of the roles, in two forms, less its mean over the nodes.

    x[v, r, 0] = m_r(v),     x[v, r, 1] = log(1 + total_r(v)) m_r(v)

Each function is one compiled pass, or says the same in torch operations for other devices than the
processor. Columns of a node are those of `grape_gnn.nn.RoleMaps.weight`: (roles, forms, columns).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from grape_gnn import _native
from grape_gnn.nn.fused import can_be_fused

__all__ = ["FORMS", "centred_messages", "messages_backward", "statistics"]

FORMS = ("mean", "log")
BLOCK = 512  # nodes whose messages are in a cache together


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


def centred_messages(
    means: torch.Tensor, logs: torch.Tensor, mean: torch.Tensor
) -> Iterator[tuple[slice, torch.Tensor]]:
    """Give the messages of some nodes after the other, less their mean, all in the same place.

    Their shape is (nodes, roles * forms * columns).
    """
    n = means.shape[0]
    place = means.new_empty(min(n, BLOCK), mean.shape[0])
    fused = can_be_fused(means)
    given: list[Any] = [means, logs, mean]
    m, s, less = _arrays(*given) if fused else given
    for nodes in _blocks(n):
        here = place[: nodes.stop - nodes.start]
        if fused:
            _native.centred_messages(m[nodes], s[nodes], less, here.numpy())
        else:
            torch.sub(_both(m[nodes], s[nodes]), less, out=here)
        yield nodes, here


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
    n = means.shape[0]
    place = means.new_empty(min(n, BLOCK), mean.shape[0])
    fused = can_be_fused(means)
    given: list[Any] = [means, logs, mean, shift, turn, out]
    m, s, less, add, by_x, to = _arrays(*given) if fused else given
    for nodes in _blocks(n):
        here = torch.mm(gradient[nodes], maps, out=place[: nodes.stop - nodes.start])
        if fused:
            known = m[nodes], s[nodes], less, add, by_x
            _native.messages_backward(*known, here.numpy(), to[nodes])
        else:
            here += add + by_x * (_both(m[nodes], s[nodes]) - less)
            plain, logged = here.view(-1, means.shape[1], len(FORMS), means.shape[2]).unbind(2)
            torch.addcmul(plain, s[nodes, :, None], logged, out=to[nodes])


def _arrays(*tensors: torch.Tensor) -> list[Any]:
    return [tensor.detach().numpy() for tensor in tensors]


def _blocks(n: int) -> Iterator[slice]:
    return (slice(first, min(first + BLOCK, n)) for first in range(0, n, BLOCK))


def _both(means: torch.Tensor, logs: torch.Tensor) -> torch.Tensor:
    return torch.stack([means, means * logs[:, :, None]], dim=2).flatten(1)
