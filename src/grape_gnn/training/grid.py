"""The paper's grid (appendix D.1) and how a point of it is chosen: by validation accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from grape_gnn.errors import ModelError

__all__ = ["PAPER_GRID", "grid_points", "search_grid"]

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


def search_grid(
    grid: Mapping[str, Sequence[Any]], evaluate: Callable[[dict[str, Any]], float]
) -> tuple[dict[str, Any], float]:
    """Return the best point and its validation accuracy; the first of equals.

    Parameters
    ----------
    grid
        Values to try, by parameter.
    evaluate
        Validation accuracy of a point. It must not look at test labels.

    Examples
    --------
    >>> search_grid({"a": [1, 2, 3]}, lambda point: -abs(point["a"] - 2))
    ({'a': 2}, 0)
    """
    best: tuple[dict[str, Any], float] | None = None
    for point in grid_points(grid):
        score = evaluate(point)
        if best is None or score > best[1]:
            best = point, score
    if best is None:
        raise ModelError("the grid is empty: give at least one value for every parameter")
    return best
