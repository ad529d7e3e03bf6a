"""Writing files so that a crash never leaves half of one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grape_gnn.errors import GrapeError

__all__ = ["atomic_write"]


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
        yield temporary
        _sync(temporary)
        temporary.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise GrapeError(f"cannot write {target}: {error}") from error
    finally:
        with suppress(OSError):  # the error that led here says more
            temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    # Without this, a power cut right after the rename may leave an empty file.
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
