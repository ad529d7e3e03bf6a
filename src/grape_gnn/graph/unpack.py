"""Opening text files that may be gzipped."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import BinaryIO, cast

__all__ = ["open_unpacked"]


def open_unpacked(path: Path) -> BinaryIO:
    """Open a file for reading bytes, unpacking gzip whatever the file is called."""
    with path.open("rb") as file:
        gzipped = file.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path, "rb")) if gzipped else path.open("rb")
