"""One JSON value in a file: read with one-line errors, written whole or not at all."""

from __future__ import annotations

import json
import os
from typing import Any

from grape_gnn.errors import FileError
from grape_gnn.files.atomic import atomic_write
from grape_gnn.files.reading import open_regular, parse_json
from grape_gnn.files.shape import check_shape

__all__ = ["read_json", "write_json"]


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
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "a.json")
    >>> write_json(file, {"seed": 3})
    >>> read_json(file, dict[str, int])
    {'seed': 3}
    """
    content = read_bytes(path, error, remedy)
    try:
        data = parse_json(content)
    except ValueError as wrong:
        raise error(path, f"is damaged: not valid JSON: {wrong}; {remedy}") from wrong
    try:
        check_shape(data, kind)
    except ValueError as wrong:
        raise error(path, f"is damaged: {wrong}; {remedy}") from wrong
    return data


def read_bytes(path: str | os.PathLike[str], error: type[FileError], remedy: str) -> bytes:
    """Read a file as a whole."""
    try:
        with open_regular(path) as file:
            return file.read()
    except OSError as wrong:
        raise error(path, f"cannot be read: {wrong.strerror}; {remedy}") from wrong


def write_json(path: str | os.PathLike[str], data: Any) -> None:
    """Write a value, whole or not at all."""
    with atomic_write(path) as temporary:
        temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
