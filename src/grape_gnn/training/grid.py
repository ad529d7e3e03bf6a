"""The paper's grid (appendix D.1) and its points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

__all__ = ["PAPER_GRID", "grid_points"]

PAPER_GRID: dict[str, tuple[float, ...]] = {
    "hidden": (16, 32),
    "dropout": (0.3, 0.5),
    "weight_decay": (3e-5, 5e-5),
    "learning_rate": (0.01, 0.03),
}


def grid_points(grid: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield every combination, the last name varying fastest.

    Examples
    --------
    >>> len(list(grid_points(PAPER_GRID)))
    16
    >>> next(grid_points(PAPER_GRID))
    {'hidden': 16, 'dropout': 0.3, 'weight_decay': 3e-05, 'learning_rate': 0.01}
    """
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))
