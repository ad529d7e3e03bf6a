"""Folders of work in blocks of egos: one file for every block, each whole or not there."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from grape_gnn.files import make_folder
from grape_gnn.files.sealed_folder import SealedFolder
from grape_gnn.graph import Graph

__all__ = ["Block", "BlocksFolder", "block_borders"]

Block = tuple[int, int]
Self = TypeVar("Self", bound="BlocksFolder")


class BlocksFolder(SealedFolder, ABC):
    """A folder with ``parts/``; its ``config.json`` has the `borders` of the blocks."""

    changes: ClassVar[dict[str, str]]
    """For every entry of the configuration, what to say if it is another one than wanted."""

    @classmethod
    def prepared(cls: type[Self], path: str | os.PathLike[str], config: dict[str, Any]) -> Self:
        """Make a folder, or go on with one of the same configuration."""
        if not (Path(path) / "config.json").exists():
            made = cls.create(path, config)
            make_folder(made.path / "parts", cls.error)
            return made
        found, job = cls.open(path), cls.thing.removesuffix(" in parts")
        for key, words in cls.changes.items():
            if found.config[key] != config[key]:
                raise cls.error(
                    path,
                    f"holds parts of another {job}: {words}; choose another folder, or remove this "
                    f"one",
                )
        return found

    @property
    @abstractmethod
    def stem(self) -> str:
        """How the files of parts are called."""

    @property
    def blocks(self) -> list[Block]:
        """The blocks of egos: the first, and the one behind the last."""
        return list(pairwise(self.config["borders"]))

    def part_path(self, block: Block) -> Path:
        """Return the file of a block."""
        return self.path / "parts" / f"{self.stem}-{block[0]}-{block[1]}.{self.config['format']}"

    @property
    def missing(self) -> list[Block]:
        """The blocks whose parts are still to be written, or are damaged."""
        return [block for block in self.blocks if not self.holds(self.part_path(block))]

    def still_to_do(self) -> list[Block]:
        """Return the blocks to work on; what is damaged is removed, which is said."""
        self.drop_damaged([*map(self.part_path, self.blocks), *self.path.glob("*.npy")])
        return self.missing

    def check(self) -> None:
        """Refuse a folder that lacks a part, or of which one is damaged.

        Whoever reads the tables by other means may call this first. Parts that are as they were
        written on this machine are not read.
        """
        files = [self.part_path(block) for block in self.blocks]
        lacking = sum(not file.exists() for file in files)
        if lacking:
            raise self.error(
                self.path,
                f"lacks {lacking} of its {len(files)} parts: run the same again, and it goes on "
                f"with them",
            )
        self.check_whole(files)

    def write_manifest(self) -> None:
        """List the parts with their sizes and checksums, when all are there."""
        listed = []
        for block in self.blocks:
            file = self.part_path(block)
            seal = self.seal_of(file)
            about = {"bytes": seal["bytes"], "sha256": seal["sha256"]}
            listed.append({"file": file.name, "egos": list(block), **about})
        self.write_json("manifest.json", {**self.config, "parts": listed})


def block_borders(graph: Graph, parts: int) -> list[int]:
    """Cut the egos into blocks of about as many arcs and nodes each.

    Examples
    --------
    >>> block_borders(Graph.from_edges([0, 0, 0], [1, 2, 3]), 2)
    [0, 2, 4]
    """
    weight = graph.indptr + np.arange(graph.num_nodes + 1)
    cuts = np.searchsorted(weight, np.linspace(0, weight[-1], parts + 1))
    return sorted({0, graph.num_nodes, *cuts.tolist()})
