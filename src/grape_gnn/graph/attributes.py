"""What nodes carry besides edges and features: labels and names, checked and in one form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.files.texts import Texts
from grape_gnn.warn import warn

__all__ = [
    "Label",
    "Names",
    "as_label_codes",
    "as_names",
    "as_objects",
    "encode_labels",
    "is_missing",
    "refuse_repeated",
    "spells_integer",
]

Label: TypeAlias = str | int
Names: TypeAlias = NDArray[np.int64] | tuple[str, ...] | Texts

MISSING = -1


def encode_labels(y: Any, num_nodes: int) -> tuple[NDArray[np.int64], tuple[Label, ...]]:
    """Turn labels into codes 0..k-1 in sorted order of the labels; missing ones become -1.

    Missing is ``None``, NaN, or ``-1`` among integers.
    """
    values = np.asarray(y if hasattr(y, "__array__") else as_objects(y))
    if values.ndim != 1 or values.size != num_nodes:
        raise GraphError(
            f"labels y must have shape ({num_nodes},), one label per node; got {values.shape}"
        )
    if values.dtype.kind == "b":
        values = values.astype(np.int64)
    if values.dtype.kind in "iu":
        return _encode_integers(values.astype(np.int64))
    missing = np.fromiter((is_missing(v) for v in values), bool, num_nodes)
    present = values[~missing]
    if all(isinstance(v, str) for v in present):
        text = np.array([str(v) for v in present], dtype=object)
        names, inverse = np.unique(text, return_inverse=True)
        codes = np.full(num_nodes, MISSING, np.int64)
        codes[~missing] = inverse
        return codes, tuple(names.tolist())
    integers = np.full(num_nodes, MISSING, np.int64)
    for node in np.flatnonzero(~missing):
        integers[node] = _as_integer_label(values[node], int(node))
    return _encode_integers(integers, int(missing.sum()))


def as_label_codes(
    y: Any, label_names: Sequence[Label], num_nodes: int
) -> tuple[NDArray[np.int64], tuple[Label, ...]]:
    """Check codes that already point into `label_names`; -1 is missing."""
    names = tuple(v if isinstance(v, str) else int(v) for v in label_names)
    codes = np.asarray(y)
    if codes.dtype.kind not in "iu" or codes.shape != (num_nodes,):
        raise GraphError(
            f"with label_names, y must be {num_nodes} integer codes; "
            f"got dtype {codes.dtype}, shape {codes.shape}"
        )
    if len(set(names)) != len(names):
        raise GraphError("label_names must be distinct")
    bad = (codes < MISSING) | (codes >= len(names))
    if bad.any():
        node = int(np.argmax(bad))
        raise GraphError(
            f"label code {codes[node]} at y[{node}] is neither -1 (missing) nor an index into "
            f"the {len(names)} label_names"
        )
    return codes.astype(np.int64), names


def as_names(names: Iterable[Any], num_nodes: int) -> Names | None:
    """Return distinct node names as int64 or as texts; None when they are just 0..n-1."""
    if isinstance(names, np.ndarray) and names.dtype == np.int64:
        return _as_integer_names(names, num_nodes)
    given = names.tolist() if isinstance(names, np.ndarray) else list(names)
    if len(given) != num_nodes:
        raise GraphError(f"names must have one entry per node: {num_nodes}, got {len(given)}")
    if all(_is_int64(v) for v in given):
        return _as_integer_names(np.array(given, dtype=np.int64), num_nodes)
    texts = tuple(str(v) for v in given)
    refuse_repeated(texts)
    return texts


def _is_int64(value: Any) -> bool:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and -(2**63) <= value < 2**63


def _as_integer_names(names: NDArray[np.int64], num_nodes: int) -> NDArray[np.int64] | None:
    if names.shape != (num_nodes,):
        raise GraphError(f"names must have one entry per node: {num_nodes}, got {names.size}")
    if np.array_equal(names, np.arange(num_nodes)):
        return None
    refuse_repeated(names)
    copy: NDArray[np.int64] = names.copy()
    return copy


def spells_integer(text: str) -> bool:
    """Tell whether `text` is the shortest spelling of a 64-bit integer from 0 up."""
    # The length first: Python refuses to convert thousands of digits.
    return text.isdecimal() and len(text) <= 19 and str(int(text)) == text and int(text) < 2**63


def _encode_integers(
    values: NDArray[np.int64], gaps: int = 0
) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Turn integers into codes; so many of the -1 among them stand for gaps."""
    negative = values < MISSING
    if negative.any():
        node = int(np.argmax(negative))
        raise GraphError(
            f"label {values[node]} at y[{node}] is negative; use -1 for a missing label and "
            "numbers from 0 (or texts) for classes"
        )
    present = values != MISSING
    names = np.unique(values[present])
    if names.tolist() == [1] and np.count_nonzero(~present) > gaps:
        warn(
            "the labels are -1 and 1, and -1 means missing; if these are two classes, pass 0 and "
            "1 or texts"
        )
    codes = np.where(present, np.searchsorted(names, values), MISSING).astype(np.int64)
    return codes, tuple(int(v) for v in names)


def as_objects(values: Any) -> NDArray[np.object_]:
    """Return an array that keeps every value as it is."""
    # np.array(["a", None]) and np.array(["a", 1]) would silently turn everything into text.
    listed = list(values)
    out = np.empty(len(listed), dtype=object)
    out[:] = listed
    return out


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN or pandas.NA."""
    if value is None or type(value).__name__ == "NAType":  # pandas.NA refuses comparisons
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _as_integer_label(value: Any, node: int) -> int:
    if isinstance(value, str):
        raise GraphError(
            f"labels y mix texts and numbers: y[{node}] is {value!r}; use one kind for all"
        )
    integer: int | None
    try:
        integer = int(value)
    except (TypeError, ValueError, OverflowError):
        integer = None
    if integer is None or integer != value or abs(integer) >= 2**63:
        raise GraphError(
            f"label {value!r} at y[{node}] is neither a text nor an integer; "
            "turn classes into texts or into 0..k-1"
        )
    return integer


def refuse_repeated(names: NDArray[np.int64] | tuple[str, ...]) -> None:
    """Refuse names that two nodes have."""
    if isinstance(names, tuple):
        distinct = len(set(names)) == len(names)
    else:  # names of a file are mostly ascending, which needs no sorting
        distinct = bool((names[1:] > names[:-1]).all()) or np.unique(names).size == names.size
    if distinct:
        return
    first_node: dict[Any, int] = {}
    for node, name in enumerate(names if isinstance(names, tuple) else names.tolist()):
        if name in first_node:
            raise GraphError(
                f"names must be distinct: {name!r} names the nodes {first_node[name]} and {node}"
            )
        first_node[name] = node
