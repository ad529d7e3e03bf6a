"""How the labels are distributed in a set of nodes, as in Table 2 of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["LabelShares", "label_shares"]

Label = str | int


@dataclass(frozen=True)
class LabelShares:
    """The labels of a set of nodes.

    Parameters
    ----------
    nodes
        Number of nodes.
    labelled
        How many of them have a label; shares are among these.
    shares
        Pairs of label and share, the most frequent first; labels nobody has are left out.
    """

    nodes: int
    labelled: int
    shares: tuple[tuple[Label, float], ...]


def label_shares(
    codes: NDArray[np.int64],
    label_names: Sequence[Label],
    weights: NDArray[np.float64] | None = None,
) -> LabelShares:
    """Count the labels of nodes.

    Parameters
    ----------
    codes
        Label codes of the nodes, -1 where missing.
    label_names
        The labels by code.
    weights
        How much each node counts; None: all the same.

    Examples
    --------
    >>> label_shares(np.array([1, 1, 0, 1, -1]), ("red", "blue"))
    LabelShares(nodes=5, labelled=4, shares=(('blue', 0.75), ('red', 0.25)))
    """
    known = codes >= 0
    weight = np.ones(codes.size) if weights is None else weights
    sums = np.bincount(codes[known], weights=weight[known], minlength=len(label_names))
    total = float(sums.sum())
    ranked = sorted(np.flatnonzero(sums).tolist(), key=lambda code: (-sums[code], code))
    return LabelShares(
        nodes=int(codes.size),
        labelled=int(known.sum()),
        shares=tuple((label_names[code], float(sums[code]) / total) for code in ranked),
    )
