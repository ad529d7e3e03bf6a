"""Tables in Parquet and Arrow (Feather, IPC) files, as columns by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.files import open_regular
from grape_gnn.graph.columns import CATEGORIES
from grape_gnn.graph.frames import frame_columns

__all__ = ["ARROW_SUFFIXES", "ArrowTable", "open_arrow", "read_arrow_columns"]

ARROW_SUFFIXES = (".parquet", ".arrow", ".feather", ".ipc")


class ArrowTable:
    """An open table: its schema, and its rows batch by batch.

    Parameters
    ----------
    file
        The open file. A Parquet file is known by its first four bytes, whatever it is called.

    Attributes
    ----------
    schema : pyarrow.Schema
        The columns.
    rows : int or None
        How many rows there are, if that is known beforehand.
    """

    def __init__(self, file: Any) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        start = file.read(6)
        file.seek(0)
        self.rows: int | None = None
        if start[:4] == b"PAR1":
            self._source = pq.ParquetFile(file, pre_buffer=False)
            self.schema = self._source.schema_arrow
            self.rows = self._source.metadata.num_rows
        else:
            open_one = pa.ipc.open_file if start == b"ARROW1" else pa.ipc.open_stream
            self._source = open_one(file)
            self.schema = self._source.schema

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Give the rows of some columns in batches; so many of a Parquet file, or as they come."""
        if hasattr(self._source, "iter_batches"):
            batches = self._source.iter_batches(rows, columns=list(columns), use_threads=False)
        elif hasattr(self._source, "num_record_batches"):
            count = self._source.num_record_batches
            batches = (self._source.get_batch(k).select(columns) for k in range(count))
        else:
            batches = (batch.select(columns) for batch in self._source)
        for batch in batches:
            # Readers trust the offsets in a file, and a wrong one would end the process.
            batch.validate(full=True)
            yield batch


@contextmanager
def open_arrow(path: Path) -> Iterator[ArrowTable]:
    """Open a table; whatever is wrong with it inside the ``with`` block is one typed line."""
    with named_extra():
        import pyarrow as pa
    try:
        with open_regular(path) as file:
            yield ArrowTable(file)
    except GraphError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable Parquet or Arrow table: {reason}") from error


def read_arrow_columns(path: Path, columns: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
    """Read a table, or some columns of it."""
    with open_arrow(path) as opened:
        import pyarrow as pa

        names = list(opened.schema.names)
        if len(set(names)) != len(names):
            raise GraphError(f"column names must be distinct, got {names}")
        wanted = names if columns is None else list(columns)
        schema = pa.schema([opened.schema.field(name) for name in wanted])
        batches = list(opened.batches(wanted, 1 << 20))
        cells = frame_columns(pa.Table.from_batches(batches, schema))
        index, categories = _told_by_pandas(opened.schema)
    for name in categories & cells.keys():
        cells[name] = cells[name].astype(object).astype(CATEGORIES)
    rows = next(iter(cells.values())).size if cells else 0
    if columns is None and index is not None and len(index[1]) == rows:
        cells = {index[0]: np.array(index[1]), **cells}
    return cells


def _told_by_pandas(schema: Any) -> tuple[tuple[str, range] | None, set[str]]:
    """Return what pandas writes beside a table: an index 0, 1, ... with a name, and categories.

    The values of such an index are not in the table, and Parquet forgets that numbers are
    categories.
    """
    said = schema.pandas_metadata
    said = said if isinstance(said, dict) else {}
    index = None
    for each in _dictionaries(said.get("index_columns")):
        ends: list[Any] = [each.get(key) for key in ("start", "stop", "step")]
        if isinstance(each.get("name"), str) and all(type(end) is int for end in ends) and ends[2]:
            index = (each["name"], range(*ends))
    columns = _dictionaries(said.get("columns"))
    return index, {str(e.get("name")) for e in columns if e.get("pandas_type") == "categorical"}


def _dictionaries(found: Any) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
