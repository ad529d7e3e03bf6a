"""Writing files so that a crash never leaves half of one, with the rights that new files have."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grape_gnn.errors import FileError, GrapeError

__all__ = ["atomic_write", "make_folder"]


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path to write to; it becomes `path` when the block ends without error.

    Readers see the old file or the complete new one, never a part. After an error the old file
    is untouched and the temporary one is gone.

    Parameters
    ----------
    path
        The file to write. Its folder must exist.

    Yields
    ------
    Path
        A new name in the same folder, with the same suffix.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder, "note.txt")
    ...     with atomic_write(target) as temporary:
    ...         _ = temporary.write_text("done")
    ...     target.read_text()
    'done'
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise GrapeError(f"cannot write {target}: the folder {target.parent} does not exist")
    temporary = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{target.suffix}")
    try:
        if target.is_dir():
            raise GrapeError(f"cannot write {target}: it is a folder")
        temporary.touch(exist_ok=False)
        rights = stat.S_IMODE(temporary.stat().st_mode)
        yield temporary
        temporary.chmod(rights)  # whoever wrote may have made the file anew, for its owner only
        _sync(temporary)
        temporary.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise GrapeError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # the error that led here says more
            temporary.unlink(missing_ok=True)


def make_folder(path: str | os.PathLike[str], error: type[FileError] = FileError) -> None:
    """Make a folder, and those above it, unless it is there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise error(path, f"cannot make the folder: {wrong.strerror}") from wrong


def _sync(path: Path) -> None:
    # Without this, a power cut right after the rename may leave an empty file.
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
