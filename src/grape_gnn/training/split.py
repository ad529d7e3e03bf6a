"""Splits of the labelled nodes into training, validation and test parts.

The paper's protocol: 60/20/20 at random, one seed per run. Nodes without a label are in no part.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grape_gnn.errors import ModelError
from grape_gnn.graph.split import Split
from grape_gnn.graph.targets import labelled_nodes

__all__ = ["Split", "as_mask", "random_split"]


def random_split(
    labels: ArrayLike,
    seed: int,
    shares: tuple[float, float, float] = (0.6, 0.2, 0.2),
    sample: str = "node",
) -> Split:
    """Split the labelled nodes at random.

    Parameters
    ----------
    labels
        Label of every node, in a form of `grape_gnn.graph.targets`; -1 where a class is missing.
    seed
        The same seed gives the same split.
    shares
        Shares of training, validation and test; they add up to one.
    sample
        What is labelled, for messages.

    Examples
    --------
    >>> random_split([0, 1, 0, 1, 0, -1], seed=0)
    Split(train=3, validation=1, test=1)
    """
    y = np.asarray(labels)
    if min(shares) < 0 or abs(sum(shares) - 1) > 1e-6:
        raise ModelError(f"the shares of a split must be positive and add up to 1, got {shares}")
    known = np.flatnonzero(labelled_nodes(y))
    order = np.random.default_rng(seed).permutation(known)
    ends = np.round(np.cumsum(shares) * known.size).astype(int)
    parts = np.split(order, ends[:2])
    for part, share, name in zip(parts, shares, ("training", "validation", "test"), strict=True):
        if share > 0 and part.size == 0:
            raise ModelError(
                f"the {name} part of the split is empty: {known.size} labelled {sample}s are too "
                f"few for the shares {shares}"
            )
    return Split(*(_mask(part, len(y)) for part in parts))


def as_mask(mask: Any, num_nodes: int, name: str) -> NDArray[np.bool_]:
    """Turn a boolean mask, or a list of node numbers, into a mask over the nodes.

    Examples
    --------
    >>> as_mask([0, 2], 3, "train_mask").tolist()
    [True, False, True]
    """
    values = mask.detach().cpu().numpy() if hasattr(mask, "detach") else np.asarray(mask)
    if values.dtype == bool:
        if values.shape != (num_nodes,):
            raise ModelError(
                f"{name} has shape {values.shape}: expected one flag per node, ({num_nodes},)"
            )
        return values
    if values.ndim != 1 or (values.size and values.dtype.kind not in "iu"):
        raise ModelError(f"{name} must be a boolean mask or a list of node numbers")
    if values.size and not (values.min() >= 0 and values.max() < num_nodes):
        raise ModelError(f"{name} names nodes outside 0..{num_nodes - 1}")
    return _mask(values.astype(np.int64), num_nodes)


def _mask(nodes: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, dtype=bool)
    mask[nodes] = True
    return mask
