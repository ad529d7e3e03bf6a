"""One JSON value in a file: read with one-line errors, written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from grape_gnn.errors import FileError
from grape_gnn.files.atomic import atomic_write
from grape_gnn.files.shape import check_shape

__all__ = ["parse_json", "read_json", "write_json"]


def parse_json(text: str | bytes) -> Any:
    """Parse JSON; whatever is wrong with it becomes a `ValueError`.

    Examples
    --------
    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
        ...
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text if isinstance(text, str) else text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # Python's limit of digits
        raise ValueError("it has a number of thousands of digits") from None


def read_json(
    path: str | os.PathLike[str],
    kind: Any = dict,
    *,
    error: type[FileError] = FileError,
    remedy: str = "restore it from a copy",
) -> Any:
    """Read a file and check what it holds.

    Parameters
    ----------
    path
        The file.
    kind
        What it must hold, as for `check_shape`.
    error, remedy
        What to raise, and how its message ends.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "a.json")
    >>> write_json(file, {"seed": 3})
    >>> read_json(file, dict[str, int])
    {'seed': 3}
    """
    content = read_bytes(path, error, remedy)
    try:
        data = parse_json(content)
        check_shape(data, kind)
    except ValueError as wrong:
        raise error(path, f"is damaged: {wrong}; {remedy}") from wrong
    return data


def read_bytes(path: str | os.PathLike[str], error: type[FileError], remedy: str) -> bytes:
    """Read a file as a whole."""
    file = Path(path)
    try:
        if file.exists() and not file.is_file():  # a pipe would keep us waiting
            raise error(file, f"is not a file; {remedy}")
        return file.read_bytes()
    except OSError as wrong:
        raise error(file, f"cannot be read: {wrong.strerror}; {remedy}") from wrong


def write_json(path: str | os.PathLike[str], data: Any) -> None:
    """Write a value, whole or not at all."""
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
