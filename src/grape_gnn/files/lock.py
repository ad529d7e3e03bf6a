"""One writer per folder: a lock that the kernel releases when its holder dies.

The lock is an advisory one (``flock``) on a file in the folder, which says who holds it. A file
left behind by a process that was killed locks nothing. Readers take no lock.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from grape_gnn.errors import FileError
from grape_gnn.files.reading import parse_json, read_text
from grape_gnn.files.shape import check_shape
from grape_gnn.warn import warn

__all__ = ["LOCK_FILE", "FolderLock", "holder_of"]

LOCK_FILE = ".lock"
_PATIENCE = 0.3  # seconds for a holder to write down who it is, and for a reader to look


@dataclass(frozen=True)
class Holder:
    """Who writes to a folder."""

    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        where = "" if self.host == socket.gethostname() else f" on {self.host}"
        words = f"process {self.pid}{where} ({self.command}), since {self.since}"
        return "".join(letter if letter.isprintable() else "?" for letter in words)


class FolderLock:
    """The right to write to a folder.

    Parameters
    ----------
    folder
        The folder, which must exist.
    error
        What to raise if another process has the lock, or this one may not write there.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> lock = FolderLock(folder)
    >>> lock.acquire()
    >>> holder_of(folder).startswith(f"process {os.getpid()} ")
    True
    >>> lock.release()
    >>> holder_of(folder) is None
    True
    """

    def __init__(self, folder: str | os.PathLike[str], error: type[FileError] = FileError) -> None:
        self.folder = Path(folder)
        self._file = self.folder / LOCK_FILE
        self._error = error
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock, unless this object has it already."""
        if self._descriptor is not None:
            return
        try:
            descriptor = self._locked_file()
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, _myself(), 0)
        except BlockingIOError:
            raise in_use(self.folder, _holder(self._file), self._error) from None
        except OSError as wrong:
            raise self._error(self.folder, f"cannot be written: {wrong.strerror}") from wrong
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back and remove its file."""
        if self._descriptor is not None:
            with suppress(OSError):
                self._file.unlink()
            os.close(self._descriptor)
            self._descriptor = None

    def _locked_file(self) -> int:
        deadline = time.monotonic() + _PATIENCE
        while True:
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                if not _flock(descriptor):
                    warn(
                        f"{self.folder} is on a file system without locks: make sure that no "
                        f"other process writes to it"
                    )
                # Otherwise the last holder has removed the file meanwhile.
                with suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(descriptor), self._file.stat()):
                        return descriptor
            except BlockingIOError:
                if time.monotonic() > deadline:
                    os.close(descriptor)
                    raise
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
            time.sleep(0.01)


def holder_of(folder: str | os.PathLike[str]) -> str | None:
    """Return who writes to a folder, or None if nobody does."""
    file = Path(folder) / LOCK_FILE
    try:
        descriptor = os.open(file, os.O_RDWR)
    except OSError:
        return None  # no lock, or nothing that we could write to anyway
    try:
        _flock(descriptor, shared=True)
    except BlockingIOError:
        return _holder(file)
    finally:
        os.close(descriptor)
    return None


def in_use(
    folder: str | os.PathLike[str], holder: str, error: type[FileError] = FileError
) -> FileError:
    """Return the error that a second writer gets."""
    return error(folder, f"is being written by {holder}: wait until it ends, or stop it")


def _flock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock a file, for readers if `shared`; False if the file system has no locks.

    Raises
    ------
    BlockingIOError
        Another process has the lock.
    """
    try:
        import fcntl

        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except (ImportError, OSError):
        return False
    return True


def _myself() -> bytes:
    command = shlex.join([Path(sys.argv[0] or "python").name, *sys.argv[1:]])
    since = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return json.dumps(
        asdict(Holder(os.getpid(), socket.gethostname(), command[:300], since))
    ).encode()


def _holder(file: Path) -> str:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError, ValueError):
            data = parse_json(read_text(file))
            check_shape(data, Holder)
            return str(Holder(**data))
        time.sleep(0.01)
    return "another process"
