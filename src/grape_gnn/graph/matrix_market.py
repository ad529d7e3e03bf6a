"""Matrix Market files (``.mtx``, plain or gzipped): the entries are the edges.

Not read by SciPy, whose reader believes what a header announces, and on damaged text runs past
the end of its memory. Here the text is looked at first: what stands in it, and whether it is long
enough for what it announces.
"""

from __future__ import annotations

import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.convert_scipy import from_scipy
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.rows import refuse_isolated
from grape_gnn.graph.unpack import open_unpacked

__all__ = ["read_matrix_market"]

CHUNK_BYTES = 1 << 20
LINE_BYTES = 10_000
NUMBERS = b"0123456789+-.eE \t\r\n" + b"naifNAIFtyTY"  # nan and infinity included
VALUES = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def read_matrix_market(path: Path, *, directed: bool | None = None, strict: bool = False) -> Graph:
    """Read a square matrix; without `directed`, a symmetric one gives an undirected graph."""
    try:
        with open_unpacked(path) as file:
            header = _read_header(path, file)
            _check_body(file, header)
        with open_unpacked(path) as file:
            _read_header(path, file)
            matrix = _read_entries(file, header)
    except GraphError:
        raise
    except (OSError, EOFError, ValueError, OverflowError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable Matrix Market file: {reason}") from error
    return from_scipy(matrix, directed, strict=strict)


@dataclass(frozen=True)
class _Header:
    """What the first lines announce: `entries` lines, with coordinates unless `dense`."""

    dense: bool
    values: int
    symmetry: str
    size: int
    entries: int


def _read_header(path: Path, file: BinaryIO) -> _Header:
    banner = _line(file).lower().split()
    if len(banner) != 5 or banner[:2] != ["%%matrixmarket", "matrix"]:
        raise ValueError("it does not begin with '%%MatrixMarket matrix' and three words")
    form, field, symmetry = banner[2:]
    dense = form == "array"
    if (
        form not in ("array", "coordinate")
        or field not in VALUES
        or symmetry not in SYMMETRIES
        or (dense and field == "pattern")
    ):
        raise ValueError(f"there are no matrices of the kind {' '.join(banner[2:])[:60]!r}")
    size = _line(file)
    while size.startswith("%") or (size and not size.strip()):
        size = _line(file)
    words = size.split()
    if len(words) != (2 if dense else 3) or not all(w.isdecimal() and len(w) < 40 for w in words):
        raise ValueError(f"the size line {size.strip()[:60]!r} is not {2 if dense else 3} numbers")
    rows, columns, *listed = (int(word) for word in words)
    if rows != columns:
        raise GraphFileError(path, f"an adjacency matrix must be square, not {rows} x {columns}")
    triangle = rows * (rows - 1) // 2 + (0 if symmetry == "skew-symmetric" else rows)
    entries = listed[0] if listed else rows * rows if symmetry == "general" else triangle
    return _Header(dense, VALUES[field], symmetry, rows, entries)


def _line(file: BinaryIO) -> str:
    line = file.readline(LINE_BYTES)
    if not line.isascii() or b"\0" in line or len(line) == LINE_BYTES:
        # Comments may be in any language; what matters may not.
        if not line.startswith(b"%") or line.startswith(b"%%") or b"\0" in line:
            raise ValueError("its first lines are not plain text")
        return "%"
    return line.decode("ascii")


def _check_body(file: BinaryIO, header: _Header) -> None:
    """Refuse a text that holds other than numbers, or less than was announced."""
    total = 1  # the last line need not end
    while chunk := file.read(CHUNK_BYTES):
        if strange := chunk.translate(None, NUMBERS):
            raise ValueError(f"it has {strange[:1]!r} among its numbers")
        total += len(chunk)
    # A number is a digit and a blank at least.
    room = total // (2 * header.values + (0 if header.dense else 4))
    if header.entries > room:
        raise ValueError(f"it announces {header.entries:,} entries and has room for {room:,}")
    refuse_isolated(header.size, header.entries, "correct the size line")


def _read_entries(file: BinaryIO, header: _Header) -> Any:
    columns: list[Any] = [] if header.dense else [("row", np.int64), ("column", np.int64)]
    columns += [(f"value{k}", np.float64) for k in range(header.values)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*input contained no data")
        table: NDArray[Any] = np.loadtxt(
            file, dtype=np.dtype(columns), comments=None, ndmin=1, encoding="ascii"
        )
    if table.size != header.entries:
        raise ValueError(f"it announces {header.entries:,} entries and has {table.size:,}")
    row, column = _dense_places(header) if header.dense else (table["row"] - 1, table["column"] - 1)
    if table.size and not 0 <= min(row.min(), column.min()) <= max(row.max(), column.max()) < (
        header.size
    ):
        raise ValueError(f"an entry lies outside the {header.size} x {header.size} of the matrix")
    present = np.full(table.size, not header.values)
    for k in range(header.values):
        present |= table[f"value{k}"] != 0
    row, column = row[present], column[present]
    if header.symmetry != "general":
        apart = row != column
        row, column = np.append(row, column[apart]), np.append(column, row[apart])
    ones = np.ones(row.size, np.int8)
    return coo_array((ones, (row, column)), shape=(header.size, header.size))


def _dense_places(header: _Header) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    # Column by column; of a symmetric matrix the lower triangle.
    n = header.size
    if header.symmetry == "general":
        column, row = np.divmod(np.arange(n * n), max(n, 1))
    else:
        column, row = np.triu_indices(n, k=int(header.symmetry == "skew-symmetric"))
    return row, column
