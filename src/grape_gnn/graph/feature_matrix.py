"""Node features as a matrix: dense, or sparse like the words of papers, and then it stays sparse.

A matrix of 200,000 papers and 20,000 words has 4 billion cells, 16 GB, of which a thousandth is not
zero. So whoever needs it dense asks `made_dense`, which refuses what is too large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from grape_gnn.errors import GraphError

__all__ = [
    "Features",
    "as_features",
    "feature_members",
    "freeze",
    "made_dense",
    "read_features",
    "refuse_infinite",
    "stored_columns",
]

Features: TypeAlias = "NDArray[np.float32] | csr_array[Any, Any]"

FINITE_CELLS = 1 << 20  # looked at together: the whole would take a quarter more memory
DENSE_BYTES = 2 << 30  # of a sparse matrix that is made dense
_PARTS = ("data", "indices", "indptr")


def as_features(x: Any, num_nodes: int) -> Features:
    """Return `x` as a finite float32 matrix with one row per node; a sparse one stays sparse.

    Examples
    --------
    >>> as_features([[1, 2], [3, 4]], 2).dtype
    dtype('float32')
    >>> as_features(csr_array([[0, 1], [0, 0]]), 2).nnz
    1
    """
    sparse: bool = issparse(x)
    try:
        given: Any = csr_array(x) if sparse else np.asarray(x)
    except ValueError as error:
        raise GraphError(f"features x must be a matrix: {error}") from error
    if given.dtype.kind not in "biuf":
        raise GraphError(f"features x must be numbers, got dtype {given.dtype}")
    if given.ndim != 2 or given.shape[0] != num_nodes:
        raise GraphError(
            f"features x must have shape ({num_nodes}, f), one row per node; got {given.shape}"
        )
    # A float64 beyond the float32 range turns infinite here and is refused below.
    with np.errstate(over="ignore"):
        narrow: Any = given.astype(np.float32)
    if sparse:
        narrow.sum_duplicates()  # which sorts the rows
        refuse_infinite(narrow)
        narrow.eliminate_zeros()
    else:
        refuse_infinite(narrow, given)
    found: Features = narrow
    return found


def refuse_infinite(x: Features, given: NDArray[Any] | None = None) -> None:
    """Refuse features that are not finite; the message shows them as they were given."""
    if isinstance(x, np.ndarray):
        step = max(1, FINITE_CELLS // max(1, x.shape[1]))
        for begin in range(0, len(x), step):
            bad = ~np.isfinite(x[begin : begin + step])
            if bad.any():
                row, column = (int(k) for k in np.argwhere(bad)[0])
                _refuse(begin + row, column, (x if given is None else given)[begin + row, column])
        return
    bad = ~np.isfinite(x.data)
    if bad.any():
        entry = int(np.argmax(bad))
        row = int(np.searchsorted(x.indptr, entry, side="right")) - 1
        _refuse(row, int(x.indices[entry]), x.data[entry])


def _refuse(row: int, column: int, value: Any) -> None:
    raise GraphError(f"features x must be finite 32-bit numbers; x[{row}, {column}] is {value}")


def made_dense(x: Features, who: str) -> NDArray[np.float32]:
    """Return features as a dense matrix, for those who cannot do without.

    Parameters
    ----------
    x
        The features.
    who
        Who needs it, for the message.

    Raises
    ------
    GraphError
        A sparse matrix would take more than 2 GB.

    Examples
    --------
    >>> made_dense(csr_array(np.eye(2, dtype=np.float32)), "a list").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if isinstance(x, np.ndarray):
        return x
    size = 4 * x.shape[0] * x.shape[1]
    if size > DENSE_BYTES:
        raise GraphError(
            f"{who} needs the features as a dense matrix, and the sparse one with "
            f"{x.shape[0]:,} rows and {x.shape[1]:,} columns would take {size / 2**30:.1f} GB: "
            f"give fewer columns, or a dense matrix if there is room for it"
        )
    dense: NDArray[np.float32] = x.toarray()
    return dense


