"""The folder in which a conversion works, and from which it goes on after it was cut off.

``graph.grape.part`` holds what was asked for (``config.json``), a line for every piece of work that
is done (``steps.jsonl``), arrays of the pieces, and in ``graph`` what will be the graph. A piece is
noted when its arrays are on disk; what was not noted is done again.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypedDict

from numpy.typing import NDArray

from grape_gnn.errors import FileError, GraphFileError
from grape_gnn.files import Folder, append_records, read_records
from grape_gnn.files.npy import read_array, write_array
from grape_gnn.graph.graph_folder import GraphFolder
from grape_gnn.graph.table_parts import table_files

__all__ = ["Workspace"]

_STEPS = "steps.jsonl"


class Config(TypedDict):
    """What a conversion was asked for; all files with their sizes and times of change."""

    files: dict[str, list[int]]
    options: dict[str, Any]
    memory: int


class Workspace(Folder):
    """What a conversion has done so far."""

    kind: ClassVar[str] = "conversion"
    thing: ClassVar[str] = "conversion"
    command: ClassVar[str] = "grape convert"
    error: ClassVar[type[FileError]] = GraphFileError
    config_shape: ClassVar[Any] = Config

    @classmethod
    def begin(
        cls, path: Path, files: Mapping[str, Path], options: Mapping[str, Any], memory: int
    ) -> Workspace:
        """Make the folder, or find it and see that it is about the same files and options."""
        stamps = {
            str(file): _stamp(file) for table in files.values() for file in table_files(table)
        }
        if not (path / "config.json").exists():
            config = {"files": stamps, "options": dict(options), "memory": memory}
            return cls.create(path, config)
        found = cls.open(path)
        anew = f"remove {path} to begin anew"
        for file, stamp in stamps.items():
            if file not in found.config["files"]:
                raise GraphFileError(path, f"was begun with other files than {file}: {anew}")
            if found.config["files"][file] != stamp:
                raise GraphFileError(file, f"has changed since its conversion began: {anew}")
        for file in found.config["files"]:
            if file not in stamps:
                raise GraphFileError(path, f"was begun with {file} as well: {anew}")
        for name in {*options, *found.config["options"]}:
            before, now = found.config["options"].get(name), options.get(name)
            if before != now:
                raise GraphFileError(path, f"was begun with {name} {before}, now {now}: {anew}")
        return found

    @property
    def memory(self) -> int:
        """Bytes of working memory; those of the beginning, for the pieces were cut by them."""
        return int(self.config["memory"])

    @property
    def graph(self) -> GraphFolder:
        """The graph in the making."""
        path = self.path / "graph"
        if (path / "config.json").exists():
            return GraphFolder.open(path)
        with GraphFolder.create(path, {}) as made:
            return made

    # -------------------------------------------------------------- what is done

    def notes(self, step: str) -> list[dict[str, Any]]:
        """Return what was noted of the pieces of a step, in order."""
        records = read_records(self.path / _STEPS, dict, error=self.error)
        return [record for record in records if record.get("step") == step]

    @property
    def is_empty(self) -> bool:
        """Whether no edges are read yet."""
        return not self.notes("read")

    def note(self, step: str, **facts: Any) -> None:
        """Note that a piece of a step is done, and what the next ones must know of it."""
        append_records(self.path / _STEPS, [{"step": step, **facts}], error=self.error)

    # -------------------------------------------------------------- arrays of pieces

    def array(self, name: str, *, mmap: bool = False) -> NDArray[Any]:
        """Read an array of an earlier piece."""
        try:
            return read_array(self.path / f"{name}.npy", mmap=mmap)
        except (OSError, ValueError) as error:
            raise GraphFileError(
                self.path / f"{name}.npy",
                f"cannot be read: {error}; remove {self.path} to begin anew",
            ) from error

    def keep(self, name: str, array: NDArray[Any]) -> None:
        """Write an array for later pieces."""
        write_array(self.path / f"{name}.npy", array)

    def forget(self, *names: str) -> None:
        """Remove arrays that nothing needs any more."""
        for name in names:
            (self.path / f"{name}.npy").unlink(missing_ok=True)

    @contextmanager
    def telling_of_a_full_disk(self, target: Path, needed: int) -> Iterator[None]:
        """Turn what the system says when the disk is full into one line that says how to go on."""
        try:
            yield
        except (OSError, GraphFileError) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            number = cause.errno if isinstance(cause, OSError) else None
            if number not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                if self.is_empty:  # the next try, with another file, finds nothing in its way
                    shutil.rmtree(self.path, ignore_errors=True)
                if isinstance(error, GraphFileError):
                    raise
                raise GraphFileError(target, f"cannot be written: {error.strerror}") from error
            free = shutil.disk_usage(self.path).free
            raise GraphFileError(
                target,
                f"cannot be written: {os.strerror(number or 0)}; the conversion needs about "
                f"{needed / 1e6:,.0f} MB in all, {free / 1e6:,.0f} MB are free: make room and run "
                f"the same again, and it goes on where it stopped ({self.path} holds what is done)",
            ) from error


def _stamp(file: Path) -> list[int]:
    try:
        found = file.stat()
    except OSError as error:
        raise GraphFileError(file, f"cannot be read: {error.strerror}") from error
    return [found.st_size, found.st_mtime_ns]
