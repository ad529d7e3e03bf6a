"""One open file of a table: Parquet, or Arrow (Feather, IPC)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.files import open_regular

__all__ = ["ArrowPart", "open_part", "told_in_one_line"]


class ArrowPart:
    """An open file: its schema, and its rows batch by batch.

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
def open_part(path: Path, remedy: str = "") -> Iterator[ArrowPart]:
    """Open a file; whatever is wrong with it inside the ``with`` block is one typed line."""
    with told_in_one_line(path, remedy), open_regular(path) as file:
        part = ArrowPart(file)
        names = list(part.schema.names)
        if len(set(names)) != len(names):
            raise GraphFileError(path, f"column names must be distinct, got {names}")
        yield part


@contextmanager
def told_in_one_line(path: Path, remedy: str = "") -> Iterator[None]:
    """Turn what Arrow and the system say of a table into one typed line."""
    with named_extra():
        import pyarrow as pa
    try:
        yield
    except GraphError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(
            path, f"is not a readable Parquet or Arrow table: {reason}{remedy}"
        ) from error
