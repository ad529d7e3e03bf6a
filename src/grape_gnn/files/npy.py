"""Single arrays in ``.npy`` files: mapped into memory, written whole, or grown piece by piece.

``numpy.load`` reads them too. A file is never believed: what its header says is compared with its
size before anything is mapped or allocated.
"""

from __future__ import annotations

import io
import math
import mmap as memory_map
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from grape_gnn.files.reading import open_regular

__all__ = ["GrowingArray", "npy_header", "parse_npy_header", "read_array", "write_array"]

HEADER_BYTES = 4096
PIECE_BYTES = 1 << 24  # written at once, so that Ctrl-C is heard


def read_array(path: str | os.PathLike[str], *, mmap: bool) -> NDArray[Any]:
    """Read an array, or map it into memory, read-only.

    Raises
    ------
    OSError, ValueError
        The file cannot be read, or is not a plain C-ordered array of the size it claims.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        shape, dtype, offset = parse_npy_header(file.read(HEADER_BYTES))
        if size - offset != math.prod(shape) * dtype.itemsize:
            raise ValueError("has the wrong size: it is cut off, or longer than it says")
        if mmap:
            contents = memory_map.mmap(file.fileno(), 0, access=memory_map.ACCESS_READ)
            flat = np.frombuffer(contents, dtype, math.prod(shape), offset)
        else:
            flat = np.empty(math.prod(shape), dtype)
            file.seek(offset)
            file.readinto(flat.view(np.uint8).data)  # type: ignore[attr-defined]
    return flat.reshape(shape)


def write_array(path: str | os.PathLike[str], array: NDArray[Any]) -> None:
    """Write an array; nobody else may be looking, for the file grows while it is written."""
    plain = np.asarray(array, order="C")
    with GrowingArray(path, plain.dtype, plain.shape[1:]) as file:
        if plain.ndim:
            file.append(plain)
        else:
            file.append(plain.reshape(1))
            file.scalar = True


class GrowingArray:
    """An array on disk that grows by rows; its header is written when the ``with`` block ends.

    Parameters
    ----------
    path
        The file.
    dtype
        Of its numbers.
    row
        Shape of a row; empty for a vector.
    rows
        Rows that are there already and are kept, when work goes on that was cut off; whatever
        follows them in the file is forgotten.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "a.npy")
    >>> with GrowingArray(file, np.int32) as array:
    ...     array.append(np.arange(2))
    ...     array.append(np.arange(3))
    >>> read_array(file, mmap=False).tolist()
    [0, 1, 0, 1, 2]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        dtype: DTypeLike,
        row: tuple[int, ...] = (),
        rows: int = 0,
    ) -> None:
        self.dtype, self.row, self.rows = np.dtype(dtype), row, rows
        self.scalar = False
        self._begin = len(self._header())
        self._file = Path(path).open("r+b" if rows else "wb")  # noqa: SIM115  closed by __exit__
        self._file.truncate(self._begin + rows * math.prod(row) * self.dtype.itemsize)
        self._file.seek(0, os.SEEK_END)

    def append(self, block: NDArray[Any]) -> None:
        """Add rows at the end."""
        plain = np.ascontiguousarray(block, self.dtype)
        raw = plain.reshape(-1).view(np.uint8)
        for begin in range(0, raw.size, PIECE_BYTES):
            self._file.write(raw[begin : begin + PIECE_BYTES].data)
        self.rows += len(plain)

    def sync(self) -> None:
        """Return when all rows so far are on disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> GrowingArray:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        with self._file:
            if failed is None:
                self._file.seek(0)
                self._file.write(self._header())
                self.sync()

    def _header(self) -> bytes:
        shape = () if self.scalar else (self.rows, *self.row)
        return npy_header(shape, self.dtype)


def npy_header(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """Return the header of an array; of the same length for any number of rows."""
    head = io.BytesIO()
    fields = {
        "shape": shape,
        "fortran_order": False,
        "descr": np.lib.format.dtype_to_descr(dtype),
    }
    np.lib.format.write_array_header_1_0(head, fields)
    return head.getvalue()


def parse_npy_header(head: bytes) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Return the shape and type of an array, and where its numbers begin."""
    stream = io.BytesIO(head)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("unknown .npy version")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    if fortran or dtype.kind not in "biufU" or dtype.itemsize == 0:
        raise ValueError("a member is not a plain C-ordered array")
    if any(length < 0 for length in shape):
        raise ValueError(f"a member has the shape {shape}")
    return shape, dtype, stream.tell()
