"""What an experiment is: its cells, how one of them is computed, and what the page says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reproduction.fingerprint import as_json
from reproduction.profiles import PROFILES, Profile
from reproduction.record import Record, Records

__all__ = ["Entry", "Experiment", "Section"]

Entry = Mapping[str, str]


@dataclass(frozen=True)
class Section:
    """What the page of results shows of an experiment.

    Parameters
    ----------
    text
        Markdown below the heading.
    pictures
        SVG pictures by file name; the text refers to them as ``images/results/NAME``.
    """

    text: str
    pictures: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """One table or figure.

    Parameters
    ----------
    name
        What the command calls it.
    title
        Heading on the page of results.
    cells
        All cells of a profile, in the order to run them.
    run
        Compute one cell: takes the cell, the profile and a folder for unfinished work, from which
        it goes on if it was stopped; returns what is kept in the record.
    fingerprint
        What the result of a cell rests on, such as the preset and the templates: it is kept in
        the record, and a record that rests on something else is out of date.
    section
        Turn finished cells into a section of the page. It must use nothing but the records.
    alone
        Whether cells measure time and must not run beside each other.
    aliases
        Other names it goes by.
    """

    name: str
    title: str
    cells: Callable[[Profile], Sequence[Entry]]
    run: Callable[[Entry, Profile, Path], dict[str, Any]]
    fingerprint: Callable[[Entry, Profile], dict[str, Any]]
    section: Callable[[Records], Section]
    alone: bool = False
    aliases: tuple[str, ...] = ()

    def is_current(self, record: Record) -> bool:
        """Whether a record rests on what its cell would rest on if it were run now."""
        return record.fingerprint == as_json(
            self.fingerprint(record.cell, PROFILES[record.profile])
        )
