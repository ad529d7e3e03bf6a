"""The folder of a comparison: what was asked, every training, and the table.

===============  ==================================================================================
config.json      the graph, the methods, the protocol
results.jsonl    one line per training, appended as soon as it is done
table.md         the table, in Markdown
table.json       the same for programs
===============  ==================================================================================
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grape_gnn.comparison.table import Row, table_text
from grape_gnn.errors import ModelFileError
from grape_gnn.files import atomic_write

__all__ = ["ComparisonFolder"]

KIND, VERSION = "compare", 1


class ComparisonFolder:
    """A folder that a comparison is written to, and goes on from.

    Parameters
    ----------
    path
        The folder; made if it is not there.
    config
        What was asked. A folder with a comparison on another graph is refused; other methods,
        seeds and kinds of features are added to what it has.

    Examples
    --------
    >>> import tempfile
    >>> folder = ComparisonFolder(tempfile.mkdtemp(), {"source": {"dataset": "cora"}})
    >>> folder.results.name
    'results.jsonl'
    """

    def __init__(self, path: str | os.PathLike[str], config: dict[str, Any]) -> None:
        self.path = Path(path)
        self._check(config)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ModelFileError(self.path, f"cannot make the folder: {error.strerror}") from error
        _write(self.path / "config.json", {"kind": KIND, "version": VERSION, **config})

    @property
    def results(self) -> Path:
        """The file of all trainings."""
        return self.path / "results.jsonl"

    def write_table(self, rows: Iterable[Row]) -> None:
        """Write the table in both forms."""
        listed = list(rows)
        with atomic_write(self.path / "table.md") as temporary:
            temporary.write_text(table_text(listed) + "\n", encoding="utf-8")
        _write(self.path / "table.json", [asdict(row) for row in listed])

    def _check(self, config: dict[str, Any]) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise ModelFileError(self.path, "is a file, not a folder: choose another name")
        if not self.path.is_dir() or not any(self.path.iterdir()):
            return
        file = self.path / "config.json"
        try:
            old = json.loads(file.read_text(encoding="utf-8"))
            kind, source = old["kind"], old["source"]
        except FileNotFoundError:
            raise ModelFileError(
                self.path, "already holds other files: choose another folder"
            ) from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelFileError(
                file, f"is damaged ({error}): remove the file to go on with the results beside it"
            ) from error
        if kind != KIND:
            raise ModelFileError(
                self.path, f"is a folder of kind {kind!r}, not of a comparison: choose another"
            )
        if source != config["source"]:
            raise ModelFileError(
                self.path, "already holds a comparison on another graph: choose another folder"
            )


def _write(file: Path, data: Any) -> None:
    with atomic_write(file) as temporary:
        temporary.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