def stored_columns(x: Features) -> int:
    """Return how many columns of a dense matrix would take as much memory and time.

    An entry that is stored has its place besides its value, by row and by column.
    """
    if isinstance(x, np.ndarray):
        return int(x.shape[1])
    return -(-3 * int(x.nnz) // max(1, int(x.shape[0])))


def freeze(x: Features) -> None:
    """Make a matrix that nobody can change by mistake."""
    for array in (x,) if isinstance(x, np.ndarray) else (getattr(x, part) for part in _PARTS):
        array.flags.writeable = False


# ------------------------------------------------------------------ in files


def feature_members(x: Features) -> dict[str, Any]:
    """Return the arrays of a file: ``x``, or ``x_data``, ``x_indices``, ``x_indptr``, ``x_width``.

    Examples
    --------
    >>> sorted(feature_members(csr_array(np.eye(2, dtype=np.float32))))
    ['x_data', 'x_indices', 'x_indptr', 'x_width']
    """
    if isinstance(x, np.ndarray):
        return {"x": x}
    # One type for both, whatever SciPy chose: it would copy a mapped array to make them alike.
    wide = np.int64 if max(*x.shape, x.nnz) >= 2**31 else np.int32
    return {
        "x_data": x.data,
        "x_indices": x.indices.astype(wide, copy=False),
        "x_indptr": x.indptr.astype(wide, copy=False),
        "x_width": np.array(x.shape[1]),
    }


def read_features(
    members: Mapping[str, NDArray[Any]], num_nodes: int, *, mapped: bool, checked: bool
) -> Features | None:
    """Return the features of a file, trusting none of its arrays; None without any.

    Parameters
    ----------
    members
        The arrays by name.
    num_nodes
        Number of nodes.
    mapped
        Whether they are mapped: the values are not read then.
    checked
        Whether all this was done before, with these very arrays.

    Raises
    ------
    KeyError, ValueError
        An array is missing or wrong.
    """
    x: Any = members.get("x")
    if x is not None and (x.dtype != np.float32 or x.ndim != 2 or len(x) != num_nodes):
        raise GraphError(f"x has dtype {x.dtype} and shape {x.shape}")
    if "x_data" in members:
        data, indices, indptr = (members[f"x_{part}"] for part in _PARTS)
        width = int(members["x_width"])
        if not checked:
            _check_rows(data, indices, indptr, num_nodes, width)
        x = csr_array((data, indices, indptr), (num_nodes, width))
        x.has_sorted_indices = x.has_canonical_format = True  # or SciPy looks again, or sorts
    if x is not None and not mapped:
        refuse_infinite(x)
    return x  # type: ignore[no-any-return]


def _check_rows(
    data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], rows: int, width: int
) -> None:
    whole = indices.dtype == indptr.dtype and indices.dtype in (np.int32, np.int64)
    if data.dtype != np.float32 or not whole or not data.ndim == indices.ndim == indptr.ndim == 1:
        raise GraphError("x_data, x_indices and x_indptr are no sparse matrix")
    steps = np.diff(indptr)
    if indptr.size != rows + 1 or indptr[0] != 0 or (steps < 0).any():
        raise GraphError("x_indptr does not ascend from 0, one step per node")
    if indptr[-1] != data.size or data.size != indices.size:
        raise GraphError("x_indptr does not end where x_data and x_indices do")
    if indices.size and not 0 <= indices.min() <= indices.max() < width:
        raise GraphError(f"x_indices are not among the {width} columns")
    ascends = np.diff(indices) > 0
    ascends[indptr[1:-1][(indptr[1:-1] > 0) & (indptr[1:-1] < indices.size)] - 1] = True
    if not ascends.all():
        raise GraphError("the rows of x_indices do not ascend")
