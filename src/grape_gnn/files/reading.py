"""Reading files that somebody else wrote: ordinary files only, and JSON of bounded depth.

What can go wrong here is an `OSError` or a `ValueError` with a message of one line; every reader
turns both into its own error, which names the file and the remedy.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["open_regular", "parse_json", "read_text"]

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
# What the shell hands over is meant to be read, whatever it is.
_HANDED_OVER = ("/dev/stdin", "/dev/fd/")


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading bytes; refuse pipes, devices and folders without waiting for them.

    Standard input and the pipes of a shell's ``<(command)`` are read as before.

    Raises
    ------
    OSError
        The file cannot be opened, or is none; `strerror` says why.

    Examples
    --------
    >>> open_regular("/dev/zero")
    Traceback (most recent call last):
        ...
    OSError: [Errno 22] is a device, not an ordinary file: '/dev/zero'
    """
    name = os.fspath(path)
    if name.startswith(_HANDED_OVER):
        return Path(name).open("rb")
    try:
        # Opening a named pipe waits for a writer, unless asked not to.
        descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error), name) from error
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind != stat.S_IFREG:
        os.close(descriptor)
        found = _KINDS.get(kind, "something else")
        raise OSError(errno.EINVAL, f"is {found}, not an ordinary file", name)
    return os.fdopen(descriptor, "rb")


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a whole UTF-8 file, its line ends as they are.

    Raises
    ------
    OSError
        As for `open_regular`.
    ValueError
        The file is not UTF-8.
    """
    with open_regular(path) as file:
        return file.read().decode("utf-8")


def parse_json(text: str | bytes) -> Any:
    """Decode JSON; whatever is wrong with it is a `ValueError` that says what and where.

    Examples
    --------
    >>> parse_json("[1, ]")
    Traceback (most recent call last):
        ...
    ValueError: Expecting value at line 1, column 5
    """
    try:
        return json.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # Python does not convert thousands of digits
        raise ValueError("it holds a number of thousands of digits") from None
