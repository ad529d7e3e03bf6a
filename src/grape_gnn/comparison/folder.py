"""The folder of a comparison: what was asked, every training, and the table.

===============  ==================================================================================
config.json      the graph, the methods, the protocol
results.jsonl    a record per training, appended as soon as it is done
table.md         the table, in Markdown
table.json       the same for programs
===============  ==================================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypedDict

from grape_gnn.comparison.table import Row, metrics_text, table_text
from grape_gnn.errors import ModelFileError
from grape_gnn.files import Folder

__all__ = ["ComparisonFolder"]


class _Config(TypedDict):
    source: dict[str, Any]


class ComparisonFolder(Folder):
    """A folder that a comparison is written to, and goes on from.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "cora")
    >>> with ComparisonFolder.ready(path, {"source": {"dataset": "cora"}}) as folder:
    ...     folder.results.name
    'results.jsonl'
    """

    kind, thing, command = "compare", "comparison", "grape compare"
    error = ModelFileError
    config_shape = _Config

    @classmethod
    def is_about(cls, path: str | os.PathLike[str], source: Mapping[str, Any]) -> bool:
        """Tell whether there is a comparison on a graph already."""
        return (Path(path) / "config.json").exists() and cls.open(path).config["source"] == source

    @classmethod
    def ready(cls, path: str | os.PathLike[str], config: Mapping[str, Any]) -> ComparisonFolder:
        """Make the folder, or go on with it, and become its writer.

        Parameters
        ----------
        path
            The folder.
        config
            What was asked. A folder with a comparison on another graph is refused; other methods,
            seeds and kinds of features are added to what it has.
        """
        if not (Path(path) / "config.json").exists():
            return cls.create(path, config)
        folder = cls.open(path)
        if folder.config["source"] != config["source"]:
            raise ModelFileError(
                path, "already holds a comparison on another graph: choose another folder"
            )
        folder._lock.acquire()
        folder.config.update(config)
        folder.write_json("config.json", folder.config)
        return folder

    @property
    def results(self) -> Path:
        """The file of all trainings."""
        return self.path / "results.jsonl"

    def write_table(self, rows: Iterable[Row]) -> None:
        """Write the table in both forms."""
        listed = list(rows)
        texts = (table_text(listed), metrics_text(listed))
        self.write_text("table.md", "\n\n".join(filter(None, texts)) + "\n")
        self.write_json("table.json", [asdict(row) for row in listed])
