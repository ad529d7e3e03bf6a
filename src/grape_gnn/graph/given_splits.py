"""Splits that come with a graph: words in a column of the node table, or masks.

A column whose cells are words such as *train*, *val* and *test* is a split, whatever it is called;
so are the three columns *train_mask*, *val_mask* and *test_mask*. Several such columns are several
splits, in their order. Nodes with an empty cell are in no part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.split import Split

__all__ = [
    "MASKS",
    "codes_of",
    "masks_as_splits",
    "may_be_split",
    "splits_from_columns",
    "splits_of",
]

MASKS = ("train_mask", "val_mask", "test_mask")
_WORDS = {
    "train": 1, "training": 1, "val": 2, "valid": 2, "validation": 2, "dev": 2, "test": 3,
    "testing": 3, "": 0,
}  # fmt: skip
_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


def splits_from_columns(
    columns: Mapping[str, Sequence[str]],
) -> tuple[list[list[int]], list[str]]:
    """Find the splits among the columns of a node table.

    Parameters
    ----------
    columns
        The cells of every column, by name.

    Returns
    -------
    tuple
        For every split the code of every row (0: in no part, 1 training, 2 validation, 3 test),
        and the names of the columns that are not data because of it.

    Examples
    --------
    >>> splits_from_columns({"age": ["3", "4", "5"], "part": ["train", "", "test"]})
    ([[1, 0, 3]], ['part'])
    """
    found, used = [], []
    for name, cells in columns.items():
        words = [cell.strip().lower() for cell in cells]
        if may_be_split(words) and {"train", "training"} & set(words):
            found.append([_WORDS[word] for word in words])
            used.append(name)
    named = {name.strip().lower(): name for name in columns}
    if all(name in named for name in MASKS[:1]) and MASKS[2] in named:
        flags = [_flags(columns[named[name]]) if name in named else None for name in MASKS]
        if flags[0] is not None and flags[2] is not None:
            codes = [0] * len(flags[0])
            for code, part in enumerate(flags, start=1):
                for row, inside in enumerate(part or ()):
                    codes[row] = code if inside else codes[row]
            found.append(codes)
            used += [named[name] for name in MASKS if name in named]
    return found, used


def may_be_split(cells: Sequence[str]) -> bool:
    """Whether cells are words for parts of a split, or empty."""
    return {cell.strip().lower() for cell in cells} <= set(_WORDS)


def _flags(cells: Sequence[str]) -> list[bool] | None:
    words = [cell.strip().lower() for cell in cells]
    return [_TRUTH[word] for word in words] if set(words) <= set(_TRUTH) else None


def splits_of(codes: NDArray[Any]) -> tuple[Split, ...]:
    """Turn codes, shape (nodes, splits), into masks.

    Examples
    --------
    >>> splits_of(np.array([[1], [2], [3], [0]]))
    (Split(train=1, validation=1, test=1),)
    """
    return tuple(Split(*(column == part for part in (1, 2, 3))) for column in codes.T)


def codes_of(splits: Sequence[Split]) -> NDArray[np.int8]:
    """Turn splits into codes, shape (nodes, splits); the opposite of `splits_of`."""
    columns = [1 * split.train + 2 * split.validation + 3 * split.test for split in splits]
    return np.stack(columns, axis=1).astype(np.int8)


def masks_as_splits(masks: Sequence[Any], num_nodes: int) -> tuple[Split, ...]:
    """Turn masks for training, validation and test into splits; a column each if there are several.

    Parameters
    ----------
    masks
        Arrays or tensors of flags, shape (nodes,) or (nodes, splits); None for the validation or
        the test part: none of it is given.
    num_nodes
        Number of nodes.

    Examples
    --------
    >>> masks_as_splits([np.array([True, False]), None, np.array([False, True])], 2)
    (Split(train=1, validation=0, test=1),)
    """
    arrays = [None if mask is None else _columns(mask, name, num_nodes)
              for mask, name in zip(masks, MASKS, strict=True)]  # fmt: skip
    count = max(array.shape[1] for array in arrays if array is not None)
    parts = []
    for array, name in zip(arrays, MASKS, strict=True):
        given = np.zeros((num_nodes, 1), bool) if array is None else array
        if given.shape[1] not in (1, count):
            raise GraphError(f"{name} has {given.shape[1]} columns where another mask has {count}")
        parts.append(np.broadcast_to(given, (num_nodes, count)))
    twice = np.stack(parts).sum(axis=0) > 1
    if twice.any():
        node = int(np.argwhere(twice)[0][0])
        raise GraphError(f"the masks share {int(twice.sum())} nodes, such as node {node}: make "
                         f"them disjoint")  # fmt: skip
    return tuple(Split(*(part[:, k].copy() for part in parts)) for k in range(count))


def _columns(mask: Any, name: str, num_nodes: int) -> NDArray[np.bool_]:
    values = mask.detach().cpu().numpy() if hasattr(mask, "detach") else np.asarray(mask)
    if values.dtype != bool or values.ndim not in (1, 2) or values.shape[0] != num_nodes:
        raise GraphError(
            f"{name} has dtype {values.dtype} and shape {values.shape}: expected a flag per node, "
            f"({num_nodes},), or a column of them per split"
        )
    return values.reshape(num_nodes, -1)
