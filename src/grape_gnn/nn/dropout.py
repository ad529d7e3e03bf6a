"""Dropout that draws sixteen bits for a value: random numbers were a tenth of an epoch.

On the processor `torch.nn.Dropout` draws a number of double precision for every value, which takes
far longer than to multiply by it. A random integer of 64 bits costs less and decides about four
values. The share that is kept is then a multiple of 1/65536; values are divided by the share as it
is, so that they stay what they were on average.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

__all__ = ["Dropout", "draw_kept", "drop"]

_CHOICES = 1 << 16  # values of the bits that are drawn
_OF_A_NUMBER = 4  # values that a random number decides about


class Dropout(nn.Dropout):
    """`torch.nn.Dropout`, drawn more cheaply.

    Examples
    --------
    >>> layer = Dropout(0.5)
    >>> sorted(set(layer(torch.ones(100)).tolist()))
    [0.0, 2.0]
    >>> layer.eval()(torch.ones(3)).tolist()
    [1.0, 1.0, 1.0]
    """

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Drop values in training."""
        return drop(h, self.p) if self.training else h


def drop(h: torch.Tensor, share: float) -> torch.Tensor:
    """Set about this share of the values to zero and divide the others by what is kept.

    Examples
    --------
    >>> drop(torch.ones(3), 1.0).tolist()
    [0.0, 0.0, 0.0]
    """
    if share == 0:
        return h
    passed, kept = draw_kept(h.shape, share, h.device)
    return (h * passed).div_(kept)


def draw_kept(
    shape: Sequence[int], share: float, device: torch.device
) -> tuple[torch.Tensor, float]:
    """Draw which values stay when a share is dropped, and say which share of them does.

    The share can be divided by: it is one where nothing stays.

    Examples
    --------
    >>> passed, kept = draw_kept((1000, 10), 0.3, torch.device("cpu"))
    >>> passed.shape, round(kept, 4)
    (torch.Size([1000, 10]), 0.7)
    """
    if share == 1:
        return torch.zeros(tuple(shape), dtype=torch.bool, device=device), 1.0
    staying = max(round((1 - share) * _CHOICES), 1)
    size = torch.Size(shape).numel()
    numbers = torch.empty(-(-size // _OF_A_NUMBER), dtype=torch.int64, device=device)
    lowest = torch.iinfo(torch.int64).min
    bits = numbers.random_(lowest, None).view(torch.int16)[:size].view(tuple(shape))
    return bits <= staying - 1 - _CHOICES // 2, staying / _CHOICES
