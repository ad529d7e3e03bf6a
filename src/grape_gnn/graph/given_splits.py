"""Splits that come with a graph: words in a column of the node table, or masks.

A column whose cells are words such as *train*, *val* and *test* is a split, whatever it is called;
so are the three columns *train_mask*, *val_mask* and *test_mask*, and *train_mask_0*, *val_mask_0*
and *test_mask_0*. Several such columns are several splits, in their order. Nodes with an empty cell
are in no part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.split import Split
from grape_gnn.warn import warn

__all__ = [
    "MASKS",
    "codes_of",
    "is_mask",
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
_MASK = re.compile(r"(train|val|test)_mask(.*)")
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
        elif {"train", "test"} <= set(words):
            odd = next(word for word in words if word not in _WORDS)
            warn(
                f"the column {name!r} has the words 'train' and 'test', but {odd!r} as well: taken "
                f"for a category, not for a split; leave such cells empty if it is one"
            )
    masks: dict[str, dict[int, str]] = {}
    for name in columns:
        if match := is_mask(name):
            masks.setdefault(match[2], {})[_WORDS[match[1]]] = name
    for parts in masks.values():
        flags = {code: _flags(columns[name]) for code, name in parts.items()}
        if flags.get(1) is not None and flags.get(3) is not None:
            found.append(_codes_of_flags(flags, parts))
            used += parts.values()
    return found, used


def is_mask(name: str) -> re.Match[str] | None:
    """Match the name of a column for one part of a split: the part, and which split."""
    return _MASK.fullmatch(name.strip().lower())


def _codes_of_flags(flags: Mapping[int, list[bool] | None], names: Mapping[int, str]) -> list[int]:
    codes = [0] * len(flags[1] or ())
    for code, part in sorted(flags.items()):
        for row, inside in enumerate(part or ()):
            if inside and codes[row]:
                both = f"{names[codes[row]]!r} and {names[code]!r}"
                raise GraphError(f"the columns {both} both have row {row}: a node is in one part")
            codes[row] = code if inside else codes[row]
    return codes


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
