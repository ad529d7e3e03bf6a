"""Tables of a few columns as CSV or Parquet files, each whole or not there."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grape_gnn.errors import FileError
from grape_gnn.extras import named_extra
from grape_gnn.files.atomic import atomic_write

__all__ = ["check_table_name", "write_columns"]


def check_table_name(path: Path) -> None:
    """Refuse a file whose kind is not known, or that cannot be written here, before the work."""
    if path.suffix == ".parquet":
        with named_extra():
            import pyarrow  # noqa: F401  only to have it there
    elif path.suffix != ".csv":
        raise FileError(path, "cannot be written: the name must end in .csv or .parquet")


def write_columns(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write columns of one length.

    Parameters
    ----------
    path
        A ``.csv`` or ``.parquet`` file (extra ``arrow``).
    columns
        The values by the columns' names; in a file of the second kind each of one type.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_columns(Path(folder, "a.csv"), {"node": ["ann"], "cluster": [0]})
    ...     print(Path(folder, "a.csv").read_text(), end="")
    node,cluster
    ann,0
    """
    check_table_name(path)
    with atomic_write(path) as temporary:
        if path.suffix == ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(
                pa.table({name: list(values) for name, values in columns.items()}), temporary
            )
            return
        with temporary.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(columns)
            table.writerows(zip(*columns.values(), strict=True))
