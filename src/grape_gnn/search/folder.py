"""The folder of a search: its configuration, its checkpoint, its history and what it found.

=================  =====================================================================
config.json        what is searched and how; written once
state.json         checkpoint after every round, replaced as a whole
history.jsonl      a record per gene of every round, appended as it is evaluated
templates.json     the best gene so far; ``grape train --templates`` takes it
templates.svg      its drawing, at the end
curve.svg          best validation accuracy over time, at the end
=================  =====================================================================

A crash leaves the state of the last complete round and the records of the one after. Going on asks
the strategy again, gets the same genes, and finds the first of them in those records.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from grape_gnn.errors import GrapeError, SearchFolderError, TemplateError
from grape_gnn.files import Amount, Count, Folder, append_records, read_records
from grape_gnn.search.budget import Budget
from grape_gnn.search.history import Evaluation, SearchHistory
from grape_gnn.search.settings import SearchSettings
from grape_gnn.template import Template, save_templates

__all__ = ["SearchFolder"]


class _Config(TypedDict):
    source: dict[str, Any] | None
    parameters: SearchSettings
    budget: Budget
    data: str


class _State(TypedDict):
    round: Count
    stale: Count
    seconds: Amount
    strategy: dict[str, Any] | None


class SearchFolder(Folder):
    """The folder of one search; see the top of the module for its files."""

    kind, thing, command = "search", "search", "grape search"
    version = 2  # in version 1 every gene was trained, and records did not say so
    error = SearchFolderError
    config_shape = _Config

    # -------------------------------------------------------------- reading

    @property
    def settings(self) -> SearchSettings:
        """The settings of the search."""
        try:
            return SearchSettings.from_json(self.config["parameters"])
        except GrapeError as error:
            raise SearchFolderError(
                self.path / "config.json", f"is damaged: {error}; start the search again"
            ) from error

    @property
    def history(self) -> SearchHistory:
        """All evaluations so far."""
        found = read_records(
            self.path / "history.jsonl",
            Evaluation.from_json,
            error=SearchFolderError,
            remedy="start the search again in another folder",
        )
        return SearchHistory(found, str(self.config.get("metric", "accuracy")))

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
        state: dict[str, Any] = self.read_json("state.json", _State)
        return state

    # -------------------------------------------------------------- writing

    def write_state(self, state: Mapping[str, Any]) -> None:
        """Replace the checkpoint."""
        self.write_json("state.json", state)

    def append(self, evaluation: Evaluation) -> None:
        """Add an evaluation to the history; it is on disk when this returns."""
        append_records(self.path / "history.jsonl", [evaluation.to_json()], error=self.error)

    def write_templates(self, templates: list[Template]) -> None:
        """Replace templates.json."""
        try:
            save_templates(templates, self.path / "templates.json")
        except TemplateError as error:
            raise SearchFolderError(self.path, str(error)) from error
