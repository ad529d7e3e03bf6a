"""Opening text files that may be gzipped."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import BinaryIO, cast

from grape_gnn.files import open_regular

__all__ = ["open_unpacked"]


def open_unpacked(path: Path) -> BinaryIO:
    """Open a file for reading bytes, unpacking gzip whatever the file is called."""
    file = open_regular(path)
    gzipped = cast(io.BufferedReader, file).peek(2)[:2] == b"\x1f\x8b"
    return cast(BinaryIO, _UnpackedFile(file)) if gzipped else file


class _UnpackedFile(gzip.GzipFile):
    """Closes the packed file too, which `GzipFile` leaves to whoever opened it."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()
