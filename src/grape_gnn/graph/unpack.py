"""Opening text files that may be gzipped."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import BinaryIO, cast

from grape_gnn.files import open_regular
from grape_gnn.progress import report

__all__ = ["open_unpacked", "report_reading"]


def open_unpacked(path: Path) -> BinaryIO:
    """Open a file for reading bytes, unpacking gzip whatever the file is called."""
    file = open_regular(path)
    gzipped = cast(io.BufferedReader, file).peek(2)[:2] == b"\x1f\x8b"
    return cast(BinaryIO, _UnpackedFile(file)) if gzipped else file


def report_reading(path: Path, file: BinaryIO) -> None:
    """Report how much of a file that `open_unpacked` opened has been read."""
    packed: BinaryIO = getattr(file, "_packed", file)
    if packed.seekable():
        report(f"reading {path.name}", packed.tell(), os.fstat(packed.fileno()).st_size)
    else:  # a pipe
        report(f"reading {path.name}")


class _UnpackedFile(gzip.GzipFile):
    """Closes the packed file too, which `GzipFile` leaves to whoever opened it."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()
