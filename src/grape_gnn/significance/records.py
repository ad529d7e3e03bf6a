"""The counts of rewired graphs in a file of JSON lines, so that a run can go on where it was.

The first line says what the file is about. Every further line is one rewired graph, in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import FileError
from grape_gnn.files.json_lines import append_records, read_records
from grape_gnn.files.shape import Count, Share, check_shape
from grape_gnn.significance.counts import Counts
from grape_gnn.significance.rewiring import Mixing

__all__ = ["Sample", "append", "resume"]

_KIND = "grape-significance"
_REMEDY = "delete the file, or choose another"


class _Record(TypedDict):
    sample: Count
    copies: list[Count]
    roles: list[list[Count]] | None
    accepted: Share
    kept_half: Share
    kept: Share


@dataclass(frozen=True)
class Sample:
    """One rewired graph."""

    number: int
    counts: Counts
    mixing: Mixing


def resume(path: Path, about: dict[str, Any], shape: Counts, add: Callable[[Sample], None]) -> None:
    """Give all samples of a file to `add`; make the file if it is not there.

    Parameters
    ----------
    path
        The file.
    about
        What must be the same for the samples to be of use.
    shape
        Counts of the graph itself: those of a sample have as many numbers.
    add
        Called with one sample after the other.
    """
    first = {"kind": _KIND, "version": 1, **about}
    expected = -1

    def take(record: dict[str, Any]) -> None:
        nonlocal expected
        if expected < 0:
            if record != first:
                raise ValueError("it is about another graph, other templates or another null model")
        elif record["sample"] in range(expected):
            return  # of a second process, which drew the same graph
        else:
            add(_sample(record, expected, shape))
        expected += 1

    read_records(path, take, error=FileError, remedy=_REMEDY)
    if expected < 0:
        append_records(path, [first])


def append(path: Path, sample: Sample) -> None:
    """Write one more sample; it is on disk when this returns."""
    counts = sample.counts
    record = {
        "sample": sample.number,
        "copies": counts.copies.tolist(),
        "roles": None if counts.roles is None else counts.roles.tolist(),
        **asdict(sample.mixing),
    }
    append_records(path, [record])


def _sample(record: dict[str, Any], number: int, shape: Counts) -> Sample:
    check_shape(record, _Record)
    if record["sample"] != number:
        raise ValueError(f"sample {number} is missing")
    return Sample(
        number,
        Counts(
            _array(record["copies"], shape.copies),
            None if shape.roles is None else _array(record["roles"], shape.roles),
        ),
        Mixing(record["accepted"], record["kept_half"], record["kept"]),
    )


def _array(numbers: Any, like: NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.array(numbers, dtype=np.int64)
    if found.shape != like.shape:
        raise ValueError("it has another number of counts")
    return found
