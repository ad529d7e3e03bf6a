"""Columns of numbers of a table of nodes or edges, as a matrix of features."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.columns import make_column
from grape_gnn.warn import warn

__all__ = ["number_columns"]


def number_columns(
    path: Path, table: dict[str, Any], used: Sequence[str], asked: bool
) -> NDArray[np.float64] | None:
    """Return columns side by side; those that are no numbers are left out, or refused if asked for.

    Parameters
    ----------
    path
        The file, for messages.
    table
        Its columns by name.
    used
        Which of them.
    asked
        Whether the user named these.

    Examples
    --------
    >>> number_columns(Path("bonds.csv"), {"length": np.array([1.5, 1.25])}, ["length"], True)
    array([[1.5 ],
           [1.25]])
    """
    columns = [make_column(name, table[name], "used") for name in used]
    numbers = [column for column in columns if column.kind in ("number", "boolean")]
    other = [column.name for column in columns if column not in numbers]
    if other and asked:
        raise GraphFileError(path, f"the column {other[0]!r}, a feature, does not hold numbers")
    if other:
        listed = ", ".join(map(repr, other))
        warn(f"{path}: left out {listed}, which are no numbers; types= names a column of types")
    for column in numbers:
        gaps = np.isnan(column.numbers())
        if gaps.any():
            raise GraphFileError(
                path, f"the column {column.name!r} has no number in row {int(np.argmax(gaps)) + 1}"
            )
    return np.stack([column.numbers() for column in numbers], axis=1) if numbers else None
