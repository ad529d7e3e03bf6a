"""Results as JSON lines: a record per run, holding everything needed to repeat it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.errors import ModelFileError
from grape_gnn.files import Amount, Count, Finite, append_records, check_shape, read_records

__all__ = ["RunResult", "append_results", "read_results", "summarise"]


@dataclass(frozen=True)
class RunResult:
    """One run of one model.

    Parameters
    ----------
    model, dataset, features
        What was trained on what; features are original, constant or random.
    seed
        Seed of the split, the weights and dropout.
    settings
        All hyper-parameters.
    best_epoch, epochs
        The chosen epoch, from 0, and how many there were.
    validation_score, test_score
        At the chosen epoch, by the metric: the higher the better, so errors are negative. The test
        score is None where the test labels were not read.
    seconds
        Time of the training.
    details
        Anything else: versions, templates, sizes of the parts.
    stage
        ``"run"``, or ``"grid"`` for a training that only helped to choose the settings.
    metric
        What the scores are: a name of `grape_gnn.training.METRICS`.
    figures
        All metrics on the test nodes by name, as people know them; empty where the test labels
        were not read.
    """

    model: str
    dataset: str
    features: str
    seed: int
    settings: dict[str, Any]
    best_epoch: int
    epochs: Count
    validation_score: Finite
    test_score: Finite | None
    seconds: Amount
    details: dict[str, Any] = field(default_factory=dict)
    stage: str = "run"
    metric: str = "accuracy"
    figures: dict[str, Finite | None] = field(default_factory=dict)


_RENAMED = {"validation_accuracy": "validation_score", "test_accuracy": "test_score"}


def append_results(path: str | os.PathLike[str], results: Iterable[RunResult]) -> None:
    """Append runs to a file of JSON lines; a last line that a crash has torn is removed first."""
    append_records(path, (asdict(result) for result in results), error=ModelFileError)


def read_results(path: str | os.PathLike[str]) -> list[RunResult]:
    """Read the runs of a file; a last line torn by a crash is left out.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "runs.jsonl")
    >>> run = RunResult("GRAPE", "cora", "original", 0, {}, 7, 58, 0.8, 0.79, 1.5)
    >>> append_results(file, [run])
    >>> read_results(file) == [run]
    True
    """
    if not Path(path).exists():
        raise ModelFileError(path, "there is no such file; check the path")
    return read_records(path, _result, error=ModelFileError)


def _result(data: dict[str, Any]) -> RunResult:
    # Files from before there was a choice of metrics have accuracies.
    data = {_RENAMED.get(name, name): value for name, value in data.items()}
    check_shape(data, RunResult)
    return RunResult(**data)


def summarise(scores: Iterable[float], unit: float = 100.0) -> tuple[float, float, float]:
    """Mean, standard deviation and standard error of the mean, in percent or another unit.

    Examples
    --------
    >>> tuple(round(value, 2) for value in summarise([0.8, 0.82, 0.84]))
    (82.0, 2.0, 1.15)
    """
    values = unit * np.array(list(scores), dtype=float)
    spread = float(values.std(ddof=1)) if values.size > 1 else 0.0
    return float(values.mean()), spread, spread / max(1.0, float(np.sqrt(values.size)))
