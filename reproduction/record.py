"""Records: one per finished cell, with all that is needed to judge it.

A *cell* is one entry of a table, such as GIN on Cora: what is computed in one go, kept when the
work is stopped, and never computed twice. A folder has one file of JSON lines per experiment; a
later record of a cell replaces earlier ones. What a cell needs while it is unfinished lies in the
folder ``partial``, which nobody but the cell reads.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from grape_gnn.files import append_records, check_shape, make_folder, read_records
from reproduction.fingerprint import as_json
from reproduction.profiles import PROFILES

__all__ = ["Record", "Records", "new_record"]

Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Record:
    """A finished cell.

    Parameters
    ----------
    experiment, profile, cell
        Which one: the experiment's name, the profile, and what tells the cell from
        the others, such as ``{"dataset": "cora", "method": "gin"}``.
    result
        What came out, with the configuration and the scores of every run.
    seconds
        How long it took since it was last started; work taken over from before is not counted.
    machine, version
        What it ran on, and the version of grape-gnn.
    finished
        When, in UTC.
    fingerprint
        What the result rests on, as the experiment tells it.
    """

    experiment: str
    profile: str
    cell: dict[str, str]
    result: dict[str, Any]
    seconds: float
    machine: dict[str, Any]
    version: str
    finished: str
    fingerprint: dict[str, Any]

    @property
    def key(self) -> Key:
        """What tells this cell from all others of the experiment."""
        return _key(self.profile, self.cell)


def new_record(
    experiment: str,
    profile: str,
    cell: Mapping[str, str],
    result: dict[str, Any],
    seconds: float,
    fingerprint: dict[str, Any],
) -> Record:
    """Make the record of a cell that was finished here and now."""
    from benchmarks.machine import describe_machine
    from grape_gnn import __version__

    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Record(
        experiment,
        profile,
        dict(cell),
        result,
        round(seconds, 3),
        describe_machine(),
        __version__,
        now,
        as_json(fingerprint),
    )


class Records:
    """The finished cells of one experiment in a folder.

    Parameters
    ----------
    folder
        Where the files are.
    experiment
        Its name.

    Examples
    --------
    >>> import tempfile
    >>> records = Records(tempfile.mkdtemp(), "table1")
    >>> cell = {"dataset": "cora", "method": "gin"}
    >>> records.add(new_record("table1", "quick", cell, {"runs": []}, 1.5, {}))
    >>> records.find("quick", cell).seconds
    1.5
    >>> records.best(method="gin", dataset="cora").profile
    'quick'
    """

    def __init__(self, folder: str | os.PathLike[str], experiment: str) -> None:
        self.folder = Path(folder)
        self.experiment = experiment
        self.path = self.folder / f"{experiment}.jsonl"
        self._records = {record.key: record for record in read_records(self.path, _parsed)}

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def find(self, profile: str, cell: Mapping[str, str]) -> Record | None:
        """Return the record of a cell in a profile, or None if it was not run."""
        return self._records.get(_key(profile, cell))

    def best(self, **cell: str) -> Record | None:
        """Return the record of a cell in the largest of the profiles it was run in."""
        found = (self.find(profile, cell) for profile in reversed(PROFILES))
        return next((record for record in found if record is not None), None)

    def add(self, record: Record) -> None:
        """Keep a record and append it to the file."""
        make_folder(self.folder)
        append_records(self.path, [asdict(record)])
        self._records[record.key] = record

    def partial(
        self, profile: str, cell: Mapping[str, str], fingerprint: Mapping[str, Any]
    ) -> Path:
        """Return the folder for the unfinished work of a cell with this fingerprint."""
        words = [self.experiment, profile, *(cell[name] for name in sorted(cell))]
        digest = hashlib.sha256(json.dumps(fingerprint, sort_keys=True).encode()).hexdigest()[:8]
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join([*words, digest]))
        return self.folder / "partial" / name


def _key(profile: str, cell: Mapping[str, str]) -> Key:
    return profile, tuple(sorted(cell.items()))


def _parsed(data: dict[str, Any]) -> Record:
    check_shape(data, Record)
    return Record(**data)
