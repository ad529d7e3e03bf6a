"""Data frames of pandas and polars, and Arrow tables, as columns by name.

None of these libraries is imported: a frame is known by what it can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.columns import CATEGORIES

__all__ = ["frame_columns", "is_frame"]


def is_frame(source: Any) -> bool:
    """Tell whether something is a data frame, or an Arrow table.

    Examples
    --------
    >>> import pandas as pd
    >>> is_frame(pd.DataFrame({"a": [1]})), is_frame([[1]])
    (True, False)
    """
    return _is_arrow(source) or _is_polars(source) or _is_pandas(source)


def frame_columns(frame: Any, index: bool = True) -> dict[str, NDArray[Any]]:
    """Return the columns by name: numbers and times as they are, anything else as objects.

    Missing values are NaN among numbers, NaT among times, and None among objects. What the frame
    calls categories has the type `CATEGORIES`, even if they are numbers.

    Parameters
    ----------
    frame
        The data frame or table.
    index
        Whether the index of a pandas frame comes first, if it has a name or is no numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [31, None]}, index=pd.Index(["ann", "bob"], name="who"))
    >>> frame_columns(frame)
    {'who': array(['ann', 'bob'], dtype=object), 'age': array([31., nan])}
    """
    if _is_arrow(frame):
        pairs = [(name, _of_arrow(frame.column(name))) for name in frame.column_names]
    elif _is_polars(frame):
        frame = frame.lazy().collect()
        pairs = [(name, _of_polars(frame.get_column(name))) for name in frame.columns]
    elif _is_pandas(frame):
        if index and _is_column(frame.index):
            frame = frame.reset_index()
        pairs = [(str(name), _of_pandas(series)) for name, series in frame.items()]
    else:
        raise GraphError(
            f"expected a pandas or polars data frame or an Arrow table, got {type(frame).__name__}"
        )
    found = dict(pairs)
    if len(found) != len(pairs):
        raise GraphError(f"column names must be distinct, got {[name for name, _ in pairs]}")
    return found


def _is_arrow(source: Any) -> bool:
    return hasattr(source, "column_names") and hasattr(source, "num_rows")


def _is_polars(source: Any) -> bool:
    return type(source).__module__.partition(".")[0] == "polars" and hasattr(source, "lazy")


def _is_pandas(source: Any) -> bool:
    return hasattr(source, "columns") and hasattr(source, "index") and hasattr(source, "dtypes")


def _is_column(index: Any) -> bool:
    if getattr(index, "nlevels", 1) != 1:
        return False
    return index.name is not None or getattr(index.dtype, "kind", "O") not in "iuf"


def _of_pandas(series: Any) -> NDArray[Any]:
    kind = getattr(series.dtype, "kind", "O")
    if kind in "iuf":
        if series.isna().any():
            return np.asarray(series.to_numpy(np.float64, na_value=np.nan))
        return np.asarray(series.to_numpy())
    if kind == "M":
        times = series.dt.tz_convert("UTC").dt.tz_localize(None) if _has_zone(series) else series
        return np.asarray(times.to_numpy("datetime64[ms]"))
    values = _of_list(series.astype(object).to_numpy(), str(series.dtype) == "category")
    values[series.isna().to_numpy()] = None
    return values


def _has_zone(series: Any) -> bool:
    return getattr(series.dtype, "tz", None) is not None


def _of_arrow(column: Any) -> NDArray[Any]:
    if str(column.type).startswith(("int", "uint", "float", "double")):
        return np.asarray(column.to_numpy())
    return _of_list(column.to_pylist(), str(column.type).startswith("dictionary"))


def _of_polars(series: Any) -> NDArray[Any]:
    if series.dtype.is_integer() or series.dtype.is_float():
        return np.asarray(series.to_numpy())
    return _of_list(series.to_list(), str(series.dtype).startswith(("Categorical", "Enum")))


def _of_list(values: Sequence[Any] | NDArray[Any], categories: bool) -> NDArray[Any]:
    out = np.empty(len(values), CATEGORIES if categories else object)
    out[:] = values
    return out
