"""Records in a file of JSON lines: each appended in one piece, and on disk before the next.

A crash can tear the last line only. Reading leaves a torn line out; appending cuts it off first,
so that nothing is glued to it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from grape_gnn.errors import FileError, GrapeError
from grape_gnn.files.json_file import parse_json, read_bytes
from grape_gnn.files.shape import check_shape

__all__ = ["append_records", "read_records"]

Record = TypeVar("Record")


def append_records(
    path: str | os.PathLike[str],
    records: Iterable[Mapping[str, Any]],
    *,
    error: type[FileError] = FileError,
) -> None:
    """Append records; they are on disk when this returns, and none of them after an error.

    Parameters
    ----------
    path
        The file; made if it is not there. Its folder must exist.
    records
        Objects for ``json.dump``.
    error
        What to raise if the file cannot be written.
    """
    text = "".join(json.dumps(record) + "\n" for record in records)
    try:
        with Path(path).open("a+b", buffering=0) as file:
            size = _repair(file)
            try:
                _write(file, text.encode())
                os.fsync(file.fileno())
            except OSError:
                file.truncate(size)
                raise
    except OSError as wrong:
        raise error(path, f"cannot be written: {wrong.strerror}") from wrong


def read_records(
    path: str | os.PathLike[str],
    parse: Callable[[dict[str, Any]], Record],
    *,
    error: type[FileError] = FileError,
    remedy: str = "delete the line",
) -> list[Record]:
    """Read the records of a file; a file that is not there has none.

    Parameters
    ----------
    path
        The file.
    parse
        Makes a record of an object; what it raises is reported with the number of the line.
    error, remedy
        What to raise if a line is damaged, and how its message ends.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "a.jsonl")
    >>> append_records(file, [{"seed": 0}, {"seed": 1}])
    >>> with file.open("a") as torn:
    ...     _ = torn.write('{"seed": ')
    >>> read_records(file, dict)
    [{'seed': 0}, {'seed': 1}]
    """
    if not Path(path).exists():
        return []
    *whole, last = read_bytes(path, error, remedy).split(b"\n")
    lines = [*whole, last] if _is_object(last) else whole
    return [
        _parsed(path, number, line, parse, error, remedy)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _parsed(
    path: str | os.PathLike[str],
    number: int,
    line: bytes,
    parse: Callable[[dict[str, Any]], Record],
    error: type[FileError],
    remedy: str,
) -> Record:
    try:
        data = parse_json(line)
        check_shape(data, dict)
        return parse(data)
    except (ValueError, TypeError, LookupError, GrapeError) as wrong:
        raise error(path, f"line {number} is damaged: {wrong}; {remedy}") from wrong


def _repair(file: BinaryIO) -> int:
    """End the file with a whole line, and return its size then."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return 0
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return size
    file.seek(0)
    content = file.read()
    begin = content.rfind(b"\n") + 1
    if _is_object(content[begin:]):  # only the end of the line is missing
        _write(file, b"\n")
        return size + 1
    file.truncate(begin)
    return begin


def _write(file: BinaryIO, content: bytes) -> None:
    while content:  # a disk that fills up takes a part
        content = content[file.write(content) :]


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False
