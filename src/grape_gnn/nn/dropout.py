"""Which values dropout keeps: what `torch.Tensor.bernoulli_` draws, to the last bit, but sooner.

torch draws a number at a time, which at a million edges was a tenth of an epoch. The compiled form
takes the state of torch's generator and leaves it as torch would. Whether it does so is tried out
once: with another version of torch, or on a processor where torch draws by another rule, torch
itself draws.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from grape_gnn import _native

__all__ = ["drop_out", "kept"]

_WORDS = 624  # of the Mersenne Twister; in a state, as 64 bits each, behind seed and two counters
_BEFORE = 24
_FEW = 2048  # values that torch draws as quickly


def kept(like: torch.Tensor, share: float) -> torch.Tensor:
    """Draw which values of a tensor are kept, each with probability `share`.

    Examples
    --------
    >>> _ = torch.manual_seed(0)
    >>> mine = kept(torch.ones(3000), 0.7)
    >>> _ = torch.manual_seed(0)
    >>> bool((mine == torch.empty(3000, dtype=torch.bool).bernoulli_(0.7)).all())
    True
    """
    out = torch.empty(like.shape, dtype=torch.bool, device=like.device)
    if like.device.type != "cpu" or like.numel() < _FEW or not _is_as_torch_draws():
        return out.bernoulli_(share)
    _draw(out, share, torch.default_generator)
    return out


def drop_out(h: torch.Tensor, share: float, training: bool) -> torch.Tensor:
    """Return `torch.nn.functional.dropout` of a tensor."""
    if not training or share in (0.0, 1.0):
        return torch.nn.functional.dropout(h, share, training)
    return h * kept(h, 1 - share).to(h.dtype).div_(1 - share)


def _draw(out: torch.Tensor, share: float, generator: torch.Generator) -> None:
    state = generator.get_state()
    raw = state.numpy()
    counters, words = raw[8:_BEFORE], raw[_BEFORE : _BEFORE + 8 * _WORDS].view(np.uint64)
    left, position = counters[:4].view(np.int32), counters[8:].view(np.uint64)
    now = words.astype(np.uint32)
    first = _WORDS if left[0] == 1 else int(position[0])
    position[0] = _native.draw_kept(now, first, share, out.view(torch.uint8).numpy())
    left[0] = _WORDS + 1 - int(position[0])
    words[:] = now
    generator.set_state(state)


@cache
def _is_as_torch_draws() -> bool:
    mine, theirs = torch.Generator().manual_seed(7), torch.Generator().manual_seed(7)
    found, wanted = (torch.empty(1999, dtype=torch.bool) for _ in range(2))
    try:
        for share in (0.3, 0.75):
            _draw(found, share, mine)
            if not torch.equal(found, wanted.bernoulli_(share, generator=theirs)):
                return False
        return torch.equal(mine.get_state(), theirs.get_state())
    except (RuntimeError, ValueError):
        return False
