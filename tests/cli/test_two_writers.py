"""Two commands on one folder: the second is refused, told by whom, and free once that one is dead.

The first command is stopped in the middle of its work, so that the second has all the time to do
harm.
"""

from __future__ import annotations

import signal
import time

import pytest

from grape_gnn.runs import RunFolder
from grape_gnn.search import SearchFolder
from grape_gnn.training import read_results

SHAPES = ("planted-roles", "--option", "num_shapes=9")
LONG = ("--epochs", 100_000, "--patience", 100_000, "--hidden", 4, "--threads", 1)


@pytest.fixture
def at_work(grape):
    """Give a function that starts a command and stops it once a file is there."""
    children = []

    def start(*words, until):
        child = grape.process(*words)
        children.append(child)
        deadline = time.monotonic() + 120
        while not until.exists():
            assert child.poll() is None, child.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        child.send_signal(signal.SIGSTOP)
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()


def refusal(child, command):
    return f"is being written by process {child.pid} (-c {command} "


def test_trainings(grape, at_work, tmp_path):
    out = tmp_path / "run"
    first = at_work("train", *SHAPES, *LONG, "-o", out, until=out / "checkpoint.safetensors")
    before = (out / "config.json").stat().st_mtime_ns
    for words in (("train", *SHAPES, *LONG, "-o", out), ("train", "--resume", out)):
        message = grape.error(*words)
        assert f"error: {out}: {refusal(first, 'train')}" in message
        assert message.endswith(": wait until it ends, or stop it")
    for words in (("predict", out), ("evaluate", out), ("explain", out), ("report", out)):
        message = grape.error(*words)
        assert f"this training is not finished; wait for process {first.pid} (" in message
    first.kill()
    first.wait()
    assert (out / "config.json").stat().st_mtime_ns == before
    assert "go on with grape train --resume" in grape.error("predict", out)
    (out / ".lock").unlink()
    (out / "checkpoint.safetensors").unlink()
    second = at_work("train", "--resume", out, until=out / "checkpoint.safetensors")
    assert refusal(second, "train") in grape.error("train", "--resume", out)


def test_searches(grape, at_work, tmp_path):
    out = tmp_path / "found"
    short = ("--rounds", 1000, "--population", 2, "--eliminate", 1, "--epochs", 3)
    first = at_work("search", *SHAPES, *short, "-o", out, until=out / "history.jsonl")
    for words in (("search", *SHAPES, *short, "-o", out), ("search", "--resume", out)):
        assert refusal(first, "search") in grape.error(*words)
    lines = (out / "history.jsonl").read_bytes().count(b"\n")
    grape.output("report", out)  # readers need not wait
    first.kill()
    first.wait()
    grape.output("search", "--resume", out, "--rounds", 1)
    history = SearchFolder.open(out).history
    assert len(history) >= lines
    assert [each.round for each in history] == sorted(each.round for each in history)


def test_comparisons(grape, at_work, tmp_path):
    out = tmp_path / "table"
    words = ("compare", *SHAPES, "--methods", "mlp,gcn", "--seeds", 2, "--profile", "quick")
    first = at_work(*words, "-o", out, until=out / "results.jsonl")
    assert refusal(first, "compare") in grape.error(*words, "-o", out)
    first.kill()
    first.wait()
    grape.output(*words, "-o", out)
    runs = read_results(out / "results.jsonl")
    settings = [(run.model, run.stage, run.seed, str(run.settings)) for run in runs]
    assert len(settings) == len(set(settings))
    assert not (out / ".lock").exists()


def test_a_finished_run_is_read_while_it_is_locked(grape, trained):
    with RunFolder.open(trained):
        grape.output("evaluate", trained)
        grape.output("train", "--resume", trained)
