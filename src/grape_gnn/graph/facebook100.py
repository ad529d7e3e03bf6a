"""Facebook100 networks as MATLAB files (Traud, Mucha and Porter, 2012).

``A`` is the sparse adjacency matrix; ``local_info`` has one row per person and seven columns, in
which 0 means missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat, whosmat
from scipy.sparse import csr_array

from grape_gnn.errors import GraphFileError
from grape_gnn.files import open_regular
from grape_gnn.graph.convert_scipy import from_scipy
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.matlab_tags import check_tags

__all__ = ["COLUMNS", "read_facebook100"]

COLUMNS = ("status", "gender", "major", "second_major", "dorm", "year", "high_school")
NUMBERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))


def read_facebook100(
    path: Path,
    *,
    label: str | None = "year",
    features: Sequence[str] | None = ("gender", "major"),
    missing_is_class: bool = False,
    strict: bool = False,
) -> Graph:
    """Read a Facebook100 network.

    Parameters
    ----------
    path
        The ``.mat`` file.
    label
        Which of `COLUMNS` is the label; None for none.
    features
        Columns to encode as features, one 0/1 column per value, values ascending (0, missing,
        included: not telling is information too). None or empty: no features.
    missing_is_class
        Keep a missing label (0) as a class of its own, as some papers do.
    strict
        Refuse self-loops.
    """
    adjacency, values = _read(path)
    y = None
    if label is not None:
        y = values[:, _column(path, label)]
        y = y if missing_is_class else np.where(y == 0, -1, y)
    blocks = [_one_hot(values[:, _column(path, name)]) for name in features or ()]
    x: Any = np.hstack(blocks) if blocks else None
    return from_scipy(adjacency, directed=False, x=x, y=y, strict=strict)


def _read(path: Path) -> tuple[Any, NDArray[np.int64]]:
    """Return A and local_info, neither of which can be wrong in itself any more."""
    try:
        # What the variables are is asked first: of nested cells, loading knows no end.
        with open_regular(path) as opened:
            file: Any = opened
            kinds = {name: kind for name, _shape, kind in whosmat(file)}
            fits = kinds.get("A") == "sparse" and kinds.get("local_info") in (*NUMBERS, "double")
            if fits:
                file.seek(0)
                check_tags(file.read())
                file.seek(0)
                contents: dict[str, Any] = loadmat(file, variable_names=["A", "local_info"])
                # SciPy takes row numbers as they come, and would read and write beyond its arrays.
                contents["A"].check_format(full_check=True)
                adjacency: Any = csr_array(contents["A"])
    except Exception as error:  # SciPy's reader fails in many ways on damaged files
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable MATLAB file: {reason}") from error
    if not fits:
        raise GraphFileError(path, "is no Facebook100 file: it needs a sparse A and local_info")
    info: NDArray[Any] = contents["local_info"]
    n = adjacency.shape[0]
    if adjacency.shape != (n, n) or info.shape != (n, len(COLUMNS)):
        raise GraphFileError(
            path,
            f"A has shape {adjacency.shape} and local_info {info.shape}, "
            f"expected (n, n) and (n, {len(COLUMNS)})",
        )
    if info.dtype.kind == "c" or not (np.abs(info) < 2**53).all() or (info != info // 1).any():
        raise GraphFileError(path, "the values of local_info are not all integers")
    return adjacency, info.astype(np.int64)


def _column(path: Path, name: str) -> int:
    if name not in COLUMNS:
        raise GraphFileError(path, f"has no column {name!r}; the columns are {', '.join(COLUMNS)}")
    return COLUMNS.index(name)


def _one_hot(column: NDArray[np.int64]) -> NDArray[np.float32]:
    encoded: NDArray[np.float32] = (column[:, None] == np.unique(column)).astype(np.float32)
    return encoded
