"""graph6 and sparse6: a graph a line of printable letters, six bits each (McKay's formats)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphFileError
from grape_gnn.files import open_regular
from grape_gnn.graphs.pieces import Piece

__all__ = ["parse_line", "read_graph6"]

_HEADERS = (b">>graph6<<", b">>sparse6<<")


def read_graph6(path: Path) -> list[Piece]:
    """Read all graphs of a file; lines that start with a colon are sparse6."""
    try:
        with open_regular(path) as file:
            content = file.read()
    except OSError as error:
        raise GraphFileError(path, f"cannot be read: {error.strerror or error}") from error
    pieces = []
    for number, line in enumerate(content.splitlines(), start=1):
        for header in _HEADERS:
            line = line.removeprefix(header)
        if not line.strip():
            continue
        try:
            pieces.append(parse_line(line.strip()))
        except ValueError as error:
            raise GraphFileError(path, f"is not graph6 or sparse6: {error}", number) from error
    return pieces


def parse_line(line: bytes) -> Piece:
    """Return the graph of one line.

    Examples
    --------
    >>> piece = parse_line(b"DqK")
    >>> piece.num_nodes, list(zip(piece.src.tolist(), piece.dst.tolist()))
    (5, [(0, 1), (0, 2), (1, 3), (2, 4), (3, 4)])
    >>> parse_line(b":Fa@x^").src.size
    4
    """
    if line.startswith(b";") or line.startswith(b"&"):
        raise ValueError("incremental sparse6 and digraph6 are not read")
    sparse = line.startswith(b":")
    letters = np.frombuffer(line[1:] if sparse else line, np.uint8).astype(np.int64) - 63
    if letters.size == 0 or letters.min() < 0 or letters.max() > 63:
        raise ValueError("a letter outside '?' to '~'")
    n, rest = _size(letters)
    bits = ((rest[:, None] >> np.arange(5, -1, -1)) & 1).reshape(-1)
    src, dst = _sparse6(bits, n) if sparse else _graph6(bits, n)
    order = np.lexsort((dst, src))
    return Piece(src[order], dst[order], n)


def _size(letters: NDArray[np.int64]) -> tuple[int, NDArray[np.int64]]:
    start, count = (0, 1) if letters[0] < 63 else (1, 3)
    if letters[0] == 63 and letters.size > 1 and letters[1] == 63:
        start, count = 2, 6
    digits = letters[start : start + count]
    if digits.size < count:
        raise ValueError("it ends in the number of nodes")
    n = 0
    for digit in digits.tolist():
        n = n << 6 | digit
    return n, letters[start + count :]


def _graph6(bits: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Read the upper triangle of the adjacency matrix, column by column."""
    pairs = n * (n - 1) // 2
    if bits.size != -(-pairs // 6) * 6:
        raise ValueError(f"{bits.size} bits for the {pairs} pairs of {n} nodes")
    there = np.flatnonzero(bits[:pairs])
    # Pair k is in column j = the largest with j (j - 1) / 2 <= k.
    column = ((1 + np.sqrt(1 + 8 * there.astype(np.float64))) / 2).astype(np.int64)
    column -= column * (column - 1) // 2 > there
    column += (column + 1) * column // 2 <= there
    return there - column * (column - 1) // 2, column


def _sparse6(bits: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Read pairs of a bit, which moves on to the next node, and a number of k bits."""
    k = max(1, (n - 1).bit_length()) if n > 1 else 1
    count = bits.size // (k + 1)
    groups = bits[: count * (k + 1)].reshape(count, k + 1)
    numbers = groups[:, 1:] @ (1 << np.arange(k - 1, -1, -1))
    at, src, dst = 0, [], []
    for step, number in zip(groups[:, 0].tolist(), numbers.tolist(), strict=True):
        at += step
        if at >= n or number >= n:
            break  # padding
        if number > at:
            at = number
        else:
            src.append(number)
            dst.append(at)
    return np.array(src, np.int64), np.array(dst, np.int64)
