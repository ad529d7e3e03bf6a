"""Tables in Parquet and Arrow (Feather, IPC) files, or folders of such, as columns by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.arrow_part import ArrowPart, open_part, told_in_one_line
from grape_gnn.graph.columns import CATEGORIES
from grape_gnn.graph.frames import frame_columns
from grape_gnn.graph.table_parts import table_files
from grape_gnn.progress import report

__all__ = ["ArrowTable", "open_arrow", "read_arrow_columns", "row_place"]


class ArrowTable:
    """A table in one or several files: its schema, and its rows batch by batch, part after part.

    Parameters
    ----------
    path
        The file, or the folder of parts; see `table_files`. One part at a time is open.

    Attributes
    ----------
    schema : pyarrow.Schema
        The columns, the same in all parts.
    rows : int or None
        How many rows there are, if that is known beforehand.
    is_one_file : bool
        Whether the table has no parts.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._files = path, table_files(path)
        self.is_one_file = self._files == [path]
        with open_part(self._files[0], self._remedy) as part:
            self.schema = part.schema
        counts = []
        for number, file in enumerate(self._files):
            report(f"looking at {path.name}", number, len(self._files))
            with self._open(file) as part:
                counts.append(part.rows)
        known = [count for count in counts if count is not None]
        self.rows = sum(known) if len(known) == len(counts) else None

    def batches(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Give the rows of some columns in batches; so many of a Parquet file, or as they come."""
        for file in self._files:
            with self._open(file) as part:
                yield from part.batches(columns, rows)

    @contextmanager
    def _open(self, file: Path) -> Iterator[ArrowPart]:
        with open_part(file, self._remedy) as part:
            difference = _difference(part.schema, self.schema)
            if difference:
                first = self._files[0].relative_to(self.path)
                raise GraphFileError(
                    file,
                    f"{difference} in {first}: all parts of a table must have the same columns, of "
                    f"the same types",
                )
            yield part

    @property
    def _remedy(self) -> str:
        if self.is_one_file:
            return ""
        return (
            f"; all files in {self.path} are taken for parts of one table, but for those whose "
            f"names begin with _ or a dot"
        )


def _difference(schema: Any, first: Any) -> str:
    """Return how the columns of a part differ from those of the first; empty: they do not."""
    for name in first.names:
        if name not in schema.names:
            return f"lacks the column {name!r}, which is"
    for field in schema:
        if field.name not in first.names:
            return f"has the column {field.name!r}, which is not"
        known = first.field(field.name).type
        if field.type != known:
            return f"has the column {field.name!r} of type {field.type}, which is {known}"
    return ""


@contextmanager
def open_arrow(path: Path) -> Iterator[ArrowTable]:
    """Open a table; whatever is wrong with it inside the ``with`` block is one typed line."""
    with told_in_one_line(path):
        yield ArrowTable(path)


def row_place(path: Path, row: int) -> str:
    """Say which row of a table it is; in a table of several parts, which row of which part."""
    files = table_files(path)
    if files == [path]:
        return f"row {row}"
    for file in files:
        with open_part(file) as part:
            first = part.schema.names[:1]
            rows = sum(batch.num_rows for batch in part.batches(first, 1 << 20))
        if row < rows:
            break
        row -= rows
    return f"{file.relative_to(path)}, row {row}"


def read_arrow_columns(path: Path, columns: Sequence[str] | None = None) -> dict[str, NDArray[Any]]:
    """Read a table, or some columns of it."""
    with open_arrow(path) as opened:
        import pyarrow as pa

        names = list(opened.schema.names)
        wanted = names if columns is None else list(columns)
        schema = pa.schema([opened.schema.field(name) for name in wanted])
        batches = list(opened.batches(wanted, 1 << 20))
        cells = frame_columns(pa.Table.from_batches(batches, schema))
        index, categories = _told_by_pandas(opened.schema)
        if not opened.is_one_file:  # that of the first part says nothing of the others
            index = None
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
