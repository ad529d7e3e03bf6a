"""Bars in a terminal: there from the first second, moving, and never with a warning inside."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
import time

import pytest

fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

_MAIN = "from grape_gnn.cli import main; main()"


class Terminal:
    """What a command writes to a terminal of 80 columns, and when."""

    def __init__(self, *words):
        child, screen = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm", COLUMNS="80", NO_COLOR="1")
            os.execv(sys.executable, [sys.executable, "-c", _MAIN, *map(str, words)])
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        self.pieces = []
        while True:
            try:
                piece = os.read(screen, 65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not piece:
                break
            self.pieces.append((time.monotonic(), piece))
        os.close(screen)
        self.code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.text = b"".join(piece for _, piece in self.pieces).decode()

    @property
    def lines(self):
        """Return what stays on the screen, line by line: a piece that is erased is gone."""
        kept = []
        for line in self.text.split("\n"):
            parts = [part for part in re.split(r"\x1b\[2K|\r", line) if part]
            kept.append(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", parts[-1] if parts else ""))
        return kept


@pytest.fixture
def large(tmp_path):
    """Write an edge list that takes a while to read, with a loop to warn of."""
    path = tmp_path / "large.csv"
    numbers = range(1_500_000)
    path.write_text("source,target\n5,5\n" + "".join(f"{k},{k * 7 % 99991}\n" for k in numbers))
    return path


def test_reading_shows_a_moving_bar_and_warnings_stand_alone(large):
    screen = Terminal("info", large)
    assert screen.code == 0
    before = screen.text.split("warning:")[0]
    frames = {frame for frame in re.split(r"\x1b\[2K|\r", before) if "━" in frame}
    assert any("reading large" in frame for frame in frames)
    assert len(frames) >= 3
    warning = next(line for line in screen.lines if "dropped" in line)
    assert warning.startswith("warning: dropped")
    assert "━" not in warning
    assert "nodes " in screen.text
    rest = [line for line in screen.lines if not line.startswith("warning")]
    assert max(map(len, rest)) <= 80


def test_a_warning_during_a_training_stands_above_the_bar(grape, teams, tmp_path):
    file, *options = teams
    looped = tmp_path / "looped.csv"
    looped.write_text(file.read_text() + file.read_text())
    words = ("train", looped, *options, "--epochs", 5, "--hidden", 4, "--out", tmp_path / "run")
    screen = Terminal(*words)
    assert screen.code == 0
    warned = [line for line in screen.lines if "repeated edges" in line]
    assert len(warned) == 1
    assert warned[0].startswith("warning: dropped")
    # What was said when the training read the graph is not said again.
    for command in ("evaluate", "explain", "predict"):
        assert "repeated edges" not in grape.run(command, tmp_path / "run").output


def test_the_same_warning_is_given_once(grape, friends):
    friends.write_text(friends.read_text() + "ann,bob\n")
    assert grape.run("info", friends).stderr.count("warning") == 1


def test_nothing_heavy_is_imported_after_the_bar_of_the_start():
    code = """
import sys
from grape_gnn.cli.output import load_torch
load_torch()
before = set(sys.modules)
import grape_gnn.explain, grape_gnn.runs.training, grape_gnn.training
late = {name.split(".")[0] for name in set(sys.modules) - before}
print(sorted(late & {"torch", "sklearn", "pandas", "scipy", "networkx"}))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
