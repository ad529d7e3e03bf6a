"""How fast this processor is, beside the one that the prices of steps were fitted on.

The choice of an engine compares prices with each other and needs no clock. An estimate in seconds
does: one kind of processor takes twice as long as another.
"""

from __future__ import annotations

import time as clock
from functools import cache

import numpy as np

from grape_gnn.graph import Graph
from grape_gnn.roles.match import match

__all__ = ["slowness"]

_REFERENCE = 2.3e-3  # seconds of the look below where the prices hold
_ROUNDS = 5


@cache
def slowness() -> float:
    """Return how many times as long this processor takes; it is looked at once, for 20 ms.

    Examples
    --------
    >>> 0.25 <= slowness() <= 4.0
    True
    """
    rng = np.random.default_rng(0)
    heads, tails = rng.integers(0, 10_000, 100_000), rng.integers(0, 10_000, 100_000)
    apart = heads < tails  # no loops, and no warning about them
    keys = np.unique(heads[apart] * 10_000 + tails[apart])
    graph = Graph.from_edges(keys // 10_000, keys % 10_000, num_nodes=10_000)
    taken = []
    for _ in range(_ROUNDS):
        start = clock.process_time()
        match(graph, "triangle", engine="algebra", threads=1)
        taken.append(clock.process_time() - start)
    # The least is nearest to an idle machine; a clock that stands still says nothing.
    return float(np.clip(min(taken) / _REFERENCE, 0.25, 4.0)) if min(taken) > 0 else 1.0
