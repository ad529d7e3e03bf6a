"""From pairs of nodes as they come to the edges of a simple graph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["simple_edges"]


def simple_edges(
    src: NDArray[np.int64], dst: NDArray[np.int64], num_nodes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Drop self-loops and repeated edges, u-v and v-u being the same, without a warning.

    Examples
    --------
    >>> low, high = simple_edges(np.array([2, 1, 0]), np.array([1, 2, 0]), 3)
    >>> low.tolist(), high.tolist()
    ([1], [2])
    """
    low, high = np.minimum(src, dst), np.maximum(src, dst)
    pairs = np.unique((low * num_nodes + high)[low != high])
    return pairs // num_nodes, pairs % num_nodes
