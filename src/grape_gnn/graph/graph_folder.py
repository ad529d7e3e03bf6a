"""A graph on disk: a folder of plain ``.npy`` arrays that is mapped, not read.

``graph.grape`` holds the members of our ``.npz`` file (see `grape_gnn.graph.npz`), each in a file
of its own, which ``numpy.load`` reads too; ``names_order.npy``, by which text names are looked up;
and two small files, ``config.json`` and ``arrays.json``. The second lists the arrays, and as the
last thing written makes the graph complete.

The compiled core trusts its arrays, so nothing reaches it unchecked; but reading a hundred million
edges at every start would take longer than much of the work. So ``arrays.json`` also notes when the
system last saw each file changed, which no program can set: a folder that was written, or checked,
on this machine and is as it was opens at once. Any other is checked first, by the checksums in the
same file and by what the arrays say.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import FileError, GrapeError, GraphFileError
from grape_gnn.files import Folder
from grape_gnn.files.npy import read_array, write_array
from grape_gnn.files.sealed_folder import file_checksum, file_stamp
from grape_gnn.files.texts import Texts, sorted_order
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.npz import assemble_graph, graph_members
from grape_gnn.progress import report

__all__ = [
    "GRAPH_SUFFIX",
    "GraphFolder",
    "graph_identity",
    "read_graph_folder",
    "replace_folder",
    "write_graph_folder",
]

GRAPH_SUFFIX = ".grape"
_ARRAYS = "arrays.json"


class ArrayList(TypedDict):
    """What ``arrays.json`` holds: for every array the number, size and last change of its file.

    And its SHA-256, by which a copy is told from a changed array, and one graph from another.
    """

    arrays: dict[str, list[int]]
    checksums: dict[str, str]


class GraphFolder(Folder):
    """The folder of a graph."""

    kind: ClassVar[str] = "graph"
    thing: ClassVar[str] = "graph"
    command: ClassVar[str] = "grape convert"
    error: ClassVar[type[FileError]] = GraphFileError

    def array_path(self, key: str) -> Path:
        """Return the file of an array."""
        return self.path / f"{key}.npy"

    def write_arrays(self, members: Mapping[str, Any]) -> None:
        """Write arrays by name."""
        for key, array in members.items():
            report(f"writing {key}")
            write_array(self.array_path(key), np.asarray(array))

    def complete(self) -> None:
        """Say that all arrays are there, and right as they are now."""
        keys = sorted(file.stem for file in self.path.glob("*.npy"))
        self._write_list({key: file_checksum(self.array_path(key)) for key in keys})

    @property
    def identity(self) -> str:
        """What tells this graph from every other: a checksum of all its arrays."""
        checksums = self._read_list()["checksums"]
        return hashlib.sha256(repr(sorted(checksums.items())).encode()).hexdigest()

    def read(self, *, mmap: bool) -> Graph:
        """Read the graph, or map it; check it unless it is as it was when last checked."""
        noted = self._read_list()
        members: dict[str, NDArray[Any]] = {}
        same = True
        for key, stamp in noted["arrays"].items():
            file = self.array_path(key)
            if not key.isidentifier():
                raise GraphFileError(self.path, f"{_ARRAYS} lists {key!r}, which is no array")
            try:
                same = same and file_stamp(file) == stamp
                members[key] = read_array(file, mmap=mmap)
            except FileNotFoundError:
                raise GraphFileError(file, "is missing: restore it from a copy") from None
            except OSError as error:
                raise GraphFileError(file, f"cannot be read: {error.strerror}") from error
            except Exception as error:  # a damaged header makes NumPy fail in many ways
                raise GraphFileError(
                    file, f"is damaged: {error}; restore it from a copy"
                ) from error
        if not same:
            self._check(noted["checksums"], members)
        try:
            graph = assemble_graph(members, mapped=mmap, checked=same)
        except (KeyError, ValueError) as error:
            raise GraphFileError(self.path, f"has damaged contents: {error}") from error
        if not same:
            with suppress(GrapeError):  # where nobody may write, it is checked every time
                self._write_list(noted["checksums"])
        return graph

    def _check(self, checksums: Mapping[str, str], members: Mapping[str, Any]) -> None:
        for done, key in enumerate(members):
            report(f"checking {self.path.name}", done, len(members))
            if file_checksum(self.array_path(key)) != checksums.get(key):
                raise GraphFileError(
                    self.array_path(key),
                    "is damaged, or was changed after it was written: restore it from a copy, or "
                    "write the graph anew",
                )

    def _read_list(self) -> ArrayList:
        found: ArrayList = self.read_json(_ARRAYS, ArrayList)
        return found

    def _write_list(self, checksums: Mapping[str, str]) -> None:
        stamps = {key: file_stamp(self.array_path(key)) for key in checksums}
        self.write_json(_ARRAYS, {"arrays": stamps, "checksums": dict(checksums)})


def graph_identity(path: str | os.PathLike[str]) -> str:
    """Return what tells the graph in a folder from every other; its arrays are not read."""
    return GraphFolder.open(path).identity


def read_graph_folder(path: Path, *, mmap: bool = True) -> Graph:
    """Open a graph on disk; with `mmap`, the arrays stay there and are paged in when used."""
    folder = GraphFolder.open(path)
    if not (folder.path / _ARRAYS).exists():
        raise GraphFileError(
            path, "is not complete: whoever wrote it was interrupted; write it anew"
        )
    return folder.read(mmap=mmap)


def write_graph_folder(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a folder; a reader sees the old one or the complete new one."""
    target = Path(path)
    if not target.parent.is_dir():
        raise GrapeError(f"cannot write {target}: the folder {target.parent} does not exist")
    members = graph_members(graph)
    if "names_utf8" in members:
        names = graph.names
        packed = members["names_utf8"], members["names_ends"]
        members["names_order"] = names.order if isinstance(names, Texts) else sorted_order(*packed)
    temporary = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{target.suffix}")
    try:
        with GraphFolder.create(temporary, {}) as folder:
            folder.write_arrays(members)
            folder.complete()
        replace_folder(temporary, target)
    except OSError as error:
        raise GrapeError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def replace_folder(new: Path, target: Path) -> None:
    """Put a finished graph where it belongs, in place of an older graph if there is one."""
    if not target.exists():
        new.rename(target)
        return
    GraphFolder.open(target)  # refuses to replace anything else
    GraphFolder.check_unlocked(target)
    old = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{target.suffix}")
    target.rename(old)  # whoever has mapped its arrays keeps them
    new.rename(target)
    shutil.rmtree(old, ignore_errors=True)
