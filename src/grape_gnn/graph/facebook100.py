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
from scipy.io import loadmat
from scipy.sparse import csr_array, issparse

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.convert_scipy import from_scipy
from grape_gnn.graph.graph import Graph

__all__ = ["COLUMNS", "read_facebook100"]

COLUMNS = ("status", "gender", "major", "second_major", "dorm", "year", "high_school")


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
    try:
        contents: dict[str, Any] = loadmat(path, variable_names=["A", "local_info"])
    except Exception as error:  # SciPy's reader fails in many ways on damaged files
        raise GraphFileError(path, f"is not a readable MATLAB file: {error}") from error
    if not issparse(contents.get("A")) or "local_info" not in contents:
        raise GraphFileError(path, "is no Facebook100 file: it needs a sparse A and local_info")
    adjacency, info = contents["A"], contents["local_info"]
    n = adjacency.shape[0]
    if adjacency.shape != (n, n) or info.shape != (n, len(COLUMNS)):
        raise GraphFileError(
            path,
            f"A has shape {adjacency.shape} and local_info {info.shape}, "
            f"expected (n, n) and (n, {len(COLUMNS)})",
        )
    values = info.astype(np.int64)
    y = None
    if label is not None:
        y = values[:, _column(path, label)]
        y = y if missing_is_class else np.where(y == 0, -1, y)
    blocks = [_one_hot(values[:, _column(path, name)]) for name in features or ()]
    x: Any = np.hstack(blocks) if blocks else None
    return from_scipy(csr_array(adjacency), directed=False, x=x, y=y, strict=strict)


def _column(path: Path, name: str) -> int:
    if name not in COLUMNS:
        raise GraphFileError(path, f"has no column {name!r}; the columns are {', '.join(COLUMNS)}")
    return COLUMNS.index(name)


def _one_hot(column: NDArray[np.int64]) -> NDArray[np.float32]:
    encoded: NDArray[np.float32] = (column[:, None] == np.unique(column)).astype(np.float32)
    return encoded
