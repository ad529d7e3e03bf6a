"""Matrix Market files (``.mtx``, plain or gzipped): the entries are the edges.

SciPy's reader is fast, but it believes what a header says and runs past the end of text with a
NUL in it. So the whole text is looked at first: what stands in it, and whether it is long enough
for what it announces.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, BinaryIO

from scipy.io import mmread
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


def read_matrix_market(path: Path, *, directed: bool | None = None, strict: bool = False) -> Graph:
    """Read a square matrix; without `directed`, a symmetric one gives an undirected graph."""
    try:
        with open_unpacked(path) as file:
            _check(path, file)
        with open_unpacked(path) as file:
            matrix: Any = mmread(file)
    except GraphError:
        raise
    except (OSError, EOFError, ValueError, OverflowError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable Matrix Market file: {reason}") from error
    return from_scipy(coo_array(matrix), directed, strict=strict)


def _check(path: Path, file: BinaryIO) -> None:
    """Refuse a text that announces more than it holds, or holds what no such file does."""
    banner = _line(file).lower().split()
    if len(banner) != 5 or banner[:2] != ["%%matrixmarket", "matrix"]:
        raise ValueError("it does not begin with '%%MatrixMarket matrix' and three words")
    size = _line(file)
    while size.startswith("%") or (size and not size.strip()):
        size = _line(file)
    words = size.split()
    dense = banner[2] == "array"
    if len(words) != (2 if dense else 3) or not all(w.isdecimal() and len(w) < 40 for w in words):
        raise ValueError(f"the size line {size.strip()[:60]!r} is not {2 if dense else 3} numbers")
    rows, columns, *listed = (int(word) for word in words)
    if rows != columns:
        raise GraphFileError(path, f"an adjacency matrix must be square, not {rows} x {columns}")
    # Of a symmetric matrix one triangle is listed, at times without the diagonal.
    whole = banner[4] == "general"
    entries = listed[0] if listed else rows * rows if whole else rows * (rows - 1) // 2
    # An entry is a digit and a blank at least, and has two coordinates unless all are listed.
    available = _count_numbers(file) // (2 if dense else 4)
    if entries > available:
        raise ValueError(f"it announces {entries:,} entries and has room for {available:,}")
    refuse_isolated(rows, entries, "correct the size line")


def _line(file: BinaryIO) -> str:
    line = file.readline(LINE_BYTES)
    if not line.isascii() or b"\0" in line or len(line) == LINE_BYTES:
        # Comments may be in any language; what matters may not.
        if not line.startswith(b"%") or line.startswith(b"%%") or b"\0" in line:
            raise ValueError("its first lines are not plain text")
        return "%"
    return line.decode("ascii")


def _count_numbers(file: BinaryIO) -> int:
    total = 1  # the last line need not end
    while chunk := file.read(CHUNK_BYTES):
        if strange := chunk.translate(None, NUMBERS):
            raise ValueError(f"it has {strange[:1]!r} among its numbers")
        total += len(chunk)
    return total
