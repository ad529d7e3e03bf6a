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
        The columns, without what may differ from part to part of a table: whether there are gaps,
        and how many categories.
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
            schema = self._source.schema_arrow
            self.rows = self._source.metadata.num_rows
        else:
            open_one = pa.ipc.open_file if start == b"ARROW1" else pa.ipc.open_stream
            self._source = open_one(file)
            schema = self._source.schema
        fields = [pa.field(field.name, _bare(field.type)) for field in schema]
        self.schema = pa.schema(fields, schema.metadata)

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Give the rows of some columns in batches; so many of a Parquet file, or as they come."""
        import pyarrow as pa

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
            arrays = [
                _with_type(batch.column(k), self.schema.field(name).type)
                for k, name in enumerate(columns)
            ]
            yield pa.RecordBatch.from_arrays(arrays, list(columns))


def _with_type(array: Any, kind: Any) -> Any:
    return array if array.type == kind else array.cast(kind)


def _bare(kind: Any) -> Any:
    """Return a type with the same integers for categories, however many there are."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return pa.dictionary(pa.int64(), kind.value_type, kind.ordered)
    return kind


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
