"""Which files a table is made of: itself, or the parts in a folder.

Spark, Dask and DuckDB write a Parquet table as a folder of parts, maybe in sub-folders such as
``day=1``, beside files of their own whose names begin with ``_`` or a dot.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from grape_gnn.errors import GraphFileError

__all__ = [
    "ARROW_SUFFIXES",
    "holds_parts",
    "is_arrow_table",
    "refuse_folder_columns",
    "table_files",
]

ARROW_SUFFIXES = (".parquet", ".arrow", ".feather", ".ipc")
# Beside the rows these keep those of older versions, and only their log tells them apart.
_LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Apache Hudi"}


def is_arrow_table(path: Path) -> bool:
    """Tell whether a table is in Parquet or Arrow files: by its suffix, and folders always are.

    Examples
    --------
    >>> is_arrow_table(Path("edges.feather")), is_arrow_table(Path("edges.csv"))
    (True, False)
    """
    return path.suffix.lower() in ARROW_SUFFIXES or path.is_dir()


def holds_parts(folder: Path) -> bool:
    """Tell whether a Parquet or Arrow file is in a folder, or in a sub-folder."""
    return any(file.suffix.lower() in ARROW_SUFFIXES for file in _search(folder))


def table_files(path: Path) -> list[Path]:
    """Return the file, or the parts of the table in a folder, in the order of their names.

    Numbers in names count by their values: ``part.10.parquet`` of Dask comes after
    ``part.9.parquet``. Every file is a part unless its name begins with ``_`` or a dot.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("part.10.parquet", "part.9.parquet", "_SUCCESS"):
    ...     (folder / name).touch()
    >>> [file.name for file in table_files(folder)]
    ['part.9.parquet', 'part.10.parquet']
    """
    if not path.is_dir():
        return [path]
    for name, writer in _LOGS.items():
        if (path / name).exists():
            raise GraphFileError(
                path,
                f"is a table of {writer} ({name}), whose parts hold rows of older versions too: "
                f"write its rows as plain Parquet",
            )
    parts = sorted(_search(path), key=lambda file: _in_order(file.relative_to(path)))
    if not parts:
        raise GraphFileError(
            path,
            "is a folder without parts of a table: looked in it and its sub-folders for Parquet "
            "or Arrow files whose names begin neither with _ nor with a dot",
        )
    return parts


def refuse_folder_columns(path: Path, asked: Iterable[str | None], names: Collection[str]) -> None:
    """Refuse columns that are asked for, and are in the names of folders but not in the parts."""
    for name in asked:
        if name is None or name in names:
            continue
        for part in table_files(path):
            for folder in part.relative_to(path).parts[:-1]:
                if folder.startswith(f"{name}="):
                    raise GraphFileError(
                        path,
                        f"the column {name!r} is in the names of the folders ({folder}), not in "
                        f"the parts: write it into the parts",
                    )


def _search(folder: Path) -> Iterator[Path]:
    """Give the files in a folder; links to folders too, which are not followed, and no parts."""

    def refuse(error: OSError) -> None:
        raise GraphFileError(error.filename, f"cannot be read: {error.strerror}") from error

    for place, folders, files in os.walk(folder, onerror=refuse):
        linked = [name for name in folders if Path(place, name).is_symlink()]
        # A column may have such a name: Spark writes the folders _day=1, _day=2.
        folders[:] = [name for name in folders if not _is_passed_over(name) or "=" in name]
        for name in (*files, *linked):
            if not _is_passed_over(name):
                yield Path(place, name)


def _is_passed_over(name: str) -> bool:
    return name.startswith(("_", "."))


def _in_order(path: Path) -> list[tuple[list[str | int], str]]:
    """Return what sorts paths by their names, and numbers in them by value."""
    split = [(re.split("([0-9]+)", name), name) for name in path.parts]  # every second a number
    return [
        ([int(word) if k % 2 else word for k, word in enumerate(words)], name)
        for words, name in split
    ]
