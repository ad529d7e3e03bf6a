"""Several labels of a node: lists in a cell, collections, or a matrix of zeros and ones.

In memory they are int64 zeros and ones, shape (nodes, labels), with a row of -1 where missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.attributes import Label, is_missing

__all__ = ["ASKED_FOR", "as_matrix", "as_sets", "matrix_codes", "separator", "several_in_a_cell"]

SEPARATORS = (";", "|")
ASKED_FOR = (*SEPARATORS, ",")  # names of classes have commas, too: "Salem, Oregon"

Values = NDArray[Any]


def several_in_a_cell(cells: Sequence[str], marks: Sequence[str] = SEPARATORS) -> bool:
    """Whether cells are lists: a part of one is a part of another, too."""
    mark = separator(cells, marks)
    if mark is None:
        return False
    parts = [part for cell in set(cells) for part in _parts(cell, mark)]
    return len(parts) > len(set(parts))


def separator(cells: Sequence[str], marks: Sequence[str] = SEPARATORS) -> str | None:
    """Return the first mark that a cell has; None: no cell has any."""
    return next((mark for mark in marks if any(mark in cell for cell in cells)), None)


def _parts(cell: str, mark: str) -> set[str]:
    around = " []{}()'\"" if mark == "," else None  # "['a', 'b']" is how pandas writes a list
    return {part.strip(around) for part in cell.split(mark)} - {""}


def as_sets(
    values: Values, label_names: Sequence[Label] | None
) -> tuple[Values, tuple[Label, ...]]:
    """Turn collections, or texts with separators, into rows of zeros and ones."""
    texts = [value for value in values.tolist() if isinstance(value, str)]
    mark = separator(texts, ASKED_FOR) or SEPARATORS[0]
    sets: list[set[Any] | None] = []
    for value in values.tolist():
        if is_missing(value) or (values.dtype.kind in "iu" and value == -1):
            sets.append(None)
        elif isinstance(value, str):
            sets.append(_parts(value, mark))
        else:
            sets.append(
                set(value) if isinstance(value, list | tuple | set | frozenset) else {value}
            )
    found = {label for each in sets if each is not None for label in each}
    if not all(isinstance(label, str | int | np.integer) for label in found):
        raise GraphError("the labels of a node must be texts or whole numbers")
    texts_only = all(isinstance(label, str) for label in found)
    names = tuple(sorted(found, key=None if texts_only else _by_kind))
    if label_names is not None:
        names = tuple(label_names)
        unknown = sorted(map(str, found - set(names)))
        if unknown:
            raise GraphError(f"the label {unknown[0]!r} is not among label_names")
    column = {name: k for k, name in enumerate(names)}
    matrix = np.full((values.size, len(names)), -1, np.int64)
    for node, each in enumerate(sets):
        if each is not None:
            matrix[node] = 0
            matrix[node, [column[label] for label in each]] = 1
    return matrix, tuple(name if isinstance(name, str) else int(name) for name in names)


def _by_kind(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def as_matrix(y: Any) -> Values | None:
    """Return labels that are a matrix; a list of rows is one if it has zeros and ones only."""
    if hasattr(y, "toarray"):
        return np.asarray(y.toarray())
    if hasattr(y, "__array__") or hasattr(y, "detach"):
        values = y.detach().cpu().numpy() if hasattr(y, "detach") else np.asarray(y)
        return values if values.ndim > 1 else None
    rows = list(y)
    if not rows or not all(
        isinstance(row, list | tuple) and len(row) == len(rows[0]) for row in rows
    ):
        return None
    if len(rows[0]) < 2 or any(cell not in (0, 1) for row in rows for cell in row):
        return None
    return np.array(rows)


def matrix_codes(
    matrix: Values, num_nodes: int, task: str | None, label_names: Sequence[Label] | None
) -> tuple[Values, tuple[Label, ...]]:
    """Return a matrix of zeros and ones as codes, with the names of its columns."""
    if matrix.ndim != 2 or matrix.shape[0] != num_nodes:
        raise GraphError(
            f"labels y must have shape ({num_nodes},), one label per node, or ({num_nodes}, "
            f"labels); got {matrix.shape}"
        )
    if task not in (None, "multi-label"):
        raise GraphError(
            f"labels y have {matrix.shape[1]} columns, which is multi-label, not {task}: give one "
            f"column"
        )
    names = tuple(range(matrix.shape[1]) if label_names is None else label_names)
    if len(names) != matrix.shape[1] or len(set(names)) < len(names):
        raise GraphError(f"expected {matrix.shape[1]} distinct label_names, got {len(names)}")
    numbers = matrix.astype(np.float64)
    missing = (np.isnan(numbers) | (numbers == -1)).any(axis=1)
    wrong = np.argwhere(~np.isin(numbers, (0, 1)) & ~missing[:, None])
    if wrong.size:
        row, column = wrong[0].tolist()
        raise GraphError(
            f"y[{row}, {column}] is {matrix[row, column]}: several columns of labels are for "
            f"multi-label tasks and must be 0 or 1"
        )
    codes = np.full(matrix.shape, -1, np.int64)
    codes[~missing] = numbers[~missing].astype(np.int64)
    return codes, names
