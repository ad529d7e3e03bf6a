"""Tables of separated values, row by row: never more than a line of the file is in memory."""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.unpack import open_unpacked

__all__ = ["CellRows"]

# Only these end a line: cells may hold other separators, such as U+2028.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class CellRows:
    r"""The rows of a CSV or TSV file, plain or gzipped, and the line of each.

    Parameters
    ----------
    path
        The file.

    Attributes
    ----------
    delimiter : str
        What is between cells; known when the first row is.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "a.csv")
    >>> _ = file.write_text("# people\nname,age\nann, 31\n")
    >>> list(CellRows(file))
    [(['name', 'age'], 2), (['ann', '31'], 3)]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.delimiter = ","

    def __iter__(self) -> Iterator[tuple[list[str], int]]:
        """Give the rows, the names of the columns first."""
        try:
            with open_unpacked(self.path) as file:
                yield from self._rows(file)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise GraphFileError(self.path, f"cannot be read: {reason}") from error

    def _rows(self, file: BinaryIO) -> Iterator[tuple[list[str], int]]:
        lines = self._lines(file)
        before = []
        for line in lines:
            before.append(line)
            if line.strip():
                self.delimiter = max(",\t;", key=line.count)
                break
        reader = csv.reader(chain(before, lines), delimiter=self.delimiter, strict=True)
        width = 0
        try:
            for row in reader:
                if not row:
                    continue
                cells = [cell.strip() for cell in row]
                if not width and cells.count("") > 1:  # of a spreadsheet, or an index and another
                    cells = [name or f"column {k}" for k, name in enumerate(cells, start=1)]
                if not width and len(set(cells)) != len(cells):
                    self._refuse(f"column names must be distinct, got {cells}", reader.line_num)
                width = width or len(cells)
                if len(cells) != width:
                    self._refuse(
                        f"found {len(cells)} columns where the first line has {width}",
                        reader.line_num,
                    )
                yield cells, reader.line_num
        except csv.Error as error:
            raise GraphFileError(self.path, str(error), reader.line_num) from error
        if not width:
            self._refuse("is empty; the first line must name the columns")

    def _lines(self, file: BinaryIO) -> Iterator[str]:
        for number, raw in enumerate(file, start=1):
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise GraphFileError(
                    self.path, "is not UTF-8; convert the file to UTF-8", number
                ) from error
            for line in _LINE.findall(text):
                # Comments become empty lines, which the reader skips: line numbers stay right.
                yield "" if line.startswith(("#", "%")) else line

    def _refuse(self, reason: str, line: int | None = None) -> None:
        raise GraphFileError(self.path, reason, line)
