"""Folders of parts that each have a seal: size and checksum, so that a damaged part is noticed.

Whoever writes a part seals it: ``seals/<part>.json`` has the SHA-256 of the file, its size, and
when the system last saw it changed, which no program can set. A part that is as it was sealed on
this machine is not read again. Any other, such as a copy, is compared with its checksum, and is
sealed anew if that is right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

from grape_gnn.errors import GrapeError
from grape_gnn.files.atomic import make_folder
from grape_gnn.files.folder import Folder
from grape_gnn.files.json_file import read_json, write_json
from grape_gnn.files.shape import Count
from grape_gnn.warn import warn

__all__ = ["Seal", "SealedFolder", "file_checksum", "file_stamp"]

_BLOCK = 1 << 22  # bytes of a file, read at once


class Seal(TypedDict):
    """What a part was when it was written; `stamp` as of `file_stamp`."""

    bytes: Count
    sha256: str
    stamp: list[Count]


class SealedFolder(Folder):
    """A folder whose parts are sealed; subclasses say which parts there are.

    Examples
    --------
    >>> import tempfile
    >>> class Notes(SealedFolder):
    ...     kind, thing, command = "notes", "collection of notes", "grape note"
    >>> notes = Notes.create(Path(tempfile.mkdtemp(), "mine"), {})
    >>> file = notes.path / "first.txt"
    >>> notes.write_text("first.txt", "sweet")
    >>> notes.seal(file)
    >>> notes.holds(file)
    True
    >>> _ = file.write_text("swEet")
    >>> notes.holds(file)
    False
    """

    def seal(self, file: Path) -> None:
        """Say that a part is complete, and right as it is now."""
        make_folder(self.path / "seals", self.error)
        self._write_seal(file, file_checksum(file))

    def holds(self, file: Path) -> bool:
        """Whether a part is there, complete and as it was sealed."""
        return self.is_sealed(file) and not self._is_damaged(file)

    def is_sealed(self, file: Path) -> bool:
        """Whether a part is there and was written to its end; it may be damaged since."""
        return file.exists() and self._seal_path(file).exists()

    def seal_of(self, file: Path) -> Seal:
        """Return what is noted of a part."""
        found: Seal = read_json(
            self._seal_path(file), Seal, error=self.error, remedy="run the same again"
        )
        return found

    def check_whole(self, files: Iterable[Path]) -> None:
        """Refuse parts that were changed or cut off after they were written."""
        for file in files:
            if not self.holds(file):
                raise self.error(
                    file,
                    f"is damaged, or was changed after it was written: run `{self.command}` again, "
                    f"which makes it anew",
                )

    def drop_damaged(self, files: Iterable[Path]) -> None:
        """Remove damaged parts, so that they are made again, and say so in one line."""
        damaged = [file for file in files if self.is_sealed(file) and self._is_damaged(file)]
        for file in damaged:
            file.unlink()
        if damaged:
            more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
            warn(f"{damaged[0]}{more}: damaged, or changed after it was written: made again")

    def _seal_path(self, file: Path) -> Path:
        return self.path / "seals" / f"{file.name}.json"

    def _is_damaged(self, file: Path) -> bool:
        try:
            seal = self.seal_of(file)
            stamp = file_stamp(file)
            if stamp == seal["stamp"]:
                return False
            if stamp[1] != seal["bytes"] or file_checksum(file) != seal["sha256"]:
                return True
        except (GrapeError, OSError):
            return True
        with suppress(GrapeError):  # where nobody may write, it is checked every time
            self._write_seal(file, seal["sha256"])
        return False

    def _write_seal(self, file: Path, checksum: str) -> None:
        stamp = file_stamp(file)
        write_json(self._seal_path(file), {"bytes": stamp[1], "sha256": checksum, "stamp": stamp})


def file_stamp(file: Path) -> list[int]:
    """Return number, size and last change of a file, by which one that is as it was is known."""
    found = file.stat()
    return [found.st_ino, found.st_size, found.st_ctime_ns]


def file_checksum(file: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while block := content.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
