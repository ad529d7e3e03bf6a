"""The folder of role products: plain ``.npy`` arrays, each whole or not there.

=====================  ==================================================================
config.json            whose products: checksums of graph and features, templates, hops,
                       columns of a part; written once
logs1.npy, logs2.npy   log totals of every role, and their means over neighbours
hop1-0-32.npy, ...     products of a hop with some columns: (nodes, roles, columns)
seals/                 size and checksum of every array, by which a damaged one is noticed
=====================  ==================================================================

A file gets its name when it is complete, so whatever is there after a crash is right, and computing
again goes on with what is missing, and makes those again that were damaged since.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import FileError, GrapeError, ProductsFileError, TemplateError
from grape_gnn.files import Count, atomic_write
from grape_gnn.files.npy import GrowingArray, read_array
from grape_gnn.files.sealed_folder import SealedFolder
from grape_gnn.files.shape import Limits
from grape_gnn.products.products import HOPS, Part, Products, parts_of
from grape_gnn.template import Template

__all__ = ["ProductFolder"]

_BLOCK = 1 << 16  # nodes that are gathered before they are written


class _Config(TypedDict):
    graph: str
    features: str
    templates: list[dict[str, Any]]
    nodes: Count
    columns: Count
    hops: Annotated[int, Limits(1, HOPS, "1 or 2")]
    width: Count


class ProductFolder(SealedFolder):
    """The folder of one precomputation; see the top of the module for its files."""

    kind: ClassVar[str] = "products"
    thing: ClassVar[str] = "precomputation"
    command: ClassVar[str] = "grape precompute"
    error: ClassVar[type[FileError]] = ProductsFileError
    config_shape = _Config

    @classmethod
    def prepared(cls, path: str | os.PathLike[str], config: dict[str, Any]) -> ProductFolder:
        """Make a folder for products, or go on with one that is for the same products."""
        if not (Path(path) / "config.json").exists():
            return cls.create(path, config)
        found = cls.open(path)
        found.check(config)
        found.__enter__()
        found.drop_damaged(map(found._file, found._names))
        return found

    @classmethod
    def complete(cls, path: str | os.PathLike[str], config: dict[str, Any]) -> Products | None:
        """Return the products of a folder that is for the same ones and lacks none; else None."""
        if not (Path(path) / "config.json").exists():
            return None
        found = cls.open(path)
        found.check(config)
        return None if found.missing else found.products()

    def check(self, wanted: dict[str, Any]) -> None:
        """Refuse a folder with other products than those wanted."""
        what = {
            "graph": "the edges of the graph",
            "features": "the features",
            "templates": "the templates",
            "hops": "the number of hops",
            "nodes": "the edges of the graph",
            "columns": "the features",
        }
        for key, words in what.items():
            if key in wanted and self.config[key] != wanted[key]:
                raise ProductsFileError(
                    self.path,
                    f"holds products of other data: {words} changed since; compute them again "
                    f"into another folder, or remove this one",
                )

    @property
    def templates(self) -> list[Template]:
        """The templates whose roles were multiplied."""
        try:
            return [Template.from_json(entry) for entry in self.config["templates"]]
        except TemplateError as error:
            raise ProductsFileError(self.path / "config.json", f"is damaged: {error}") from error

    @property
    def num_roles(self) -> int:
        """Number of roles of all templates, the egos' not counted."""
        return sum(len(template.roles) - 1 for template in self.templates)

    @property
    def parts(self) -> list[Part]:
        """All parts, those that are missing too."""
        config = self.config
        return parts_of(config["columns"], max(1, config["width"]), config["hops"])

    def has(self, name: str) -> bool:
        """Whether a file is there, and as it was written."""
        return self.holds(self._file(name))

    @property
    def missing(self) -> list[str]:
        """Names of the files that are still to be written, or are damaged."""
        return [name for name in self._names if not self.has(name)]

    @property
    def _names(self) -> list[str]:
        logs = [f"logs{hop}" for hop in range(1, self.config["hops"] + 1)]
        return [*logs, *(part.name for part in self.parts)]

    @property
    def _num_files(self) -> int:
        columns, width = self.config["columns"], max(1, self.config["width"])
        return int(self.config["hops"] * (1 + -(-columns // width)))

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.npy"

    def write(
        self,
        name: str,
        arrays: Sequence[NDArray[np.float32]],
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Write one array per role as (nodes, roles, columns), a block of nodes at a time."""
        try:
            with (
                atomic_write(self._file(name)) as temporary,
                GrowingArray(temporary, np.float32, (len(arrays), arrays[0].shape[1])) as file,
            ):
                for begin in range(0, len(arrays[0]), _BLOCK):
                    block = [array[begin : begin + _BLOCK] for array in arrays]
                    file.append(np.stack(block, axis=1))
                    if progress is not None:
                        progress(begin)
            self.seal(self._file(name))
        except GrapeError as error:
            raise ProductsFileError(
                self.path,
                f"{error}; what is there is kept: make room, then run the same command again",
            ) from error

    def products(self) -> Products:
        """Map all products into memory; nothing is read yet."""
        # Counted before they are named: a number of columns that was damaged names billions.
        lacking = self._num_files - sum(1 for _ in self.path.glob("*.npy"))
        if lacking <= 0:
            lacking = sum(not self._file(name).exists() for name in self._names)
        if lacking > 0:
            raise ProductsFileError(
                self.path,
                f"is incomplete, {lacking} of its files are missing: run `{self.command}` "
                f"again, which goes on with them",
            )
        self.check_whole(map(self._file, self._names))
        roles, nodes = self.num_roles, self.config["nodes"]
        parts = {p: self._read(p.name, (nodes, roles, p.last - p.first)) for p in self.parts}
        logs = [
            self._read(f"logs{hop}", (nodes, 1, roles))[:, 0]
            for hop in range(1, self.config["hops"] + 1)
        ]
        return Products(
            self.templates,
            self.config["columns"],
            self.config["hops"],
            logs,
            parts,
            self.config["features"],
        )

    def _read(self, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
        file = self._file(name)
        try:
            array = read_array(file, mmap=True)
            if array.shape != shape or array.dtype != np.float32:
                raise ValueError(f"has shape {array.shape} and type {array.dtype}, not {shape}")
        except (OSError, ValueError) as error:
            raise ProductsFileError(
                file, f"is damaged ({error}); remove it and run `{self.command}` again"
            ) from error
        return array
