"""Folders of records: what they have in common is a ``config.json``, a version and a lock.

A folder has one writer at a time: whoever made it, or opened it in a ``with`` block. Readers need
no lock, because every file is replaced as a whole or grows by whole lines.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from grape_gnn.errors import FileError
from grape_gnn.files.atomic import atomic_write, make_folder
from grape_gnn.files.json_file import read_json, write_json
from grape_gnn.files.lock import LOCK_FILE, FolderLock, holder_of, in_use

__all__ = ["Folder"]

_CONFIG = "config.json"
Self = TypeVar("Self", bound="Folder")


class Folder:
    """A folder of one kind; subclasses say which.

    Attributes
    ----------
    path : Path
        The folder.
    config : dict
        What ``config.json`` holds: what the folder is about. It is written once.

    Examples
    --------
    >>> import tempfile
    >>> class Notes(Folder):
    ...     kind, thing, command = "notes", "collection of notes", "grape note"
    >>> path = Path(tempfile.mkdtemp(), "mine")
    >>> with Notes.create(path, {"about": "grapes"}) as notes:
    ...     notes.write_text("first.txt", "sweet")
    >>> Notes.open(path).config["about"]
    'grapes'
    """

    kind: ClassVar[str]
    """What ``config.json`` calls it."""
    thing: ClassVar[str]
    """What it holds, in words: training, search."""
    command: ClassVar[str]
    """What makes such folders."""
    version: ClassVar[int] = 1
    """Of the format; folders of another one are refused."""
    error: ClassVar[type[FileError]] = FileError
    config_shape: ClassVar[Any] = dict
    """What ``config.json`` must hold, as for `check_shape`."""

    def __init__(self, path: str | os.PathLike[str], config: dict[str, Any]) -> None:
        self.path = Path(path)
        self.config = config
        self._lock = FolderLock(self.path, self.error)

    def __enter__(self: Self) -> Self:
        """Become the folder's writer, or complain of the one it has."""
        self._lock.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    # -------------------------------------------------------------- making and opening

    @classmethod
    def create(cls: type[Self], path: str | os.PathLike[str], config: Mapping[str, Any]) -> Self:
        """Make a folder and become its writer, until the ``with`` block or the process ends."""
        cls.check_free(path)
        make_folder(path, cls.error)
        made = cls(path, {"kind": cls.kind, "version": cls.version, **config})
        made._lock.acquire()
        try:
            cls._check_empty(made.path)  # another process may have been quicker
            made.write_json(_CONFIG, made.config)
        except BaseException:
            made._leave()
            raise
        return made

    @classmethod
    def check_free(cls, path: str | os.PathLike[str]) -> None:
        """Refuse a folder that is in use, before hours of work."""
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise cls.error(folder, "is a file, not a folder: choose another name")
        if folder.is_dir():
            cls.check_unlocked(folder)
            cls._check_empty(folder)

    @classmethod
    def check_unlocked(cls, path: str | os.PathLike[str]) -> None:
        """Refuse a folder that has a writer."""
        holder = holder_of(path)
        if holder is not None:
            raise in_use(path, holder, cls.error)

    @classmethod
    def _check_empty(cls, folder: Path) -> None:
        inside = {file.name for file in folder.iterdir()} - {LOCK_FILE}
        if inside:
            what = f"a {cls.thing}" if _CONFIG in inside else "other files"
            raise cls.error(
                folder, f"already holds {what}: choose another folder, or remove this one"
            )

    @classmethod
    def open(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """Open a folder that is there; to write to it, use it in a ``with`` block."""
        folder, makes = Path(path), f"`{cls.command}` makes one"
        if not folder.is_dir():
            raise cls.error(folder, f"there is no such folder; {makes}")
        if not (folder / _CONFIG).exists():
            raise cls.error(
                folder, f"is not the folder of a {cls.thing}: it has no {_CONFIG}; {makes}"
            )
        opened = cls(folder, {})
        config = opened.read_json(_CONFIG)
        if config.get("kind") != cls.kind:
            raise cls.error(
                folder, f"is a folder of kind {config.get('kind')!r}, not of a {cls.thing}; {makes}"
            )
        # Folders of a search once called their version a format.
        version = config.get("version", config.get("format"))
        if version != cls.version:
            raise cls.error(
                folder,
                f"has version {version!r}, this release reads version {cls.version}: use the "
                f"release that wrote it",
            )
        opened.config = opened.read_json(_CONFIG, cls.config_shape)
        return opened

    def discard(self) -> None:
        """Remove the configuration, and the folder if nothing else is in it."""
        with suppress(OSError):  # the error that led here says more
            (self.path / _CONFIG).unlink(missing_ok=True)
        self._leave()

    def _leave(self) -> None:
        self._lock.release()
        with suppress(OSError):  # other files are left alone
            self.path.rmdir()

    # -------------------------------------------------------------- files

    def read_json(self, name: str, kind: Any = dict) -> Any:
        """Read a file and check what it holds; see `check_shape`."""
        remedy = f"restore it from a copy, or start another {self.thing} with `{self.command}`"
        return read_json(self.path / name, kind, error=self.error, remedy=remedy)

    def write_json(self, name: str, data: Any) -> None:
        """Write a JSON file, whole or not at all."""
        write_json(self.path / name, data)

    def write_text(self, name: str, text: str) -> None:
        """Write a text file, whole or not at all."""
        with atomic_write(self.path / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
