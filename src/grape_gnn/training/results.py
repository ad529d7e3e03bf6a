"""Results as JSON lines: one line per run, holding everything needed to repeat it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.errors import ModelFileError
from grape_gnn.reading import parse_json, read_text

__all__ = ["RunResult", "append_results", "read_results", "summarise"]


@dataclass(frozen=True)
class RunResult:
    """One run of one model.

    Parameters
    ----------
    model, dataset, features
        What was trained on what; features are original, dummy or random.
    seed
        Seed of the split, the weights and dropout.
    settings
        All hyper-parameters.
    best_epoch, epochs
        The chosen epoch, from 0, and how many there were.
    validation_accuracy, test_accuracy
        At the chosen epoch; the test accuracy is None where the test labels were not read.
    seconds
        Time of the training.
    details
        Anything else: versions, templates, sizes of the parts.
    stage
        ``"run"``, or ``"grid"`` for a training that only helped to choose the settings.
    """

    model: str
    dataset: str
    features: str
    seed: int
    settings: dict[str, Any]
    best_epoch: int
    epochs: int
    validation_accuracy: float
    test_accuracy: float | None
    seconds: float
    details: dict[str, Any] = field(default_factory=dict)
    stage: str = "run"


_KINDS: dict[str, Any] = {
    **dict.fromkeys(("model", "dataset", "features", "stage"), str),
    **dict.fromkeys(("seed", "best_epoch", "epochs"), int),
    **dict.fromkeys(("settings", "details"), dict),
    **dict.fromkeys(("validation_accuracy", "seconds"), (int, float)),
    "test_accuracy": (int, float, type(None)),
}


def append_results(path: str | os.PathLike[str], results: Iterable[RunResult]) -> None:
    """Append runs to a file, one JSON object per line, each written in one piece.

    A last line that a crash has cut short is removed first.
    """
    try:
        _mend(Path(path))
        with Path(path).open("a", encoding="utf-8") as file:
            for result in results:
                file.write(json.dumps(asdict(result), sort_keys=True) + "\n")
                file.flush()
    except OSError as error:
        raise ModelFileError(path, f"cannot be written: {error.strerror}") from error


def read_results(path: str | os.PathLike[str]) -> list[RunResult]:
    """Read the runs of a file; a last line cut short by a crash is left out.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "runs.jsonl")
    >>> run = RunResult("GRAPE", "cora", "original", 0, {}, 7, 58, 0.8, 0.79, 1.5)
    >>> append_results(file, [run])
    >>> read_results(file) == [run]
    True
    """
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(path, f"cannot be read: {reason}") from error
    runs = [_parsed(line) for line in lines]
    if runs and runs[-1] is None:
        runs.pop()
    for number, run in enumerate(runs, start=1):
        if run is None:
            raise ModelFileError(path, f"line {number} is not a run: delete the line")
    return [run for run in runs if run is not None]


def _mend(path: Path) -> None:
    """End the file with a whole line."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if size == 0:
            return
        file.seek(size - 1)
        if file.read(1) == b"\n":
            return
        file.seek(0)
        whole = file.read()
        last = whole.rfind(b"\n") + 1
        if _parsed(whole[last:].decode("utf-8", "replace")) is None:
            file.truncate(last)
        else:
            file.write(b"\n")


def _parsed(line: str) -> RunResult | None:
    try:
        result = RunResult(**parse_json(line))
    except (ValueError, TypeError):
        return None
    fits = all(isinstance(getattr(result, key), kind) for key, kind in _KINDS.items())
    return result if fits else None


def summarise(accuracies: Iterable[float]) -> tuple[float, float, float]:
    """Mean, standard deviation and standard error of the mean, in percent.

    Examples
    --------
    >>> tuple(round(value, 2) for value in summarise([0.8, 0.82, 0.84]))
    (82.0, 2.0, 1.15)
    """
    values = 100 * np.array(list(accuracies), dtype=float)
    spread = float(values.std(ddof=1)) if values.size > 1 else 0.0
    return float(values.mean()), spread, spread / max(1.0, float(np.sqrt(values.size)))
