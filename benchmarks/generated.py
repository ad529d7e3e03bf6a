"""A large graph that looks like a social network: hubs, and many triangles.

Chung-Lu gives the power-law degrees, but almost no triangles, so a part of the edges closes
random two-step paths instead. Everything is vectorised and seeded; a million edges take
about a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def social_edges(
    num_nodes: int = 100_000,
    num_edges: int = 1_000_000,
    exponent: float = 2.8,
    closing: float = 0.4,
    seed: int = 0,
) -> NDArray[np.int64]:
    """Return ``num_edges`` distinct undirected edges as an ``(m, 2)`` array.

    ``exponent`` is that of the degrees' power law, ``closing`` the share of the edges that
    close a triangle.
    """
    rng = np.random.default_rng(seed)
    weights = (np.arange(num_nodes) + 10.0) ** (-1.0 / (exponent - 1.0))
    heavier = np.cumsum(weights / weights.sum())

    def chung_lu(count: int, _: NDArray[np.int64]) -> NDArray[np.int64]:
        ends = np.searchsorted(heavier, rng.random((count, 2)))
        return np.minimum(ends, num_nodes - 1)

    def close_paths(count: int, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        src, dst = np.divmod(codes, num_nodes)
        src, dst = np.concatenate([src, dst]), np.concatenate([dst, src])
        order = np.argsort(src, kind="stable")
        src, dst = src[order], dst[order]
        start = np.searchsorted(src, np.arange(num_nodes + 1))
        first = rng.integers(len(src), size=count)
        middle = dst[first]
        degree = start[middle + 1] - start[middle]
        last = dst[start[middle] + (rng.random(count) * degree).astype(np.int64)]
        return np.stack([src[first], last], axis=1)

    codes = np.empty(0, np.int64)
    for target, draw in (
        (round(num_edges * (1 - closing)), chung_lu),
        (num_edges, close_paths),
    ):
        while len(codes) < target:
            pairs = draw(target - len(codes), codes)
            pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
            codes = np.unique(np.concatenate([codes, pairs @ [num_nodes, 1]]))
    return np.stack(np.divmod(codes, num_nodes), axis=1)
