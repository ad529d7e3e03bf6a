"""The lines that tell how far a training is."""

from __future__ import annotations

import sys
import time

import pytest

from grape_gnn.cli.training_progress import TrainingProgress
from grape_gnn.progress import report
from grape_gnn.training import Epoch, History


def run(epochs: int) -> None:
    history = History()
    with TrainingProgress("cora") as progress:
        for number in range(epochs):
            history.add(Epoch(1.5, 1.0, (number + 1) / epochs))
            progress(epochs, history)


def test_plain_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run(100)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith(
        "cora: epoch 10/100 loss 1.500 validation 10.0% best 10.0% (epoch 10) at most "
    )
    assert lines[-1].endswith("0 s left")


def test_a_live_line_in_a_terminal_fits_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for name, value in (("COLUMNS", "80"), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    run(500)
    shown = capsys.readouterr().err
    assert "500/500  loss 1.500  validation 100.0%  best 100.0%  0:00 left" in shown


def test_the_last_epoch_is_not_shown_while_nodes_are_scored(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for name, value in (("COLUMNS", "80"), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    history = History()
    with TrainingProgress("cora") as progress:
        history.add(Epoch(1.5, 1.0, 1.0))
        progress(2, history)
        report("scoring")
        time.sleep(0.3)  # a bar is drawn ten times a second
    last = capsys.readouterr().err.rsplit("scoring", 1)
    assert len(last) == 2
    assert "epoch" not in last[1]
