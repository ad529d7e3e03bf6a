"""The folder of a search: its configuration, its checkpoint, its history and what it found.

=================  =====================================================================
config.json        what is searched and how; written once
state.json         checkpoint after every round, replaced as a whole
history.jsonl      one line per gene of every round, appended as it is evaluated
templates.json     the best gene so far; ``grape train --templates`` takes it
templates.svg      its drawing, at the end
curve.svg          best validation accuracy over time, at the end
=================  =====================================================================

A crash leaves the state of the last complete round and the lines of the one after. Going on asks
the strategy again, gets the same genes, and finds the first of them in those lines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grape_gnn.errors import GrapeError, SearchFolderError, TemplateError
from grape_gnn.files import atomic_write
from grape_gnn.search.history import Evaluation, SearchHistory
from grape_gnn.search.settings import SearchSettings
from grape_gnn.template import Template, save_templates

__all__ = ["SearchFolder"]

FORMAT = 1


class SearchFolder:
    """A folder on disk.

    Use `create` for a new search and `open` for one that is there.

    Attributes
    ----------
    path : Path
        The folder.
    config : dict
        What config.json holds.
    """

    def __init__(self, path: Path, config: dict[str, Any]) -> None:
        self.path = path
        self.config = config

    @classmethod
    def create(cls, path: str | os.PathLike[str], config: Mapping[str, Any]) -> SearchFolder:
        """Make the folder, with a configuration, for a new search."""
        folder = Path(path)
        if (folder / "config.json").exists():
            raise SearchFolderError(
                folder, "there is a search already: go on with it by resume, or choose another"
            )
        if folder.is_dir() and any(folder.iterdir()):
            raise SearchFolderError(folder, "is not empty: choose another folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SearchFolderError(folder, f"cannot be made: {error.strerror}") from error
        made = cls(folder, {"kind": "search", "format": FORMAT, **config})
        made._write_json("config.json", made.config)
        return made

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> SearchFolder:
        """Open the folder of a search, running, interrupted or finished.

        Raises
        ------
        SearchFolderError
            When it is not the folder of a search, or a file in it is damaged.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise SearchFolderError(folder, "there is no such folder; check the path")
        config = cls(folder, {})._read_json("config.json")
        if config.get("kind") != "search":
            raise SearchFolderError(folder, "is not the folder of a search")
        if config.get("format") != FORMAT:
            raise SearchFolderError(
                folder,
                f"has format {config.get('format')!r}, this release reads {FORMAT}: use the "
                f"release that wrote it",
            )
        return cls(folder, config)

    # -------------------------------------------------------------- reading

    @property
    def settings(self) -> SearchSettings:
        """The settings of the search."""
        try:
            return SearchSettings.from_json(self.config["parameters"])
        except (KeyError, TypeError, GrapeError) as error:
            raise SearchFolderError(
                self.path / "config.json", f"is damaged ({error}); start the search again"
            ) from error

    @property
    def history(self) -> SearchHistory:
        """All evaluations so far."""
        file = self.path / "history.jsonl"
        if not file.exists():
            return SearchHistory()
        lines = file.read_text(encoding="utf-8").split("\n")
        complete = lines[:-1]  # a crash may have torn the last line
        found = [self._evaluation(number, line) for number, line in enumerate(complete, start=1)]
        return SearchHistory(found)

    def _evaluation(self, number: int, line: str) -> Evaluation:
        try:
            return Evaluation.from_json(json.loads(line))
        except (ValueError, KeyError, TypeError, GrapeError) as error:
            raise SearchFolderError(
                self.path / "history.jsonl",
                f"line {number} is damaged ({error}); start the search again in another folder",
            ) from error

    @property
    def best(self) -> Evaluation:
        """The fittest gene so far."""
        return self.history.best

    def templates(self) -> list[Template]:
        """Return the templates of the fittest gene so far."""
        return list(self.best.gene.templates)

    @property
    def state(self) -> dict[str, Any]:
        """The last checkpoint."""
        return self._read_json("state.json")

    # -------------------------------------------------------------- writing

    def write_state(self, state: Mapping[str, Any]) -> None:
        """Replace the checkpoint."""
        self._write_json("state.json", state)

    def append(self, evaluation: Evaluation) -> None:
        """Add a line to the history; it is on disk when this returns."""
        line = json.dumps(evaluation.to_json(), ensure_ascii=False) + "\n"
        try:
            with (self.path / "history.jsonl").open("a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SearchFolderError(self.path, f"cannot be written: {error.strerror}") from error

    def cut_torn_line(self) -> None:
        """Drop what a crash left of a last line, so that appending starts on a new one."""
        file = self.path / "history.jsonl"
        if not file.exists():
            return
        text = file.read_bytes()
        end = text.rfind(b"\n") + 1
        if end < len(text):
            with file.open("r+b") as opened:
                opened.truncate(end)

    def write_templates(self, templates: list[Template]) -> None:
        """Replace templates.json."""
        try:
            save_templates(templates, self.path / "templates.json")
        except TemplateError as error:
            raise SearchFolderError(self.path, str(error)) from error

    def write_text(self, name: str, text: str) -> None:
        """Write a text file as a whole."""
        with atomic_write(self.path / name) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def _write_json(self, name: str, data: Mapping[str, Any]) -> None:
        self.write_text(name, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

    def _read_json(self, name: str) -> dict[str, Any]:
        file = self.path / name
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise SearchFolderError(
                file, f"cannot be read ({error.strerror}): this is not the folder of a search"
            ) from error
        except ValueError as error:
            raise SearchFolderError(
                file, f"is damaged ({error}); start the search again in another folder"
            ) from error
        if not isinstance(data, dict):
            raise SearchFolderError(file, "is damaged: expected an object")
        return data

    def __repr__(self) -> str:
        return f"SearchFolder({str(self.path)!r})"
