"""The tags of a MATLAB 5 file, looked at before SciPy reads what they announce.

Every element of such a file begins with a tag: its type and its size. SciPy looks a type up in a
table by its number without asking whether there is such a type: a damaged one ends the process.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

__all__ = ["check_tags"]

_HEADER = 128  # bytes before the first element; the last two say the order of bytes
_MATRIX, _COMPRESSED = 14, 15
_NUMBERS = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 12, 13))  # types of numbers
_NUMERIC = range(5, 16)  # classes of arrays: sparse, and the kinds of numbers


def check_tags(file: bytes) -> None:
    """Refuse arrays of numbers with an element that is not of numbers.

    Raises
    ------
    ValueError
        What is wrong.

    Examples
    --------
    >>> from io import BytesIO
    >>> from scipy.io import savemat
    >>> file = BytesIO()
    >>> savemat(file, {"A": [[1.5]]})
    >>> check_tags(file.getvalue())
    >>> check_tags(file.getvalue().replace(struct.pack("<II", 9, 8), struct.pack("<II", 0, 8)))
    Traceback (most recent call last):
    ValueError: an element of numbers has the type 0
    """
    order = ">" if file[_HEADER - 2 : _HEADER] == b"MI" else "<"
    for kind, content in _elements(memoryview(file)[_HEADER:], order):
        if kind == _MATRIX:
            _check_array(content, order)
        elif kind == _COMPRESSED:
            for inner, unpacked in _elements(memoryview(zlib.decompress(content)), order):
                if inner == _MATRIX:
                    _check_array(unpacked, order)


def _check_array(content: memoryview, order: str) -> None:
    parts = _elements(content, order)
    _, flags = next(parts, (0, content[:0]))
    if len(flags) < 4 or struct.unpack(f"{order}I", flags[:4])[0] & 0xFF not in _NUMERIC:
        return  # cells and the like, which are not read
    for kind, _ in parts:
        if kind not in _NUMBERS:
            raise ValueError(f"an element of numbers has the type {kind}")


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Yield type and content of one element after the other; the last may be cut off."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from(f"{order}II", data, at)
        if kind >> 16:  # a small one, in the eight bytes of its tag
            yield kind & 0xFFFF, data[at + 4 : at + 4 + min(4, kind >> 16)]
            at += 8
            continue
        yield kind, data[at + 8 : at + 8 + size]
        at += 8 + size + (-size % 8 if kind != _COMPRESSED else 0)
